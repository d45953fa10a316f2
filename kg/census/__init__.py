"""Every cast there is, counted: how often each clause holds, which two never or always stand together, and on which cast."""
