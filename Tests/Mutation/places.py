"""Places in Swift source at which a fault can be planted, and the text of each fault.

There is no parser of Swift here. Comments and strings are blanked, and the ends of an expression are found by brackets,
keywords and line ends. A guess that is wrong does not compile, and `run` then draws another place."""
import re

# Words at which an expression begins or ends.
BEFORE = {"return", "guard", "if", "while", "try", "await", "in", "else", "case", "where", "throw", "switch", "consume"}
NO_STATEMENT = BEFORE | {
    "let", "var", "func", "init", "defer", "do", "for", "struct", "enum", "class", "extension", "import", "package",
    "public", "private", "fileprivate", "internal", "static", "mutating", "borrowing", "consuming", "default",
    "break", "continue", "deinit", "protocol", "typealias", "repeat", "actor", "final", "override", "indirect",
    "nonisolated", "isolated", "subscript", "catch", "fallthrough", "lazy", "weak", "some", "any", "self.init",
    "super.init", "actor", "associatedtype", "operator", "infix", "precedencegroup", "convenience", "required"}
WRITES = re.compile(
    r"sync|write|insert|update|replace|remove|append|raise|spend|succeed|rename|unlink|store|erase|wipe|commit|flush"
    r"|zero|bzero|memset|requireWritten|audit", re.I)
COMPARISONS = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
# The module whose comparisons are checks, and the operators of the checks.
CHECKED, CHECKS = "TrustedIdentity", {"dropped check", "changed comparison"}


class Place:
    """A range of a file, and what stands there when the fault is on."""

    def __init__(self, operator, start, end, on, off=None, insertion=False):
        self.operator = operator
        self.start, self.end = start, end
        self.on = on
        self.off = off
        self.insertion = insertion

    def text(self, source, condition):
        """Returns the replacement of the range. It has as many line ends as the range, so that lines keep numbers."""
        old = source[self.start:self.end]
        if self.insertion:
            return f" if {condition} {{ {self.on} }};"
        if self.off == "statement":
            return f"if !{condition} {{ {old} }}"
        lines = old.count("\n")
        flat = lambda text: re.sub(r"\s*\n\s*", " ", text)
        return f"({condition} ? ({flat(self.on)}) : ({flat(old)}))" + "\n" * lines


def blanked(source):
    """Returns the source with comments and the insides of strings replaced by spaces."""
    out = list(source)
    i, n = 0, len(source)

    def blank(start, end):
        for k in range(start, end):
            if out[k] != "\n":
                out[k] = " "

    while i < n:
        if source.startswith("//", i):
            end = source.find("\n", i)
            end = n if end < 0 else end
            blank(i, end)
            i = end
        elif source.startswith("/*", i):
            end = source.find("*/", i)
            end = n if end < 0 else end + 2
            blank(i, end)
            i = end
        elif source[i] == '"' or (source[i] == "#" and re.match(r'#+"', source[i:])):
            end = string_end(source, i)
            blank(i + 1, end - 1)
            i = end
        else:
            i += 1
    return "".join(out)


def without_other_platforms(mask):
    """Blanks code that is compiled only if a condition holds, and lines that ask for the version of an Apple system: on
    this platform it may not be compiled at all, or never run."""
    mask = re.sub(r"^.*#available.*$", lambda found: " " * len(found[0]), mask, flags=re.M)
    return re.sub(r"^ *#if .*?^ *#endif", lambda found: re.sub(r"[^\n]", " ", found[0]), mask, flags=re.M | re.S)


def string_end(source, i):
    """Returns the end of the string literal that begins at an index, with its interpolations."""
    marks = 0
    while source[i] == "#":
        marks, i = marks + 1, i + 1
    quote = '"""' if source.startswith('"""', i) else '"'
    close, escape = quote + "#" * marks, "\\" + "#" * marks
    i += len(quote)
    while i < len(source):
        if source.startswith(escape, i):
            i += len(escape)
            if source[i] == "(":
                depth = 1
                i += 1
                while depth and i < len(source):
                    if source[i] == '"':
                        i = string_end(source, i)
                        continue
                    depth += {"(": 1, ")": -1}.get(source[i], 0)
                    i += 1
            else:
                i += 1
        elif source.startswith(close, i):
            return i + len(close)
        else:
            i += 1
    return i


def places(source):
    """Returns all places of a file."""
    mask = without_other_platforms(blanked(source))
    found = []
    found += conditions(source, mask)
    found += expressions(source, mask)
    found += literals(source, mask)
    found += statements(mask)
    found += bodies(mask)
    return [place for place in found if place.off == "statement" or not re.search('//|"""', source[place.start:place.end])]


