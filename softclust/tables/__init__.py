"""Two hard clusterings: contingency tables, measures and null laws."""
