"""The subcommands of ``python -m src.data``: their arguments, and what they call."""
