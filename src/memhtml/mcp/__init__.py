"""The door for agents: the operations as tools of the Model Context Protocol."""
