"""Soft clusterings cluster by cluster: columns of memberships, matched or multiplied."""
