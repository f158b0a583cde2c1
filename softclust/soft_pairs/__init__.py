"""Soft clusterings pair by pair: sums over pairs of objects, and the measures made of them."""
