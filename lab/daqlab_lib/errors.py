"""The one exception whose text is shown to the user as it is."""


class LabError(Exception):
    """A problem the user can fix; the message says what to change."""
