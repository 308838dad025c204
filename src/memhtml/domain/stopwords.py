"""Words that say nothing about what a text is about."""

from __future__ import annotations

STOP_WORDS = frozenset(
    """
    a about after again also am an and any are arent as at be because been before being both but by can could couldnt
    d did didnt do does doesnt doing dont during each either else ever for from further had hadnt has hasnt have havent
    having he hed her here hers herself hes him himself his how however i id if ill im in into is isnt it its itself ive
    just let lets ll m me mine my myself of on once or other our ours ourselves out over own per please re really s
    shall she shed shes should shouldnt so some such t than that thats the their theirs them themselves then there
    theres these they theyd theyre theyve this those through to too under until up upon us ve very via was wasnt we
    were werent weve what whats when where whether which while who whom whos whose why will with within wont would
    wouldnt yes yet you youd youll your youre yours yourself yourselves youve
    """.split()  # noqa: SIM905 - a list would take a line a word
)
"""Function words of English, contractions written together as `terms` makes them.

Negations and quantities are not among them: they decide which of two twins is meant.
"""
