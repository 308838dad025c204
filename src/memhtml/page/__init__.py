"""The memory file and its values: parse, rules, hash, render, splice. Pure; the only floor that reads markup."""
