"""What no likeness and no model may overrule: which memories are a person's, and which two are not the same."""

from __future__ import annotations

from msgspec import Struct

from memhtml.domain.divergence import Divergence, divergences
from memhtml.domain.rewording import Sense, compare
from memhtml.domain.vocabulary import HIGHEST_IMPORTANCE


class Words(Struct, frozen=True):
    """What a memory says, as its rows hold it."""

    title: str
    gist: str
    body: str


def vetoed(first: Words, second: Words) -> frozenset[Divergence]:
    """In which ways two memories diverge, so that neither may be folded into the other; empty when none is seen.

    Claims are held against claims, and whole texts, titles too, against whole texts. Symmetric.

    >>> keeps = Words("Backups", "Backups are kept.", "Backups are kept.")
    >>> sorted(vetoed(keeps, Words("Backups in beta", "Backups are kept.", "Backups are kept.")))
    [<Divergence.QUALIFIER: 'qualifier'>]
    """
    return divergences(first.gist, second.gist) | divergences(
        f"{first.title}\n{first.body}", f"{second.title}\n{second.body}"
    )


def apart(first: Words, second: Words) -> str | None:
    """Why neither of two memories may be folded into the other, as the end of a sentence; ``None`` for no reason.

    They diverge, or words differ between their texts that make them two facts: a name, a unit, a weekday, an opposite.

    >>> checkout = Words("Queues", "Checkout drains its queue.", "Checkout drains its queue.")
    >>> apart(checkout, Words("Queues", "Billing drains its queue.", "Billing drains its queue."))
    'one has checkout, the other billing'
    """
    ways = vetoed(first, second)
    if ways:
        return f"they differ by {' and '.join(sorted(ways))}"
    compared = compare(first.body, second.body)
    return compared.why if compared.sense is Sense.APART else None


def is_protected(importance: int | None, author: str | None) -> bool:
    """Whether a memory is a person's to change: of the highest importance, or written by a person.

    >>> is_protected(10, None), is_protected(None, "human:ada"), is_protected(9, "agent:sleep")
    (True, True, False)
    """
    return importance == HIGHEST_IMPORTANCE or is_human(author)


def is_human(author: str | None) -> bool:
    """Whether an author is a person.

    >>> is_human("human:ada"), is_human("Human"), is_human("agent:sleep"), is_human(None)
    (True, True, False, False)
    """
    return author is not None and author.partition(":")[0].strip().lower() == "human"
