#!/usr/bin/env python3
"""Lists words that the glossary replaces, citations of documents that are not in the repository, British spellings and
words for persons that stand for code. Prints every hit in Sources, Tests, Benchmarks, DocC, .ci, Package.swift, README.md
and CONTRIBUTING.md, and exits 1 when there is one.

The vocabulary is the article DocC/Orchestration.docc/Glossary.md. A hit that is right, such as the name of an Apple
framework, is listed in ALLOWED with its reason. In Tests, string literals are not searched: they are data, such as names
of users and of URI parameters."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What to look for, and what to use instead.
WORDS = {
    r"activation[ -]?codes?\b|activationCode|ActivationCode": "activation password",
    r"\bpin code\b": "password, PIN policy",
    r"forward chain|dormant roll|\bchains?\b|chain(?:Index|Outdated|Unknown|State)": "key ratchet",
    r"local authentication\b|LocalAuthentication|codeReady|\bcode ready\b": "one-time password result",
    r"(?<!crypto )(?<!Crypto)\bapplication index": "crypto application index",
    r"\bstepSeconds|step seconds|\bperiods?\b": "time step",
    r"\bseats?\b|\btickets?\b|FlowSeat|FlowTicket": "flow registry, flow lease",
    r"\b(?:un)?told\b": "pending events",
    r"\bgates?\b|\badmissions?\b|\bdoors?\b": "request limiter, charge",
    r"activation room|ActivationRoom|\brooms?\b": "session quota",
    r"\bdoubts?\b|ClockDoubt": "clock candidate",
    r"\bhandovers?\b|Handover": "one-shot secret",
    r"\bdormitor(?:y|ies)\b|Dormitory": "sleep queue",
    r"\bdeciding\s*[{(]": "retryingConflicts",
    r"\bmust\(": "requireWritten",
    r"\bcomplain(?:s|ts?)?\b|Complaint": "error report",
    r"\bforgets?\b|forget\(": "lift, remove",
    r"\bunblock(?:s|ed|ing)?\b": "lift",
    r"\bden(?:y|ies|ied)\b|\bdeclin(?:e|es|ed|ing)\b": "refuse, reject",
    r"(?-i:\bOrder\b)|\borders (?:to approve|of the platform)": "approval request",
    r"\bwho(?:ever|se)?\b(?= (?:calls|reads|writes|keeps|gets|comes|asks|speaks|holds|adds|tests|depends))": "a noun",
    r"\b(?:nobody|somebody|whoever)(?:'s)?\b": "a noun",
    r"\bany more\b": "no longer",
    r"\bin (?:the )?place of\b": "instead of",
    r"\b(?:greatest|least) (?:number|length|size|age)\b": "maximum, minimum",
}
CITATIONS = {
    r"\brequirements? [A-Z]\d+|\([A-Z]\d{1,2}(?:[,;] [A-Z]\d{1,2})*\)": "no requirement ids",
    r"PROTOCOL(?:\.md)? ?(?:§|\d|section)|STYLE(?:\.md)? ?(?:§|\d)|\bARCHITECTURE\b|\bREQUIREMENTS\b|REST-API\.md": (
        "an article, a source file or a public standard"),
    r"\b(?:as )?the issue (?:asks|says|demands)\b|\bthe protocol's page\b": (
        "an article, a source file or a public standard"),
}
SPELLING = {
    r"\b\w*(?:behaviour|catalogue|cancelled|cancelling|colour|favour|honour|neighbour)\w*": "American spelling",
    r"\b\w*(?:normalis|recognis|optimis|synchronis|authoris|initialis|serialis|randomis|minimis|maximis|organis|"
    r"parameteris|specialis|utilis|generalis|enrolment)\w*|\benrol\b": "American spelling",
    r"\b\w*(?:travell|signall|labell|modell)(?:ed|ing)\w*|\blicences?\b|\bartefacts?\b|\bdefence\b|"
    r"\banalys(?:e|ed|es|ing)\b|\b(?:spoilt|learnt|burnt)\b": "American spelling",
}

# String literals without literals inside their interpolations. In Python, three quotes begin a comment.
LITERAL = re.compile(r'(?<!")"(?:[^"\\\n]|\\.)+"(?!")')
SWIFT_LITERAL = re.compile(r'""".*?"""|' + LITERAL.pattern, re.S)

# (path, text): a hit within such a text is right.
ALLOWED = [
    # The name of an Apple framework.
    (r"\.swift$", r"import LocalAuthentication|canImport\(LocalAuthentication\)"),
    (r"\.ci/imports\.csv$", r"LocalAuthentication"),
    # Labels and names on the wire.
    (r"", r'"chain"|chain start|device\.chain'),
    # The names of the other SDK.
    (r"MigratingFromACallbackSDK\.md$", r"LocalAuthentication(?:Parameters|Delegate)|startLocalAuthentication"),
    # The standard's name of a URI parameter.
    (r"OneTimePassword/Credentials/", r"period"),
    # The verb of the command line, its output, and its documentation.
    (r"", r"user unblock|UserUnblock|\"unblock\"|unblock USER|\"unblocked\""),
    (r"", r"--forget-sources"),
    # A name in sealed rows.
    (r"Keys/DataKeys/RowSealer\.swift", r"activation-code\.secret"),
    # Names of the public REST API.
    (r"", r"declineReason|decline reason"),
    # API of the standard library and of Foundation.
    (r"\.swift$|Client/AskingTheUser\.md$", r"isCancelled"),
    # The algorithm P-256 and the curve names of RFC 7748 in parentheses are no requirement ids.
    (r"", r"\((?:P256|A256|X448|E521|N15)\)"),
]


def allowed(path, line, hit):
    return any(
        text.start() <= hit.start() and hit.end() <= text.end()
        for place, pattern in ALLOWED if re.search(place, path) for text in re.finditer(pattern, line))


def is_searched(path):
    # This file is the list of words.
    if not path.is_file() or path == pathlib.Path(__file__).resolve():
        return False
    if path.suffix in {".swift", ".md", ".c", ".h", ".py", ".sh", ".proto"}:
        return True
    # Scripts without a suffix, and tables.
    folders = {folder.relative_to(ROOT).as_posix() for folder in path.parents if folder.is_relative_to(ROOT)}
    return path.suffix in {"", ".csv"} and bool(folders & {"Tests/Scripts", "Benchmarks", ".ci"})


def lines(path):
    """Returns the lines of a file. In Tests, string literals are empty; the place of each line stays the same."""
    text = path.read_text()
    if ROOT / "Tests" in path.parents and path.suffix != ".md":
        literals = SWIFT_LITERAL if path.suffix == ".swift" else LITERAL
        text = literals.sub(lambda literal: '"' + "\n" * literal[0].count("\n") + '"', text)
    return text.splitlines()


def main():
    files = [ROOT / name for name in ["README.md", "CONTRIBUTING.md", "Package.swift"]]
    for folder in ["Sources", "Tests", "Benchmarks", "DocC", ".ci"]:
        files += [f for f in sorted((ROOT / folder).rglob("*")) if is_searched(f)]
    patterns = [
        (re.compile(pattern, flags), use)
        for table, flags in ((WORDS, re.I), (CITATIONS, 0), (SPELLING, re.I))
        for pattern, use in table.items()
    ]
    hits = 0
    for file in files:
        name = file.relative_to(ROOT).as_posix()
        for number, line in enumerate(lines(file), 1):
            for pattern, use in patterns:
                for match in pattern.finditer(line):
                    if allowed(name, line, match):
                        continue
                    hits += 1
                    print(f"{name}:{number}: {match[0]!r}: use {use}: {line.strip()[:120]}")
    print(f"vocabulary: {hits} hits in {len(files)} files")
    sys.exit(1 if hits else 0)


main()
