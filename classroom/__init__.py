"""The teacher's program: release the book for a class, and grade the submissions.

``python -m classroom --help`` lists the commands. Nothing in this folder is part of
the package that students install.
"""
