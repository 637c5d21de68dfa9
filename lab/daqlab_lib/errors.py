"""The one exception whose text is shown to the user as it is."""


class LabError(Exception):
    """Something the user can mend; the message says what to change."""
