"""The values and laws of a memory store. Pure: no clock, chance, disk, network, database or log."""
