# The one door that people, hooks and CI use. `just --list` shows the rooms behind it.

set windows-shell := ["powershell.exe", "-NoLogo", "-Command"]

# Everything that must be green before a change lands.
check: format lint types floors docs gate test

# The formatter changes nothing.
format:
    uv run --locked ruff format --check .

lint:
    uv run --locked ruff check .

types:
    uv run --locked mypy
    uv run --locked pyright

# Each floor of the house rests only on those below it.
floors:
    uv run --locked lint-imports

# The generated pages say what the program does today.
docs:
    uv run --locked python docs/generate.py --check

# Search ranks memories above nearly identical wrong versions of them; what does not hold is named.
gate *ARGS:
    uv run --locked memhtml eval discriminate --mode fake {{ ARGS }}

# The whole suite but the slow marker, in random order, with branch coverage.
test *ARGS:
    uv run --locked pytest -m "not slow" -n 2 --cov --cov-report=term:skip-covered {{ ARGS }}

# Every property with examples that nobody has tried yet, five times as many: about half an hour on two cores.
explore *ARGS:
    uv run --locked pytest -m "hypothesis and not slow" -n 2 --hypothesis-profile=explore {{ ARGS }}

# Kill storms, races and big stores: about half an hour on two cores.
test-slow *ARGS:
    uv run --locked pytest -m slow -n 0 --timeout=1800 {{ ARGS }}

# Mutation testing of the pure floors; the survivors and the reasons for them are in docs/explanation/mutants.md.
mutants *ARGS:
    uv run --locked mutmut run {{ ARGS }}

# Let the formatter and the linter mend what they can.
fix:
    uv run --locked ruff check --fix .
    uv run --locked ruff format .
