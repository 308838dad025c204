"""How memhtml is made known to agents' hosts: parts put into a person's files, and taken out again.

A floor of its own, which knows no store: texts of files, receipts of what was put into them, and a handshake.
"""
