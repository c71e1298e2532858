"""Tables of lines, by which a traceback tells where in a file it is, made short.

The format is that of CPython's `InternalDocs/code_objects.md`. The compiler writes one entry for each
instruction, since each has columns of its own; without these, one entry does for a whole stretch of a line.
"""

from types import CodeType

BYTES_OF_UNIT = 2
UNITS_OF_ENTRY = 8
NO_COLUMNS = 0x80 | 13 << 3
NO_LINE = 0x80 | 15 << 3


def with_short_lines(code: CodeType) -> CodeType:
    """The same code, and all code within it, with tables of lines alone."""
    table, line = bytearray(), code.co_firstlineno
    for start, end, number in code.co_lines():
        for units in stretches((end - start) // BYTES_OF_UNIT):
            if number is None:
                table.append(NO_LINE | units - 1)
            else:
                table.append(NO_COLUMNS | units - 1)
                table += signed(number - line)
                line = number
    consts = tuple(with_short_lines(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    short = code.replace(co_linetable=bytes(table), co_consts=consts)
    if list(short.co_lines()) != list(code.co_lines()):
        raise ValueError(f"the table of lines of {code.co_qualname} has a format that is not known here")
    return short


def stretches(units: int) -> list[int]:
    """So many code units, split into what one entry can hold."""
    whole, rest = divmod(units, UNITS_OF_ENTRY)
    return [UNITS_OF_ENTRY] * whole + [rest] * (rest > 0)


def signed(number: int) -> bytes:
    """A number in groups of six bits, the lowest first; its sign is the lowest bit."""
    left = -number << 1 | 1 if number < 0 else number << 1
    groups = bytearray()
    while left >= 1 << 6:
        groups.append(left & 63 | 64)
        left >>= 6
    groups.append(left)
    return bytes(groups)
