"""Combination of mass functions and change of frame, with sets and fractions.

A mass function is a dictionary from frozensets to numbers.
"""

from itertools import product


def combined_masses(m1, m2, rule):
    """Campagner, Ciucci, Denoeux 2023, eq. 32; None in total conflict."""
    result = {}
    for (a, u), (b, v) in product(m1.items(), m2.items()):
        key = a | b if rule == "disjunctive" else a & b
        result[key] = result.get(key, 0) + u * v
    if rule == "dempster":
        conflict = result.pop(frozenset(), 0)
        if conflict == 1:
            return None
        result = {key: value / (1 - conflict) for key, value in result.items()}
    return {key: value for key, value in result.items() if value}


def extended_masses(m, parts):
    """Eq. 37: the mass of a set is on the union of its parts."""
    return {frozenset(fine for name in a for fine in parts[name]): u for a, u in m.items()}


def coarsened_masses(m, parts):
    """Eq. 38: the mass of a set goes to the set of coarser clusters that it meets."""
    result = {}
    for a, u in m.items():
        key = frozenset(name for name, members in parts.items() if a & set(members))
        result[key] = result.get(key, 0) + u
    return result
