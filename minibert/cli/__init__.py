"""The command line: `main` runs it; its commands are in one file for each kind of reader."""
