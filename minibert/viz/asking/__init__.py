"""What asks the student: guesses, quizzes, and functions to write."""
