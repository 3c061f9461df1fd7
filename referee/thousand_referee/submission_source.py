"""What the arena's pages may ask about bots that were submitted."""

from __future__ import annotations

from typing import Protocol

from thousand_referee.submitted import Submission, SubmittedBot, User


class SubmissionSource(Protocol):
    """Reads submissions. All methods block for a database, so call them in a thread.

    They raise `DataError` if the database fails. Who may see what is the caller's to
    decide: build logs and reports are for the bot's owner and organisers.
    """

    def submissions(self, owner: str | None = None, limit: int = 100) -> tuple[Submission, ...]:
        """Give the latest submissions, newest first; with `owner` those of that user."""

    def submission(self, submission: str) -> Submission | None:
        """Give the submission of that id, or None if there is none."""

    def bot(self, name: str) -> SubmittedBot | None:
        """Give the submitted bot of that name, or None if there is none."""

    def user(self, token: str) -> User | None:
        """Give whose token it is; None if it is nobody's, or was revoked."""

    def is_owner(self, token: str, bot: str) -> bool:
        """Whether the token is that of the bot's owner, or of an organiser."""

    def is_owner_of_entry(self, token: str, tournament: str, entry: str) -> bool:
        """Whether the token is that of the author who submitted an entry, or an organiser's.

        Entries that nobody submitted are the house's: they are for organisers only.
        """