def is_check(module, source, place):
    """Whether a place is a domain label, or a comparison of the platform: alone, or as a clause of `guard`."""
    if place.operator == "swapped label":
        return True
    return (module == CHECKED and place.operator in CHECKS
            and re.search(r"\s(==|!=|<=|>=|<|>)\s", blanked(source[place.start:place.end])) is not None)


def conditions(source, mask):
    """The clauses of `guard` (the check is dropped) and of `if` (it is negated)."""
    for match in re.finditer(r"\b(guard|if)\s", mask):
        end = clause_list_end(mask, match.end(), match[1])
        if end is None:
            continue
        for start, stop in clauses(mask, match.end(), end):
            if re.match(r"(let|var|case|#|inout)\b|#", mask[start:stop]):
                continue
            if match[1] == "guard":
                yield Place("dropped check", start, stop, "true")
            else:
                yield Place("negated condition", start, stop, f"!({source[start:stop]})")


def clause_list_end(mask, start, keyword):
    depth = 0
    for i in range(start, len(mask)):
        character = mask[i]
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
            if depth < 0:
                return None
        elif character == "{":
            if depth == 0 and keyword == "if":
                return i
            depth += 1
        elif character == "}":
            depth -= 1
            if depth < 0:
                return None
        elif depth == 0 and keyword == "guard" and re.match(r"\selse\b", mask[i:i + 6]):
            return i
    return None


def clauses(mask, start, end):
    """Yields the ranges between the commas, without white space at the edges."""
    depth, first = 0, start
    for i in range(start, end + 1):
        if i == end or (mask[i] == "," and depth == 0):
            text = mask[first:i]
            if text.strip():
                yield first + len(text) - len(text.lstrip()), first + len(text.rstrip())
            first = i + 1
        elif mask[i] in "([{":
            depth += 1
        elif mask[i] in ")]}":
            depth -= 1


def expressions(source, mask):
    """The operators of comparisons and of logic, each in the longest expression around it."""
    for match in re.finditer(r"(?<=\s)(==|!=|<=|>=|<|>|&&|\|\|)(?=\s)", mask):
        line = mask[mask.rfind("\n", 0, match.start()) + 1:match.start()]
        if re.search(r"\bfunc\b|\bwhere\b", line):
            continue
        start, end = left(mask, match.start()), right(mask, match.end())
        if start is None or end is None or not mask[start:match.start()].strip() or not mask[match.end():end].strip():
            continue
        operator = match[1]
        if operator in ("&&", "||"):
            name, other = "exchanged && and ||", "||" if operator == "&&" else "&&"
        else:
            name, other = "changed comparison", COMPARISONS[operator]
        on = source[start:match.start()] + other + source[match.end():end]
        yield Place(name, start, end, on)


def left(mask, at):
    """Returns the start of the expression that ends before an index."""
    i, depth = at - 1, 0
    while i >= 0:
        character = mask[i]
        if character in ")]}":
            depth += 1
        elif character in "([{":
            if depth == 0:
                return skip(mask, i + 1)
            depth -= 1
        elif depth == 0:
            if character in ",;:":
                return skip(mask, i + 1)
            if character in "?=" and mask[i - 1].isspace() and mask[i + 1].isspace():
                return skip(mask, i + 1)
            if character == "\n" and not continues(mask, i):
                return skip(mask, i + 1)
            if character.isspace():
                word = re.search(r"(?<![\w.])([a-z]+)$", mask[max(0, i - 12):i])
                if word and word[1] in BEFORE:
                    return skip(mask, i + 1)
        i -= 1
    return None


def right(mask, at):
    """Returns the end of the expression that begins after an index."""
    i, depth = at, 0
    while i < len(mask):
        character = mask[i]
        if character in "([":
            depth += 1
        elif character == "{":
            if depth == 0:
                return back(mask, i)
            depth += 1
        elif character in ")]}":
            if depth == 0:
                return back(mask, i)
            depth -= 1
        elif depth == 0:
            if character in ",;":
                return back(mask, i)
            if character in "?:=" and mask[i - 1].isspace() and mask[i + 1].isspace():
                return back(mask, i)
            if character == "\n" and not continues(mask, i):
                return back(mask, i)
            if character.isspace() and re.match(r"\s(else|where|in)\b", mask[i:i + 8]):
                return back(mask, i)
        i += 1
    return None


def continues(mask, newline):
    """Whether the expression before a line end goes on after it."""
    before = mask[mask.rfind("\n", 0, newline) + 1:newline].rstrip()
    after = mask[newline + 1:newline + 200].lstrip()
    return before.endswith(("&&", "||", "==", "+", "=", "(", "[", "return")) or re.match(r"(&&|\|\||==|!=|<=|>=|[-+*/<>&|^?:.]\s|\?\?|\.\w|[+\-*/] )", after) is not None


