"""The sections of a report, a class and a file each; a further file adds a section."""
