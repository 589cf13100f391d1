"""What can go wrong: one error, whose text says what, where and what to do."""


class TelecapError(Exception):
    """A capture that cannot be read, or a program that cannot be run. `status` is the exit status that belongs to it."""

    def __init__(self, text: str, status: int = 65) -> None:
        super().__init__(text)
        self.status = status
