#!/usr/bin/env python3
"""Looks in compiled functions for what makes their running time depend on secrets.

  constant-time.py IR ASSEMBLY       the functions of a file, as LLVM's intermediate language and as assembly, both
                                     after optimization: prints each finding and exits with 1 when there is one

In the intermediate language, everything that is computed from a secret is followed. Secrets are all bytes that are
loaded from memory, except for the count in an array's header, and the arguments of functions called "mask". It is a
finding when a branch, a selection, an address, a division or a call depends on a secret, and when a result that depends
on a secret does not come through the barrier (an empty piece of inline assembly).

What the code generator adds is checked in the assembly: a function has its barriers there, calls nothing, and has no
more conditional jumps than conditional branches in the intermediate language. Knows Linux on x86_64 and aarch64.
"""
import re
import sys

DEFINE = re.compile(r"^define .*@\"?([^\"(]+)\"?\((.*)\) .*\{$")
VALUE = re.compile(r"%[\w.$-]+|%\"[^\"]+\"")
ASSIGN = re.compile(r"^\s+(%[\w.$-]+) = (.*)$")
# Calls that compute without a branch.
HARMLESS = re.compile(r"@llvm\.(assume|vector\.reduce\.\w+|umin|umax|lifetime\.\w+)\b|@llvm\.vector\.reduce")
JUMP = {
    "x86_64": re.compile(r"^\s+j(?!mp)[a-z]+\s"),
    "aarch64": re.compile(r"^\s+(b\.[a-z]+|cbn?z|tbn?z)\s"),
}
CALL = {"x86_64": re.compile(r"^\s+(call\w*|jmpq?)\s+(?!\.L)"), "aarch64": re.compile(r"^\s+(blr?|b|br)\s+(?!\.L)")}


class Function:
    def __init__(self, name, parameters):
        self.name = name
        self.parameters = [VALUE.findall(part)[-1] for part in parameters.split(", ") if VALUE.search(part)]
        self.lines = []

    def findings(self):
        """The findings in the intermediate language."""
        secret = set(self.parameters) if re.search(r"4mask", self.name) else set()
        exposed = set(secret)  # secrets that have not come through the barrier
        counts = set()
        for line in self.lines:  # the count in an array's header
            match = re.match(r"\s+(%\S+) = getelementptr inbounds.* i8, ptr (%\d+), i64 16$", line)
            if match and match[2] in self.parameters:
                counts.add(match[1])
        before = None
        while before != (len(secret), len(exposed)):
            before = (len(secret), len(exposed))
            for line in self.lines:
                match = ASSIGN.match(line)
                if not match:
                    continue
                target, operation = match.groups()
                used = set(VALUE.findall(operation.split(", !")[0]))
                is_secret_load = operation.startswith("load ") and not used & counts
                if is_secret_load or used & secret:
                    secret.add(target)
                if (is_secret_load or used & exposed) and " asm " not in operation:
                    exposed.add(target)
        for line in self.lines:
            match = ASSIGN.match(line)
            operation = match[2] if match else line.strip()
            used = set(VALUE.findall(operation.split(", !")[0]))
            word = operation.replace("tail ", "").replace("musttail ", "").split(" ")[0]
            if word == "br" and operation.startswith("br i1") and VALUE.findall(operation)[0] in secret:
                yield "a branch depends on a secret"
            elif word == "switch" and VALUE.findall(operation)[0] in secret:
                yield "a switch depends on a secret"
            elif word == "select" and VALUE.findall(operation)[0] in secret:
                yield "a selection depends on a secret"
            elif word == "load" and set(VALUE.findall(operation.split("ptr ")[-1])) & secret:
                yield "an address depends on a secret"
            elif word in {"udiv", "sdiv", "urem", "srem"} and used & secret:
                yield "a division depends on a secret"
            elif word in {"call", "invoke"} and " asm " not in operation and not HARMLESS.search(operation):
                yield "a function is called: " + operation
            elif word == "ret" and used & exposed:
                yield "the result does not come through the barrier"

    def count(self, pattern):
        return sum(bool(re.search(pattern, line)) for line in self.lines)


def functions(file):
    current = None
    for line in open(file):
        line = line.rstrip("\n")
        if match := DEFINE.match(line):
            current = Function(match[1], match[2])
        elif line == "}":
            if current and not re.search(r"(Ma|Mr|Wl)$|main$", current.name):  # metadata, not code of the file
                yield current
            current = None
        elif current:
            current.lines.append(line)


def assembly(file):
    """The lines of each function."""
    bodies, name = {}, None
    for line in open(file):
        line = line.rstrip("\n")
        if match := re.match(r'^"?([$_\w]+)"?:', line):
            name = match[1]
            bodies[name] = []
        elif re.match(r"^\.Lfunc_end", line):
            name = None
        elif name:
            bodies[name].append(line)
    return bodies


def main():
    bodies = assembly(sys.argv[2])
    processor = next(re.search('"([^-]+)', line)[1] for line in open(sys.argv[1]) if line.startswith("target triple"))
    found, names = [], []
    for function in functions(sys.argv[1]):
        names.append(function.name)
        for finding in dict.fromkeys(function.findings()):
            found.append((function.name, finding))
        body = bodies[function.name]
        jumps = sum(bool(JUMP[processor].match(line)) for line in body)
        if jumps > function.count(r"\bbr i1 "):
            found.append((function.name, "the code generator made a branch"))
        if any(CALL[processor].match(line) for line in body):
            found.append((function.name, "the code generator made a call"))
        if function.count(r" asm ") != sum("APP" in line and "NO_APP" not in line for line in body):
            found.append((function.name, "the code generator dropped a barrier"))
    for name, finding in found:
        print(f"{name}: {finding}")
    print(f"{len(names)} functions, {len(found)} findings")
    return 1 if found or not names else 0


sys.exit(main())