def skip(mask, i):
    while mask[i].isspace():
        i += 1
    return i


def back(mask, i):
    while mask[i - 1].isspace():
        i -= 1
    return i


def literals(source, mask):
    """Numbers (one more), Booleans (negated) and domain labels (another text, another label)."""
    for match in re.finditer(r"(?<![\w.$])(\d[\d_]*|0x[0-9A-Fa-f_]+)(?![\w.]*\w)(?!\.\d)", mask):
        line = mask[mask.rfind("\n", 0, match.start()) + 1:match.start()]
        if not re.search(r"@|#|\bcase\b[^:]*$", line):
            yield Place("changed constant", match.start(), match.end(), f"{match[1]} + 1")
    for match in re.finditer(r"(?<![\w.])(true|false)\b", mask):
        yield Place("negated Boolean", match.start(), match.end(), "false" if match[1] == "true" else "true")
    if "enum Label:" in source:
        for match in re.finditer(r'\bcase \w+ = (")', mask):
            end = string_end(source, match.start(1))
            yield Place("swapped label", match.start(1), end, source[match.start(1):end - 1] + ' x"')
    for match in re.finditer(r"\b(?:(?:as|label|hedgeLabel): |(?:derive|export)\()(\.[a-z]\w*)", mask):
        yield Place("swapped label", match.start(1), match.end(1), ".answer" if match[1] != ".answer" else ".request")
    for match in re.finditer(r"\bLabel(\.[a-z]\w*)(?=\.(?:bytes|text)\b)", mask):
        other = ".answer" if match[1] != ".answer" else ".request"
        yield Place("swapped label", match.start(), match.end(), "Label" + other)


def statements(mask):
    """Calls and assignments on lines of their own, which are dropped."""
    for match in re.finditer(
            r"^[ ]+((?:try |await |try await |_ = )?(?:unsafe )?([A-Za-z_][\w.]*)[?!]?(?:\[[^\]\n]*\])?(?:\(|\s[-+*|&^]?=\s))",
            mask, re.M):
        name = match[2]
        if name.split(".")[0] in NO_STATEMENT or name in NO_STATEMENT:
            continue
        # A property that an initializer does not set does not compile, and reserved memory shows in no result.
        owner = re.findall(r"\b(func|init|var|deinit|subscript)\b[^.\n]*[{(]", mask[:match.start()])
        if (owner and owner[-1] == "init" and match[1].rstrip().endswith("=")) or name.endswith("reserveCapacity"):
            continue
        before = mask[:match.start()].rstrip()
        head = before[before.rfind("\n") + 1:]
        if head.endswith("{") and re.search(r"->|\bvar\b", head) and mask[statement_end(mask, match.start(1)) or 0:].lstrip()[:1] == "}":
            continue  # The value of a function.
        if before and not re.search(r"[{};)\]\w\"?!]$", before):
            continue
        if re.search(r"\b(?:in|else|return|try|await)$", before) and not before.endswith("in"):
            continue
        start = match.start(1)
        end = statement_end(mask, start)
        if end is None:
            continue
        kind = "write" if WRITES.search(mask[start:end].split("(")[0]) else "statement"
        yield Place(f"dropped {kind}", start, end, "", off="statement")


def statement_end(mask, start):
    depth = 0
    for i in range(start, len(mask)):
        character = mask[i]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            if depth == 0:
                return back(mask, i)
            depth -= 1
        elif character == "\n" and depth == 0 and not continues(mask, i):
            return back(mask, i)
    return None


def bodies(mask):
    """The starts of functions that return early: nothing, true or nil."""
    for match in re.finditer(r"\bfunc\s+\w+[^{}]*?\{", mask):
        head = mask[match.start():match.end()]
        if head.count("(") != head.count(")"):
            continue
        result = re.search(r"->\s*([^{]+?)\s*\{$", head)
        body = mask[match.end():closing(mask, match.end())]
        if result is None:
            yield Place("returned early", match.end(), match.end(), "return", insertion=True)
        elif re.search(r"\breturn\b", body):
            if result[1] == "Bool":
                yield Place("returned early", match.end(), match.end(), "return true", insertion=True)
            elif result[1].endswith("?"):
                yield Place("returned early", match.end(), match.end(), "return nil", insertion=True)


def closing(mask, at):
    depth = 1
    for i in range(at, len(mask)):
        depth += {"{": 1, "}": -1}.get(mask[i], 0)
        if depth == 0:
            return i
    return len(mask)
