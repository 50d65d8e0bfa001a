"""The command line: `main` has the options, `commands` what each command does."""
