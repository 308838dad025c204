"""The report of a night: one page that needs nothing else, for a browser and for the store's history.

Everything on it is what somebody wrote, agents and models included, so all of it is escaped; and the page's policy
lets nothing load and nothing run, whatever it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from memhtml.domain.paths import is_memory_path
from memhtml.domain.visible import visible
from memhtml.sleep.changes import Evidence, Generated, Proposal, Reason
from memhtml.sleep.corpus import midnight
from memhtml.sleep.record import REPORTS
from memhtml.sleep.review.review import (
    REPORT,
    Review,
    ReviewedCommit,
    ReviewedFile,
    ReviewedPhase,
    RunState,
    Side,
    number_out,
    reviewed,
)
from memhtml.store.classes import ARCHIVED

if TYPE_CHECKING:
    from memhtml.store.branches import OpenRun

FIGURES = frozenset({"cosine", "similarity", "files", "confidence"})
"""What evidence is called that is a figure, and no quote."""
MOST_FILES = 200
"""Files of a phase that the committed page names; a night may touch every memory, and the page stays for ever."""
MOST_FILES_WHOLE = 2_000
"""Files of a phase that the page of a review shows."""

STYLE = """
:root{color-scheme:light dark;--ink:#1d2021;--paper:#fdfdfb;--faint:#5b6065;--line:#d6d9dc;--card:#f3f4f2;
--link:#0b57a4;--add:#116329;--cut:#a40e26;--warn:#7a4d00}
@media (prefers-color-scheme:dark){:root{--ink:#e6e6e3;--paper:#16181a;--faint:#a2a8ad;--line:#3b4045;--card:#202327;
--link:#8ec2ff;--add:#7ee39a;--cut:#ff9aa4;--warn:#f2c46d}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:60rem;margin:0 auto;padding:1rem}
h1{font-size:1.5rem;margin:0 0 .5rem}
h2{font-size:1.2rem;margin:2rem 0 .25rem;border-top:1px solid var(--line);padding-top:1rem}
h3{font-size:1rem;margin:1rem 0 .25rem}
p{margin:.25rem 0}
a{color:var(--link)}
a:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.faint{color:var(--faint)}
.warn{color:var(--warn)}
.kind{font-weight:600}
code,pre{font-family:ui-monospace,monospace;font-size:.875rem}
details{background:var(--card);border:1px solid var(--line);border-radius:.375rem;margin:.5rem 0;padding:0 .75rem}
summary{cursor:pointer;padding:.5rem 0}
details>:last-child{margin-bottom:.75rem}
dl{margin:.5rem 0}
@media (min-width:40rem){dl{display:grid;grid-template-columns:max-content 1fr;gap:.125rem 1rem}}
dt{font-weight:600}
dd{margin:0 0 .25rem}
ul,ol{margin:.25rem 0;padding-left:1.25rem}
ol{padding-left:2rem}
pre{white-space:pre-wrap;margin:.5rem 0;padding:.5rem;background:var(--paper);border:1px solid var(--line)}
ins{color:var(--add);text-decoration:none}
del{color:var(--cut);text-decoration:none}
@media print{details{break-inside:avoid}}
"""


def propose_report(opened: OpenRun) -> Proposal:
    """The page of the run so far, as a file of the store; nothing where no phase changed anything.

    The page has no diffs, no ids of commits and nothing that was said outside of the store: those are in the commits.

    Raises:
        GitError: git refused.
    """
    review = _before_the_report(reviewed(opened.repository.git, opened.run(), texts=False))
    counts = {
        "changed": review.changed,
        "failed": sum(phase.state == "failed" for phase in review.phases),
        "refused": sum(phase.refused for phase in review.phases),
    }
    dropped = any(commit.dropped for commit in review.commits)
    if not review.changed and not dropped:
        return Proposal(counts=counts, note="nothing changed")
    page = Generated(
        f"{REPORTS}/{review.run}.html", committed_page(review).encode(), Reason("What the night did is on record.")
    )
    return Proposal((page,), counts)


def renew_report(opened: OpenRun) -> bool:
    """Let the run's page say what the run holds now; whether it said something else. A run without one gets none.

    Raises:
        DirtyTreeError: somebody edited the page in the run's work tree.
        StorageError: disk full or read-only.
        GitError: git refused.
    """
    from memhtml.sleep.trailers import Told, trailers
    from memhtml.store.message import subject

    proposal = propose_report(opened)
    with opened.repository.transaction() as tx:
        before = tx.base
        for change in proposal.changes:
            if isinstance(change, Generated) and change.data is not None and tx.exists(change.path):
                tx.put(change.path, change.data)
        told = Told(REPORT, counts=proposal.counts)
        words = subject("sleep", f"{REPORT}: made anew")
        return tx.commit(words, trailers(opened.name, told), when=midnight(opened.name[:10])) != before


def _before_the_report(review: Review) -> Review:
    """The run without the report itself, so that a page that is made again is the same."""
    commits = tuple(commit for commit in review.commits if commit.phase != REPORT)
    return replace(
        review,
        changed=sum(len(commit.files) for commit in commits),
        phases=tuple(phase for phase in review.phases if phase.phase != REPORT),
        commits=commits,
    )


def whole_page(review: Review) -> str:
    """The page on which a person reviews the run: all of it, with diffs."""
    return _page(review, _facts(review), MOST_FILES_WHOLE, whole=True)


def committed_page(review: Review) -> str:
    """The page that goes into the store; the same bytes for the same proposals."""
    return _page(review, [("Model", review.model or "none"), *_deep(review)], MOST_FILES, whole=False)


def _page(review: Review, facts: Sequence[tuple[str, str]], most: int, *, whole: bool) -> str:
    sections = [section for each in enumerate(review.phases) if (section := _phase(review, *each, most, whole=whole))]
    by_hand = [commit for commit in review.commits if not commit.phase]
    present = {commit.phase for commit in review.commits}
    lines = [
        *_head(f"Sleep {review.run}"),
        "<main>",
        f"<h1>Sleep {_text(review.run)}</h1>",
        f"<p>{_summary(review)}</p>",
        *_pairs(facts),
        '<nav aria-label="Phases">',
        "<ol>",
        *(_entry(number, phase, linked=phase.phase in present) for number, phase in enumerate(review.phases)),
        "</ol>",
        "</nav>",
        *(line for section in sections for line in section),
        *(_by_hand(by_hand, most, whole=whole) if by_hand else ()),
        "</main>",
        "</body>",
        "</html>\n",
    ]
    return "\n".join(lines)


def _head(title: str) -> Iterator[str]:
    import base64
    import hashlib

    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    yield from (
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        '<meta name="referrer" content="no-referrer">',
        GENERATOR,
        f"<title>{_text(title)}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        "<body>",
    )


GENERATOR = '<meta name="generator" content="memhtml sleep">'
"""By which a page is known again."""


def _facts(review: Review) -> list[tuple[str, str]]:
    is_open = review.state is RunState.OPEN
    landed = [("Landed with", review.landed)] if review.landed is not None else []
    return [
        ("State", review.state.value),
        ("Branch", review.branch),
        ("From", review.base),
        ("To", review.tip),
        *landed,
        ("Model", review.model or "none"),
        *_deep(review),
        *([("To take a file out", f'memhtml sleep drop {review.run} --path PATH --why "…"')] if is_open else []),
    ]


def _deep(review: Review) -> list[tuple[str, str]]:
    return [("Thorough", "yes")] if review.deep else []


def _summary(review: Review) -> str:
    failed = [phase.phase for phase in review.phases if phase.state == "failed"]
    refused = sum(phase.refused for phase in review.phases)
    dropped = number_out(out for commit in review.commits for out in commit.dropped)
    parts = [
        _many(review.changed, "change"),
        f"{refused:,} kept out" if refused else "",
        f"{dropped:,} taken out by a reviewer" if dropped else "",
        f"failed: {_text(', '.join(failed))}" if failed else "",
    ]
    return ", ".join(filter(None, parts))


def _entry(number: int, phase: ReviewedPhase, *, linked: bool) -> str:
    name = _text(phase.phase)
    link = f'<a href="#phase-{number}">{name}</a>' if linked and _has_section(phase) else name
    figures = [
        "" if phase.state == "done" else f'<span class="warn">{_text(phase.state)}</span>',
        _many(phase.changed, "change") if phase.changed else "",
        f"{phase.refused:,} kept out" if phase.refused else "",
        f"{phase.dropped:,} taken out" if phase.dropped else "",
        _text(phase.note),
    ]
    return f'<li>{link} <span class="faint">{", ".join(filter(None, figures)) or "nothing"}</span></li>'


def _has_section(phase: ReviewedPhase) -> bool:
    return bool(phase.changed or phase.refused or phase.dropped or phase.state != "done")


def _phase(review: Review, number: int, phase: ReviewedPhase, most: int, *, whole: bool) -> list[str]:
    commits = [commit for commit in review.commits if commit.phase == phase.phase]
    if not commits or not _has_section(phase):
        return []
    figures = ", ".join(f"{_text(name)} {count:,}" for name, count in sorted(phase.counts.items()) if count)
    spent = f"{phase.calls:,} calls of the model, {phase.tokens:,} tokens" if phase.calls else ""
    said = [
        f'<span class="warn">{_text(phase.state)}</span>' if phase.state != "done" else "",
        f'<span class="warn">{_text(phase.note)}</span>' if phase.note else "",
        figures,
        spent,
    ]
    return [
        f'<section aria-labelledby="phase-{number}">',
        f'<h2 id="phase-{number}">{_text(phase.phase)}</h2>',
        *(f"<p>{part}</p>" for part in said if part),
        *_commits(commits, most, whole=whole),
        "</section>",
    ]


def _by_hand(commits: Sequence[ReviewedCommit], most: int, *, whole: bool) -> list[str]:
    return [
        '<section aria-labelledby="by-hand">',
        '<h2 id="by-hand">By hand</h2>',
        *_commits(commits, most, whole=whole),
        "</section>",
    ]


def _commits(commits: Sequence[ReviewedCommit], most: int, *, whole: bool) -> Iterator[str]:
    left = most
    for commit in commits:
        if whole and (commit.files or commit.dropped):
            yield f'<h3>{_text(commit.subject)} <code class="faint">{_text(commit.commit[:12])}</code></h3>'
        for file in commit.files[:left]:
            yield from _file(file, whole=whole)
        left = max(0, left - len(commit.files))
    unnamed = sum(len(commit.files) for commit in commits) - most
    if unnamed > 0:
        yield f"<p>and {unnamed:,} more: <code>git log -p</code> on the branch shows all of them</p>"
    for out in (out for commit in commits for out in commit.dropped):
        yield f"<p>Taken out by a reviewer: {_isolated(out.why) if out.why else 'no reason is given'}</p>"
        yield from _list([*map(_isolated, out.paths), *(f"{_isolated(path)} (went along)" for path in out.along)])
    refused = list(dict.fromkeys(sentence for commit in commits for sentence in commit.refused))
    if refused:
        yield from ("<details>", f"<summary>Kept out: {len(refused):,}</summary>")
        yield from _list(map(_isolated, refused))
        yield "</details>"


def _file(file: ReviewedFile, *, whole: bool) -> Iterator[str]:
    side = file.after or file.before
    lines = [
        f'<span class="kind">{_text(file.kind)}</span>' + (f" {_isolated(side.title)}" if side and side.title else ""),
        f'<span class="faint">{_where(file)}</span>',
        _isolated(file.why) if file.why else "",
    ]
    yield "<details>"
    yield f"<summary>{'<br>'.join(filter(None, lines))}</summary>"
    body = [*_evidence(file.evidence, whole=whole)]
    if whole:
        body += [*_sides(file), *_difference(file)]
    yield from body or ["<p>Nothing else is said of it.</p>"]
    yield "</details>"


def _where(file: ReviewedFile) -> str:
    """The place by which a person knows the file: of an archived one the place that it had, of a moved one both."""
    if file.kind == ARCHIVED:
        return _isolated(file.previous or file.path)
    return _isolated(file.path) if file.previous is None else f"{_isolated(file.previous)} → {_isolated(file.path)}"


def _evidence(evidence: Sequence[Evidence], *, whole: bool) -> Iterator[str]:
    """What a change rests on. What agents said in their sessions stays out of the store's files."""
    shown = [one for one in evidence if whole or is_memory_path(one.source) or one.source in FIGURES]
    if evidence:
        yield "<p>It rests on:</p>"
        yield from _list(f"<code>{_isolated(one.source)}</code> {_isolated(one.said)}" for one in shown)
    if len(shown) < len(evidence):
        yield f"<p>{_many(len(evidence) - len(shown), 'quote')} from elsewhere: in the commit's message</p>"


def _sides(file: ReviewedFile) -> Iterator[str]:
    if file.before == file.after:
        yield from _pairs([("Says", _said(file.after))] if file.after is not None else [])
        return
    yield from _pairs(
        [(name, _said(side)) for name, side in (("Before", file.before), ("After", file.after)) if side is not None]
    )


def _said(side: Side) -> str:
    if not side.title and not side.claim:
        return "(the file breaks the format)"
    return side.title if side.claim == side.title else f"{side.title}: {side.claim}"


def _difference(file: ReviewedFile) -> Iterator[str]:
    if file.diff:
        yield f"<pre>{''.join(map(_line, file.diff.split(chr(10))))}</pre>"
    if file.omitted:
        yield f'<p class="faint">Difference: {_text(file.omitted)}</p>'


def _line(line: str) -> str:
    element = {"+": "ins", "-": "del"}.get(line[:1])
    text = _text(line)
    return f"<{element}>{text}</{element}>\n" if element else f"{text}\n"


def _pairs(pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    if pairs:
        yield "<dl>"
        yield from (f"<dt>{_text(name)}</dt><dd>{_isolated(value)}</dd>" for name, value in pairs)
        yield "</dl>"


def _list(items: Iterable[str]) -> Iterator[str]:
    found = list(items)
    if found:
        yield "<ul>"
        yield from (f"<li>{item}</li>" for item in found)
        yield "</ul>"


def _isolated(text: str) -> str:
    """The text, whatever its script, without an effect on what stands around it."""
    return f"<bdi>{_text(text)}</bdi>"


def _text(text: str) -> str:
    from memhtml.page.markup import escape_text

    return escape_text(visible(text))


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
