//! Mutants with the engines' verdicts, for machines without an engine.
