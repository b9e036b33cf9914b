"""Models on disk and on the hub: where they are, what tells them apart, how they cut texts."""
