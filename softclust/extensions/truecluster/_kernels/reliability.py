"""A clusterer of known reliability, its bootstrap votes matched and counted: two clusters."""

import numpy as np

from ....running.compiler import kernel


def n_numbers(n, fixed):
    """Uniform numbers of an attempt: draws, classes, ties, the match; the order of moves."""
    return 3 * n + 1 + (n if fixed else 0)


@kernel
def simulate(numbers, ones, same_one, same_zero, target, shared, method, n_resamples, votes,
             counts):
    """One cell of the simulation, an attempt per row of `numbers` (see `n_numbers`).

    The first `ones` of n objects are truly 1. `same_one`, `same_zero`: probability that a draw
    gets its true class. `target`: ones that a sample must have, -1 for any. `shared`: copies of
    an object get one class. `method`: 0 trace, 1 truematch, 2 its heuristic. votes (n, 2) and
    counts (accepted, attempts, 1 when absorbed) go on from an earlier call.
    """
    n = votes.shape[0]
    objects = np.empty(n, np.int64)
    classes = np.empty(n, np.int64)
    order = np.empty(n, np.int64)
    for attempt in range(numbers.shape[0]):
        if counts[0] == n_resamples or counts[2] == 1:
            break
        counts[1] += 1
        u = numbers[attempt]
        # A sample: objects, their classes, and how many are 1.
        ones_drawn = 0
        for t in range(n):
            i = min(int(u[t] * n), n - 1)
            same = u[n + (i if shared else t)] < (same_one if i < ones else same_zero)
            objects[t] = i
            classes[t] = 1 if same == (i < ones) else 0
            ones_drawn += classes[t]
        if target >= 0:
            # Draws in random order leave the class that is too big.
            big = 1 if ones_drawn > target else 0
            for t in range(n):
                order[t] = t
            t = 0
            while ones_drawn != target:
                j = min(t + int(u[3 * n + 1 + t] * (n - t)), n - 1)
                chosen = order[j]
                order[j] = order[t]
                order[t] = chosen
                if classes[chosen] == big:
                    classes[chosen] = 1 - big
                    ones_drawn += 1 - 2 * big
                t += 1
        if ones_drawn == 0 or ones_drawn == n:
            continue
        # Its table with the majorities so far, ties at random; the first sample names the classes.
        renamed = 0
        if counts[0] > 0:
            t01, t10, t11 = 0, 0, 0
            for t in range(n):
                i = objects[t]
                difference = votes[i, 1] - votes[i, 0]
                one = difference > 0 or (difference == 0 and u[2 * n + i] >= 0.5)
                t11 += one and classes[t] == 1
                t10 += one and classes[t] == 0
                t01 += not one and classes[t] == 1
            t00 = n - t01 - t10 - t11
            if t10 + t11 == 0 or t10 + t11 == n:
                continue
            # The four scores have one size; on the diagonal they have the sign of the determinant.
            gain = t01 + t10 - t00 - t11 if method == 0 else t01 * t10 - t00 * t11
            if gain != 0:
                renamed = 1 if gain > 0 else 0
            elif method < 2:
                renamed = 1 if u[3 * n] >= 0.5 else 0
            else:
                # The heuristic goes on by counts, then by chance among the cells in their order.
                largest = max(max(t00, t01), max(t10, t11))
                ties = (t00 == largest) + (t01 == largest) + (t10 == largest) + (t11 == largest)
                number = min(int(u[3 * n] * ties), ties - 1)
                for cell in range(4):
                    count = t00 if cell == 0 else (t01 if cell == 1 else (t10 if cell == 2
                                                                          else t11))
                    if count == largest:
                        if number == 0:
                            renamed = 1 if cell == 1 or cell == 2 else 0
                        number -= 1
        counts[0] += 1
        for t in range(n):
            votes[objects[t], classes[t] if renamed == 0 else 1 - classes[t]] += 1
        # Once all objects have a majority for one class nothing will be accepted again.
        if counts[0] < n_resamples:
            for_one, for_zero = 0, 0
            for i in range(n):
                for_one += votes[i, 1] > votes[i, 0]
                for_zero += votes[i, 1] < votes[i, 0]
            counts[2] = 1 if for_one == n or for_zero == n else 0
