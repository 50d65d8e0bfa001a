"""Students' common mistakes in `positional_encoding`, a table of sines and cosines. D is the hidden size."""

from minibert.reference import positional_encoding

from ..checks.edits import edits, pairs_of_edits

PIECES = """
$t = np.arange(length)[:, None]
$pairs = i = np.arange(hidden_size // 2)
$exponent = (2 * i / hidden_size)
$alternate = encoding[:, 0::2], encoding[:, 1::2]
$waves = np.sin(angles), np.cos(angles)
"""

POSITIONAL_ENCODING = (
    *edits(
        positional_encoding,
        PIECES
        + """
all sines come first, then all cosines. Put the sines in the even columns, and the cosines in the odd columns.
    $alternate => encoding[:, : hidden_size // 2], encoding[:, hidden_size // 2 :]
the exponent is only half as large as it should be. Multiply it by 2.
    $exponent => (i / hidden_size)
the exponent is twice as large as it should be. If your i counts 0, 2, 4, ..., it already includes the factor
2.
    $exponent => (4 * i / hidden_size)
each cosine has its own exponent. Use the angle of its sine.
    np.cos(angles) => np.cos(angles / 10000 ** (1 / hidden_size))
the exponent divides by a number that is too small, so it reaches exactly 1. Divide by the hidden size.
    $exponent => (2 * i / max(hidden_size - 2, 1))
the exponent divides by D - 1. Divide by the hidden size, D.
    $exponent => (2 * i / (hidden_size - 1))
you count the pairs from 1. Start with i = 0, whose angle is t itself.
    $pairs => $pairs + 1
you count the positions from 1. Start with t = 0, which has sine 0 and cosine 1.
    $t => (1 + $t)
the base is 1000. Use 10000.
    10000 ** => 1000 **
the base is 100000. Use 10000.
    10000 ** => 100000 **
sine and cosine are swapped. Put sines in the even columns, and cosines in the odd columns.
    $waves => np.cos(angles), np.sin(angles)
there are only sines. Put cosines in the odd columns.
    $waves => np.sin(angles), np.sin(angles)
you multiply the position by the power of 10000. Divide by it, so that later pairs oscillate more slowly.
    / 10000 ** => * 10000 **
the positions start again after 512. Keep counting, however long the table is.
    $t => $t % 512
you multiply the angles by pi, which is not in the formula. Only divide t by a power of 10000.
    $waves => np.sin(np.pi * angles), np.cos(np.pi * angles)
the base is the length of the table. Use 10000, however long the table is.
    10000 ** => float(length) **
the sign of the sine is wrong. Remove the minus sign; at position 1, all sines are positive.
    $waves => -np.sin(angles), np.cos(angles)
the positions run backwards. Put position 0 in row 0.
    return result[::-1]
the odd columns have a larger exponent. Use the same exponent for a sine and its cosine.
    $exponent => ((2 * i + 1) / hidden_size)
the angles are rounded down to integers. Use ordinary division.
    $t / => $t //
you divide the table by sqrt(D). Leave the sines and cosines as they are.
    return result / np.sqrt(hidden_size)
the table is transposed. Give it one row per position, with the shape (length, hidden_size).
    return result.T
you return the angles themselves. Take their sine and cosine.
    $waves => angles, angles
you convert the angles to degrees. Leave them as they are, because np.sin and np.cos expect radians.
    $waves => np.sin(np.degrees(angles)), np.cos(np.degrees(angles))
you convert the angles as if they were in degrees. Leave them as they are: they are in radians already.
    $waves => np.sin(np.radians(angles)), np.cos(np.radians(angles))
""",
    ),
    *pairs_of_edits(
        positional_encoding,
        PIECES
        + """
the sines do not alternate with the cosines
    $alternate => encoding[:, : hidden_size // 2], encoding[:, hidden_size // 2 :]
the exponent is i / D instead of 2i / D
    $exponent => (i / hidden_size)
the exponent is 4i / D instead of 2i / D
    $exponent => (4 * i / hidden_size)
the base is 1000 instead of 10000
    10000 ** => 1000 **
the positions are counted from 1 instead of 0
    $t => (1 + $t)
the pairs are counted from 1 instead of 0
    $pairs => $pairs + 1
sine and cosine are swapped
    $waves => np.cos(angles), np.sin(angles)
""",
    ),
)
