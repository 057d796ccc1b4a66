#!/usr/bin/env python3
"""Writes a line of each kind of a file of the audit log in other spellings, and requires that witness.py refuses each by its number.

    spellings.py --key KEY export NOTE FILE
    spellings.py --key KEY pruned FILE
    spellings.py --key KEY extract FILE

The spellings mean the same line to a lenient reader of JSON: a member twice, an unknown member, white space, another order,
another number, another escape, capital digits. Prints how many were refused, or exits 1."""
import argparse, json, re

import witness

MEMBER = re.compile(r'\{("[A-Za-z]+":(?:"(?:[^"\\]|\\.)*"|[0-9]+))')
DIGITS = re.compile(r'("(?:id|subject|hmac)":")([0-9a-f]+)"')


def spellings(line):
    """The other spellings of a line, by name."""
    first = MEMBER.match(line)[1]
    yield "a member twice", "{" + first + "," + line[1:]
    yield "an unknown first member", '{"aa":1,' + line[1:]
    yield "an unknown last member", line[:-1] + ',"zz":null}'
    yield "a space", line.replace('":', '": ', 1)
    yield "a space at the end", line + " "
    yield "a carriage return", line + "\r"
    yield "another order", "{" + line[len(first) + 2:-1] + "," + first + "}"
    yield "a fraction", re.sub(r'(":[0-9]+)([,}])', r"\1.0\2", line, count=1)
    yield "an exponent", re.sub(r'(":[0-9]+)([,}])', r"\1e0\2", line, count=1)
    yield "an escape", re.sub(r'":"([A-Za-z0-9])', lambda match: f'":"\\u{ord(match[1]):04x}', line, count=1)
    yield "capital digits", DIGITS.sub(lambda match: match[1] + match[2].upper() + '"', line, count=1)
    yield "members in the HMAC", re.sub(r'("hmac":")[0-9a-f]{64}', r'\1a","zz":"' + "a" * 55, line)


def refusal(read, lines):
    """The text of a refusal; None for lines that are accepted."""
    try:
        read(lines)
    except witness.ERRORS as error:
        return str(error)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--key", required=True, type=witness.Key)
    parser.add_argument("kind", choices=("export", "pruned", "extract"))
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    key, (*notes, file) = options.key, options.files
    read = {
        "export": lambda lines: witness.verify_export(key, witness.read(notes[0]), lines),
        "pruned": lambda lines: witness.verify_pruned(key, lines),
        "extract": lambda lines: witness.verify_extract(key, lines),
    }[options.kind]
    lines = witness.lines_of(witness.read(file))
    assert refusal(read, lines) is None, "the file is refused as it is"
    count, names, kinds = 0, set(), set()
    for number, line in enumerate(lines, 1):
        # Lines with the same members are of one kind.
        kind = frozenset(json.loads(line))
        if kind in kinds:
            continue
        kinds.add(kind)
        for name, other in spellings(line):
            if other == line:
                continue
            text = refusal(read, lines[:number - 1] + [other] + lines[number:])
            assert text is not None and text.startswith(f"line {number}: "), f"{name} in line {number}: {text}: {other}"
            count += 1
            names.add(name)
    assert len(names) == (11 if options.kind == "extract" else 12), names
    if options.kind != "export":
        place = 0 if options.kind == "extract" else -1
        signed = re.sub(r'("checkpoint":"(?:[^"\\]|\\.)*)', lambda match: match[1] + "\u2014 w AAAAAAAA\\n", lines[place])
        assert signed != lines[place]
        lines[place] = signed
        assert refusal(read, lines) is not None, "a checkpoint with a further signature"
        count += 1
    print(f"{options.kind}: {count} other spellings refused")


main()
