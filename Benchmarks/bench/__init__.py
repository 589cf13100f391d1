"""`make bench`: rows.py says what is measured, runner.py runs rows and prints the table."""
