"""Results: records, frames, tables as text, stored files."""
