"""Pages without the indentation of the templates that they are made with: browsers show none of it.

Libraries that make HTML smaller were left aside: one takes longer than all else here does to a page, another
drops quotes and end tags.
"""

from __future__ import annotations

import re

# In these every space counts; `code` is shown as it is written in some tables.
_KEPT = r"<(?P<name>pre|code|textarea|script|style)\b.*?</(?P=name)>"
_KEPT_OR_INDENTATION = re.compile(rf"(?P<kept>{_KEPT})|[ \t]*\n[ \t\n]*", re.DOTALL)


def without_indentation(page: str) -> str:
    """The page with one newline in the place of all white space around newlines.

    Examples:
        >>> without_indentation("<ul>\\n    <li>one\\n\\n    two</li>\\n</ul> <pre>a\\n    b</pre>")
        '<ul>\\n<li>one\\ntwo</li>\\n</ul> <pre>a\\n    b</pre>'
    """
    return _KEPT_OR_INDENTATION.sub(lambda match: match["kept"] or "\n", page)
