"""From the books' text to OWL 2 RL axioms, and from six lines and a moment to a cast of individuals."""
