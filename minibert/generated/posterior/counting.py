"""Compute the probability that the facts of a document have values in given sets.

A pool is a list of possible values of a fact, and a row is one of them. A set of rows is an integer in which
bit r means row r, so that sets can be intersected with & and counted in one operation. Facts from one pool
without weights take distinct rows. Such choices are counted by inclusion and exclusion, over all partitions
of the facts into groups that would share a row.
"""

from functools import cache
from math import perm

from ..sentences.sorts import Pool


def rows_in(mask: int) -> list[int]:
    """Return the numbers in a set that is stored as the bits of an integer, in increasing order.

    >>> rows_in(0b1101)
    [0, 2, 3]
    """
    rows = []
    while mask:
        low = mask & -mask
        rows.append(low.bit_length() - 1)
        mask ^= low
    return rows


@cache
def ways(masks: tuple[int, ...]) -> int:
    """Return the number of ways to choose a distinct number from each set.

    masks: the sets, each stored as the bits of an integer.

    >>> ways((0b011, 0b011)), ways((0b001, 0b001)), ways(())
    (2, 0, 1)
    """
    if not masks:
        return 1
    single = next((mask for mask in masks if mask.bit_count() == 1), None)
    if single is not None:  # no other set may use its row
        rest = list(masks)
        rest.remove(single)
        return ways(tuple(mask & ~single for mask in rest)) if all(mask & ~single for mask in rest) else 0
    return _by_groups(masks)


def _by_groups(masks: tuple[int, ...]) -> int:
    """Return the sum over all partitions of the sets into groups.

    A group of g sets contributes (-1)^(g - 1) (g - 1)! times the number of rows that they share.
    """
    if not masks:
        return 1
    first, rest = masks[0], masks[1:]
    total = 0
    for choice in range(1 << len(rest)):  # the sets that join the first set's group
        shared, size, left = first, 1, []
        for at, mask in enumerate(rest):
            if choice >> at & 1:
                shared &= mask
                size += 1
            else:
                left.append(mask)
        if shared:
            sign = -1 if size % 2 == 0 else 1
            factorial = 1
            for factor in range(2, size):
                factorial *= factor
            total += sign * factorial * shared.bit_count() * _by_groups(tuple(left))
    return total


def probability(pool: Pool, masks: tuple[int, ...]) -> float:
    """Return the probability that all given variables of one pool have values in their sets.

    masks: a set for each variable, as the bits of an integer.
    """
    if pool.weights is None:
        return ways(masks) / perm(len(pool.rows), len(masks))
    product = 1.0
    for mask in masks:
        product *= sum(pool.weights[row] for row in rows_in(mask))
    return product


def marginal(pool: Pool, masks: tuple[int, ...], at: int) -> dict[int, float]:
    """Return the probability of each row (value) of variable number `at`, as {row: probability}.

    masks: the set of possible rows of each variable of the pool, as the bits of an integer.
    """
    mask, others = masks[at], masks[:at] + masks[at + 1 :]
    if pool.weights is not None:
        shares = {row: pool.weights[row] for row in rows_in(mask)}
    else:
        shares, alike = {}, {}
        for row in rows_in(mask):  # rows that lie in the same other sets have the same count
            kind = tuple(other >> row & 1 for other in others)
            if kind not in alike:
                alike[kind] = ways(tuple(other & ~(1 << row) for other in others))
            shares[row] = alike[kind]
    total = sum(shares.values())
    return {row: share / total for row, share in shares.items() if share}
