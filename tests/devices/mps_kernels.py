"""Which operators PyTorch has a Metal kernel for, read from the table of operators that is packaged with it.

An operator of several composite parts runs wherever its parts run; one with a kernel a device needs an entry
for MPS. An `out=` or in-place form that is generated, or delegates to a structured form, follows that form.
"""

import re
from functools import cache
from pathlib import Path

import torchgen

TABLE = Path(torchgen.__file__).parent / "packaged" / "ATen" / "native" / "native_functions.yaml"
ANYWHERE = {
    "MPS",
    "CompositeImplicitAutograd",
    "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
}


@cache
def without_kernel() -> frozenset[str]:
    """Return the names of the operators, like "unique_dim" and "add.out", that do not run on a Mac's GPU."""
    keys, delegates, generated = {}, {}, {}
    for block in re.split(r"^- func: ", TABLE.read_text(encoding="utf-8"), flags=re.M)[1:]:
        name = block[: block.index("(")]
        keys[name] = entries(block)
        if found := re.search(r"^  structured_delegate: (\S+)", block, re.M):
            delegates[name] = found[1]
        if found := re.search(r"^  autogen: (.+)", block, re.M):
            generated |= dict.fromkeys(re.split(r",\s*", found[1].strip()), name)

    def runs(name):
        if keys[name] & ANYWHERE:
            return True
        if name in delegates:
            return runs(delegates[name])
        return not keys[name]  # no table of kernels: made of other operators

    lacking = {name for name in keys if not runs(name)}
    return frozenset(lacking | {made for made, origin in generated.items() if origin in lacking})


def entries(block: str) -> set[str]:
    """Return the keys of the `dispatch:` table of one operator, an empty set where there is no table."""
    found = re.search(r"^  dispatch:\n((?:^    .*\n|^\s*#.*\n)+)", block, re.M)
    lines = re.findall(r"^    ([\w, ]+):", found[1], re.M) if found else []
    return {key.strip() for line in lines for key in line.split(",")}
