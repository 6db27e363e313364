"""What a teacher runs: the release for a class, and the grading of what comes back.

``python -m classroom --help`` lists the commands. Nothing of this floor is part of
the package that students install.
"""
