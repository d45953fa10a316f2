"""`python -m kg` is the command `guigu`."""

from kg.cli import main

if __name__ == "__main__":
    main()
