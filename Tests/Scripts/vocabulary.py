#!/usr/bin/env python3
"""Lists words that the glossary replaces, citations of documents that are not in the repository, British spellings and
words for persons that stand for code. Prints every hit in Sources, DocC and README.md, and exits 1 when there is one.

The vocabulary is the article DocC/Orchestration.docc/Glossary.md. A hit that is right, such as the name of an Apple
framework, is listed in ALLOWED with its reason."""
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
    r"stepSeconds|step seconds|\bperiods?\b": "time step",
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
    r"\bforgets?\b|\bforgotten\b|forget\(": "lift, remove",
    r"\bunblock(?:s|ed|ing)?\b": "lift",
    r"\bden(?:y|ies|ied)\b|\bdeclin(?:e|es|ed|ing)\b": "refuse, reject",
    r"(?-i:\bOrder\b)|\borders (?:to approve|of the platform)": "approval request",
    r"\bwho(?:ever|se)?\b(?= (?:calls|reads|writes|keeps|gets|comes|asks|speaks|holds|adds|tests|depends))": "a noun",
    r"\b(?:nobody|somebody|whoever)(?:'s)?\b": "a noun",
}
CITATIONS = {
    r"\brequirements? [A-Z]\d+|\([A-Z]\d{1,2}(?:[,;] [A-Z]\d{1,2})*\)": "no requirement ids",
    r"PROTOCOL(?:\.md)? ?(?:§|\d|section)|STYLE(?:\.md)? ?(?:§|\d)|\bARCHITECTURE\b|\bREQUIREMENTS\b|REST-API\.md": (
        "an article, a source file or a public standard"),
}
SPELLING = {
    r"\b\w*(?:behaviour|catalogue|cancelled|cancelling|colour|favour|honour|neighbour)\w*": "American spelling",
    r"\b\w*(?:normalis|recognis|optimis|synchronis|authoris|initialis|serialis|randomis|minimis|maximis|organis|"
    r"parameteris|specialis|utilis|generalis|enrolment)\w*|\benrol\b": "American spelling",
}

# (path, line): hits that are right.
ALLOWED = [
    # The name of an Apple framework.
    (r"\.swift$", r"import LocalAuthentication|canImport\(LocalAuthentication\)"),
    # Labels and names on the wire.
    (r"", r'"chain"|chain start|device\.chain'),
    # The article that says which words are not used, and the standard's name of a URI parameter.
    (r"OneTimePassword/Credentials/", r"period"),
    # The verb of the command line, its output, and its documentation.
    (r"", r"user unblock|UserUnblock|\"unblock\"|unblock USER|\"unblocked\""),
    # Names in databases and sealed rows of earlier versions, which migrations still read.
    (r"TrustedIdentitySQLite/Schema/", r"chain|untold|to be forgotten"),
    (r"Keys/RowSealer\.swift", r"activation-code\.secret"),
    # Names of the public REST API.
    (r"", r"declineReason|decline reason"),
    # API of the standard library and of Foundation.
    (r"\.swift$", r"isCancelled"),
    # The algorithm P-256 and the curve names of RFC 7748 in parentheses are no requirement ids.
    (r"", r"\((?:P256|A256|X448|E521|N15)\)"),
]


def allowed(path, line):
    return any(re.search(p, path) and re.search(text, line) for p, text in ALLOWED)


def lines(path):
    return path.read_text().splitlines()


def main():
    files = [ROOT / "README.md"]
    for folder in ["Sources", "DocC"]:
        files += [f for f in sorted((ROOT / folder).rglob("*")) if f.suffix in {".swift", ".md", ".c", ".h"}]
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
                match = pattern.search(line)
                if match and not allowed(name, line):
                    hits += 1
                    print(f"{name}:{number}: {match[0]!r}: use {use}: {line.strip()[:120]}")
    print(f"vocabulary: {hits} hits in {len(files)} files")
    sys.exit(1 if hits else 0)


main()
