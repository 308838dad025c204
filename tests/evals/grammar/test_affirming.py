"""A denial taken out: a sentence stays one, and says the contrary."""

from __future__ import annotations

import pytest

from memhtml.evals.grammar.affirming import affirmed


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("The worker does not retry jobs.", "The worker retries jobs."),
        ("The worker doesn\u2019t retry jobs.", "The worker retries jobs."),
        ("Workers don't retry jobs.", "Workers retry jobs."),
        ("Sessions didn't survive it.", "Sessions survived it."),
        ("Ada doesn't have a key.", "Ada has a key."),
        ("It does not yet support TLS.", "It already supports TLS."),
        ("It does not even start.", "It starts."),
        ("It did not drop any messages at all.", "It dropped some messages."),
        ("Do not restart the worker.", "Always restart the worker."),
        ("Don't use it when it is cold.", "Always use it when it is cold."),
        ("We can't restart it.", "We can restart it."),
        ("Users cannot change it.", "Users can change it."),
        ("The gateway won't accept it.", "The gateway will accept it."),
        ("It shan't wait.", "It shall wait."),
        ("It need not wait.", "It must wait."),
        ("The index isn't rebuilt yet.", "The index is rebuilt already."),
        ("The index is not yet rebuilt.", "The index is already rebuilt."),
        ("It is not started until the migration ends.", "It is started before the migration ends."),
        ("The job is not logged either.", "The job is logged too."),
        ("The worker never retries jobs.", "The worker always retries jobs."),
        ("Never deploy on Fridays.", "Always deploy on Fridays."),
        ("It has never been rebuilt.", "It has been rebuilt."),
        ("It never failed.", "It failed."),
        ("Secrets are never written to logs.", "Secrets are always written to logs."),
        ("The API no longer accepts XML.", "The API still accepts XML."),
        ("It holds no more than 12 rows.", "It holds more than 12 rows."),
        ("Nobody has any keys.", "Everybody has some keys."),
        ("It was told to nobody.", "It was told to somebody."),
        ("Nothing is logged on staging.", "Everything is logged on staging."),
        ("None of the workers retries uploads.", "All of the workers retry uploads."),
        ("Five run and none of the rest has a lock.", "Five run and all of the rest have a lock."),
        ("Neither of the replicas is warm.", "Both of the replicas are warm."),
        ("Neither the API nor the worker retries.", "Both the API and the worker retry."),
        ("The backups are kept without encryption.", "The backups are kept with encryption."),
        ("Deploys run without draining the queue.", "Deploys run while draining the queue."),
        ("It runs without logging.", "It runs with logging."),
        ("No deploys run on Fridays.", "Deploys run on Fridays."),
        ("No worker retries jobs.", "Every worker retries jobs."),
        ("The cluster has no public IP address.", "The cluster has a public IP address."),
        ("The cluster has no owner.", "The cluster has an owner."),
        ("There are no alerts for it.", "There are alerts for it."),
        ("There is no evidence of a leak.", "There is evidence of a leak."),
        ("There is no man playing chess.", "There is a man playing chess."),
        ("The team decided not to migrate.", "The team decided to migrate."),
        ("Not all replicas are warm.", "All replicas are warm."),
        ("It is sent on weekdays but not on holidays.", "It is sent on weekdays and also on holidays."),
    ],
)
def test_each_way_to_deny_is_undone_in_its_own_way(sentence: str, said: str) -> None:
    """With the verb as it then must be, and without what only a denial allows."""
    assert next(affirmed(sentence, 0)) == said


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("The worker never retries jobs.", "The worker retries jobs."),
        ("Never deploy on Fridays.", "Deploy on Fridays."),
        ("Do not restart it.", "Restart it."),
    ],
)
def test_the_sway_decides_where_two_forms_are_right(sentence: str, said: str) -> None:
    """With a word of affirmation, or without one."""
    assert next(affirmed(sentence, 1)) == said


@pytest.mark.parametrize(
    "sentence",
    [
        "The worker retries jobs.",
        "Isn't it kept?",
        "It is kept, isn't it?",
        "It is not a bug but a feature.",
        "It is not only fast.",
        "Tabs, not spaces, are used.",
        "Not a bug.",
        "It does not read or write secrets.",
        "Never mind.",
        "There is no doubt.",
        "It will come without fail.",
        "No, thanks.",
        "If not, wait.",
        "If they do not, wait.",
    ],
)
def test_what_cannot_be_undone_plainly_is_left_alone(sentence: str) -> None:
    """Set phrases, contrasts, questions, and verbs that would have to change together."""
    assert list(affirmed(sentence, 0)) == []
