"""A clusterer of known reliability, its bootstrap votes matched and counted: two clusters."""

from ._jit import borrowing
from .matching import TRACE, TRUEMATCH
from .random import fill_uniforms


def n_numbers(n, fixed):
    """Uniform numbers of an attempt: draws, classes, ties, the match; the order of moves."""
    return 3 * n + 1 + (n if fixed else 0)


@borrowing
def simulate(state, ones, same_one, same_zero, target, shared, method, n_resamples, max_attempts,
             numbers, votes, objects, classes, order, reference, counts):
    """One cell of the simulation.

    The first `ones` of n objects are truly 1. `same_one`, `same_zero`: probability that a draw
    gets its true class. `target`: ones that a sample must have, -1 for any. `shared`: copies of
    an object get one class. votes (n, 2); counts: accepted, attempts, 1 when absorbed.
    """
    n = votes.shape[0]
    for i in range(n):
        votes[i, 0] = 0
        votes[i, 1] = 0
    accepted = 0
    attempts = 0
    absorbed = 0
    while accepted < n_resamples and attempts < max_attempts and absorbed == 0:
        attempts += 1
        fill_uniforms(state, numbers)
        found = draw_sample(numbers, ones, same_one, same_zero, shared, objects, classes)
        if target >= 0:
            move_draws(numbers, found, target, classes, order)
            found = target
        if found == 0 or found == n:
            continue
        renamed = 0
        if accepted > 0:
            for i in range(n):
                difference = votes[i, 1] - votes[i, 0]
                heads = 1 if numbers[2 * n + i] >= 0.5 else 0
                reference[i] = heads if difference == 0 else (1 if difference > 0 else 0)
            t01, t10, t11 = 0, 0, 0
            for t in range(n):
                one = reference[objects[t]]
                t11 += one * classes[t]
                t10 += one
                t01 += classes[t]
            t10 -= t11
            t01 -= t11
            if t10 + t11 == 0 or t10 + t11 == n:
                continue
            renamed = is_renamed(n - t01 - t10 - t11, t01, t10, t11, method, numbers[3 * n])
        accepted += 1
        for t in range(n):
            votes[objects[t], classes[t] if renamed == 0 else 1 - classes[t]] += 1
        for_one = 0
        for_zero = 0
        for i in range(n):
            for_one += 1 if votes[i, 1] > votes[i, 0] else 0
            for_zero += 1 if votes[i, 1] < votes[i, 0] else 0
        # Every later reference has one class: nothing will be accepted again.
        if accepted < n_resamples and (for_one == n or for_zero == n):
            absorbed = 1
    counts[0] = accepted
    counts[1] = attempts
    counts[2] = absorbed


@borrowing
def draw_sample(numbers, ones, same_one, same_zero, shared, objects, classes):
    """Objects and classes of n draws; how many ones."""
    n = objects.shape[0]
    found = 0
    for t in range(n):
        i = min(int(numbers[t] * n), n - 1)
        u = numbers[n + (i if shared else t)]
        is_one = 1 if i < ones else 0
        right = 1 if u < (same_one if i < ones else same_zero) else 0
        objects[t] = i
        classes[t] = 1 if right == is_one else 0
        found += classes[t]
    return found


@borrowing
def move_draws(numbers, found, target, classes, order):
    """Draws in random order leave the class that is too big until `target` ones are left."""
    n = classes.shape[0]
    big = 1 if found > target else 0
    for t in range(n):
        order[t] = t
    t = 0
    while found != target:
        j = min(t + int(numbers[3 * n + 1 + t] * (n - t)), n - 1)
        chosen = order[j]
        order[j] = order[t]
        order[t] = chosen
        if classes[chosen] == big:
            classes[chosen] = 1 - big
            found += 1 - 2 * big
        t += 1


@borrowing
def is_renamed(t00, t01, t10, t11, method, u):
    """Whether the classes of a sample change names: 1 or 0; ties by u."""
    if method == TRACE:
        gain = t01 + t10 - t00 - t11
    else:
        # The four scores have one size; on the diagonal they have the sign of the determinant.
        gain = t01 * t10 - t00 * t11
    if gain != 0:
        return 1 if gain > 0 else 0
    if method <= TRUEMATCH:
        return 1 if u >= 0.5 else 0
    # The heuristic goes on by counts, then by chance among the cells in their order.
    most = max(max(t00, t01), max(t10, t11))
    ties = ((1 if t00 == most else 0) + (1 if t01 == most else 0) + (1 if t10 == most else 0)
            + (1 if t11 == most else 0))
    number = min(int(u * ties), ties - 1)
    for cell in range(4):
        count = t00 if cell == 0 else (t01 if cell == 1 else (t10 if cell == 2 else t11))
        if count == most:
            if number == 0:
                return 1 if cell == 1 or cell == 2 else 0
            number -= 1
    return 0
