"""The graph of doctrine and casts: reason, explain, store, publish."""
