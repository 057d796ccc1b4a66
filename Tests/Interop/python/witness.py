#!/usr/bin/env python3
"""A witness of the audit log: checks what 'trusted-identity audit' prints, without code of the platform (RFC 6962, RFC 9162,
C2SP signed-note, tlog-checkpoint and tlog-proof; article "The tree of the audit log").

    witness.py checkpoint --key KEY NOTE                 a signed checkpoint
    witness.py entry --key KEY PROOF [--export FILE]     an entry, and that it is the one of an exported log
    witness.py growth --key KEY EARLIER PROOF            a later checkpoint, whose log begins with that of an earlier one
    witness.py export --key KEY NOTE FILE                an exported log, whose entries have the root of a checkpoint
    witness.py pruned --key KEY FILE...                  files of pruned entries, each alone and as they follow one another
    witness.py extract --key KEY FILE                    the entries of a user, each with its proof
    witness.py vectors                                   published vectors

KEY is what 'audit key' prints. Exits 0 and prints what was verified, or exits 1 and says what is wrong."""
import argparse, base64, hashlib, json, sys

import cbor2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

LABEL = "swift-orchestration/1 audit entry"
ENTRY = {"sequence": int, "id": bytes, "time": int, "event": str, "account": str, "device": bytes, "reason": str,
         "subject": bytes, "actor": str, "correlationID": str, "address": str, "decision": bytes}
SUMMARY = {"checkpoint": str, "first": int, "last": int, "peaks": list, "platform": str, "rows": int, "tenant": str,
           "version": int, "hmac": bytes}
HEADER = {"checkpoint": str, "extract": int, "pruned": int, "rows": int, "subject": bytes, "user": str}


class Refused(Exception):
    pass


ERRORS = (Refused, InvalidSignature, ValueError, KeyError, IndexError, TypeError, StopIteration, cbor2.CBORDecodeError)


def require(holds, why):
    if not holds:
        raise Refused(why)


def sha256(data):
    return hashlib.sha256(data).digest()


def leaf_hash(data):
    return sha256(b"\0" + data)


def node_hash(left, right):
    return sha256(b"\1" + left + right)


def root_of(hashes):
    """MTH of RFC 6962, section 2.1, over the hashes of leaves."""
    if not hashes:
        return sha256(b"")
    while len(hashes) > 1:
        pairs = [node_hash(a, b) for a, b in zip(hashes[::2], hashes[1::2])]
        hashes = pairs + hashes[len(hashes) & ~1:]
    return hashes[0]


def root_of_path(leaf, index, size, path):
    """RFC 9162, section 2.1.3.2."""
    require(0 <= index < size, "an index outside of the tree")
    node, last, value = index, size - 1, leaf
    for sibling in path:
        require(last > 0, "a proof that is too long")
        if node & 1 or node == last:
            value = node_hash(sibling, value)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            value = node_hash(value, sibling)
        node, last = node >> 1, last >> 1
    require(last == 0, "a proof that is too short")
    return value


def check_growth(first, first_root, second, second_root, path):
    """RFC 9162, section 2.1.4.2."""
    require(0 < first <= second, "sizes that are not in order")
    if first == second:
        return require(not path and first_root == second_root, "another root of the same size")
    path = ([first_root] if first & (first - 1) == 0 else []) + path
    require(path, "an empty proof")
    node, last = first - 1, second - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    old = new = path[0]
    for value in path[1:]:
        require(last > 0, "a proof that is too long")
        if node & 1 or node == last:
            old, new = node_hash(value, old), node_hash(value, new)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            new = node_hash(new, value)
        node, last = node >> 1, last >> 1
    require(last == 0, "a proof that is too short")
    require(old == first_root, "the log does not begin with that of the earlier checkpoint")
    require(new == second_root, "the proof does not have the root of the checkpoint")


def base64_bytes(text):
    data = base64.b64decode(text, validate=True)
    require(base64.b64encode(data).decode() == text, "base64 that is not canonical")
    return data


class Key:
    """A verifier key of C2SP signed-note: name+id+base64(algorithm, key)."""

    def __init__(self, text):
        self.name, self.id, key = text.strip().split("+", 2)
        key = base64_bytes(key)
        require(key[:1] == b"\1" and len(key) == 33, "a key that is not one of Ed25519")
        require(sha256(self.name.encode() + b"\n" + key).hex()[:8] == self.id, "an id that is not that of the key")
        self.key = Ed25519PublicKey.from_public_bytes(key[1:])

    def text_of(self, note):
        """Returns the text of a note that the key has signed."""
        text, separator, rest = note.rpartition("\n\n")
        require(separator and note.endswith("\n"), "a text that is no signed note")
        text += "\n"
        for line in rest[:-1].split("\n"):
            dash, name, signature = line.split(" ")
            require(dash == "\u2014" and name, "a line that is no signature")
            signature = base64_bytes(signature)
            if name == self.name and signature[:4].hex() == self.id:
                self.key.verify(signature[4:], text.encode())
                return text
        raise Refused("a note without a signature of the key")


def checkpoint(key, note):
    origin, size, root, end = key.text_of(note).split("\n")
    # After a restore, the time of the restore follows the name of the keys.
    name, _, time = origin.rpartition("/")
    is_own = origin == key.name or name == key.name and str(int(time)) == time
    require(end == "" and is_own and str(int(size)) == size and int(size) >= 0, "a text that is no checkpoint")
    root = base64_bytes(root)
    require(len(root) == 32, "a root that does not have 32 bytes")
    return int(size), root


def file_checkpoint(key, note):
    """The checkpoint of a file, which has no line that nothing verifies: the platform alone has signed it."""
    require(note.count("\n") == 5, "a checkpoint of a file with more than one signature")
    return checkpoint(key, note)


def proof(text):
    """Returns the lines before the hashes, the hashes, and the note."""
    head, separator, note = text.partition("\n\n")
    require(separator, "a proof without a checkpoint")
    lines = head.split("\n")
    start = next(n + 1 for n, line in enumerate(lines) if line.startswith(("index ", "old ")))
    return lines[:start], [base64_bytes(line) for line in lines[start:]], note


def entry_of(leaf):
    items = cbor2.loads(leaf)
    require(cbor2.dumps(items, canonical=True) == leaf, "a leaf that is not deterministic CBOR")
    require(isinstance(items, list) and len(items) == 12 and items[0] == LABEL, "a leaf that is no entry")
    return items


def lines_of(text):
    """The lines of a file, each of which ends with a line feed and no other character."""
    require(text.endswith("\n"), "a file without a line feed at its end")
    return text[:-1].split("\n")


def in_line(number, read, *arguments, **options):
    """What is read from a line. The refusal names the line."""
    try:
        return read(*arguments, **options)
    except ERRORS as error:
        raise Refused(f"line {number}: {error or type(error).__name__}")


def canonical(line):
    """The members of a line, which has its one form: sorted, none twice, without spaces."""
    members = json.loads(line)
    require(isinstance(members, dict), "a line that is not an object")
    form = json.dumps(members, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    require(form == line, "a line that is not in its canonical form")
    return members


def require_members(members, types, optional=()):
    """The members of a line are those of its form, each of its type. Ids are lower-case hexadecimal digits."""
    require(members.keys() <= types.keys(), "a line with an unknown member")
    for name, kind in types.items():
        if name in optional and name not in members:
            continue
        value = members[name]
        is_id = kind is bytes and isinstance(value, str) and bytes.fromhex(value).hex() == value
        require(is_id or type(value) is kind, f"a line whose {name} is not in its form")


def entry_line(line, **further):
    """The members of the line of an entry."""
    members = canonical(line)
    require_members(members, {**ENTRY, **further}, ENTRY.keys() - {"sequence", "id", "time", "event"})
    require(members.get("reason") != "", "an empty reason")
    return members


def summary_of(line):
    """The members of the last line, which has its HMAC after all others."""
    members = json.loads(line)
    require(isinstance(members, dict), "a line that is not an object")
    code = members.pop("hmac")
    form = json.dumps(members, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    require(f'{form[:-1]},"hmac":"{code}"}}' == line, "a last line that is not in its canonical form")
    require_members({**members, "hmac": code}, SUMMARY, ("checkpoint", "peaks"))
    require(len(code) == 64 and members["version"] == 1, "an HMAC of another length, or another version")
    require(members["rows"] == members["last"] - members["first"] + 1, "a wrong number of entries")
    return members


def leaves_of(lines):
    """The data of the leaves of an exported log."""
    entries = [in_line(number, entry_line, line) for number, line in enumerate(lines[:-1], 1)]
    summary = in_line(len(lines), summary_of, lines[-1])
    numbers = [entry["sequence"] for entry in entries]
    require(numbers == list(range(summary["first"], summary["last"] + 1)), "an entry with another number")
    return [leaf_of(entry, summary["tenant"]) for entry in entries]


def leaf_of(entry, tenant):
    """The data of the leaf of an entry, from its line."""
    binary = lambda name: bytes.fromhex(entry[name]) if name in entry else None
    return cbor2.dumps([
        LABEL, tenant, binary("id"), entry["time"], entry["event"], binary("subject"), binary("device"),
        entry.get("reason", ""), entry.get("actor"), entry.get("correlationID"), entry.get("address"), binary("decision"),
    ], canonical=True)


def tenant_of(key):
    """The tenant of the log, which is the last part of the name of its keys."""
    return key.name.split("/", 3)[3].replace("%2F", "/").replace("%2B", "+").replace("%25", "%")


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def verify_entry(key, text, export=None):
    (version, extra, index), hashes, note = proof(text)
    require(version == "c2sp.org/tlog-proof@v1" and extra.startswith("extra "), "a text that is no proof of an entry")
    size, root = checkpoint(key, note)
    require(f"index {int(index[6:])}" == index, "an index in another spelling")
    leaf, index = base64_bytes(extra[6:]), int(index[6:])
    entry = entry_of(leaf)
    require(root_of_path(leaf_hash(leaf), index, size, hashes) == root, "the entry is not in the log of the checkpoint")
    if export is not None:
        require(leaves_of(export)[index] == leaf, "the entry is not that of the exported log")
    return index + 1, entry[4]


def verify_growth(key, earlier, text):
    (old,), hashes, note = proof(text)
    first, first_root = checkpoint(key, earlier)
    second, second_root = checkpoint(key, note)
    require(old == f"old {first}", "a proof from another size")
    check_growth(first, first_root, second, second_root, hashes)
    return first, second


def verify_export(key, note, lines):
    size, root = checkpoint(key, note)
    leaves = leaves_of(lines)
    require(len(leaves) >= size, "an exported log that ends before the checkpoint")
    require(root_of([leaf_hash(leaf) for leaf in leaves[:size]]) == root, "the exported log has another root")
    return size


def join(nodes, start, size, value):
    """Appends a complete subtree to those before it: [(start, size, hash)], in the order of their leaves."""
    while nodes and nodes[-1][1] == size and nodes[-1][0] % (2 * size) == 0:
        start, _, left = nodes.pop()
        size, value = 2 * size, node_hash(left, value)
    nodes.append((start, size, value))


def root_of_nodes(nodes):
    if not nodes:
        return sha256(b"")
    value = nodes[-1][2]
    for _, _, left in reversed(nodes[:-1]):
        value = node_hash(left, value)
    return value


def verify_pruned(key, lines):
    """A file of pruned entries, without the others. Returns the first entry, the root before it, the last one and its root."""
    leaves, summary = leaves_of(lines), summary_of(lines[-1])
    require(summary["tenant"] == tenant_of(key), "a file of another tenant")
    first, last = summary["first"], summary["last"]
    size, root = in_line(len(lines), file_checkpoint, key, summary["checkpoint"])
    require(not any("account" in json.loads(line) for line in lines[:-1]), "a line with a name, which is in no leaf")
    require(size == last and len(leaves) == last - first + 1, "a checkpoint that is not the one at the last entry")
    sizes = [1 << bit for bit in reversed(range(64)) if first - 1 & 1 << bit]
    peaks = [base64_bytes(peak) for peak in reversed(summary["peaks"])]
    require(len(peaks) == len(sizes), "a wrong number of peaks")
    nodes, start = [], 0
    for count, peak in zip(sizes, peaks):
        nodes.append((start, count, peak))
        start += count
    before = root_of_nodes(nodes)
    for number, leaf in enumerate(leaves, first):
        join(nodes, number - 1, 1, leaf_hash(leaf))
    require(root_of_nodes(nodes) == root, "the entries do not have the root of the checkpoint")
    return first, before, last, root


def verify_pruned_files(key, files):
    parts = sorted(verify_pruned(key, lines) for lines in files)
    for earlier, later in zip(parts, parts[1:]):
        require(later[0] == earlier[2] + 1 and later[1] == earlier[3], "files that do not follow one another")
    return parts[0][0], parts[-1][2]


def verify_extract(key, lines):
    """The entries of one user, without the others. Returns their number and the size of the log."""
    header = in_line(1, canonical, lines[0])
    in_line(1, require_members, header, HEADER)
    entries = [in_line(number, entry_line, line, proof=list) for number, line in enumerate(lines[1:], 2)]
    require(header["extract"] == 1 and header["rows"] == len(entries), "an extract that is not complete")
    size, root = in_line(1, file_checkpoint, key, header["checkpoint"])
    last = header["pruned"]
    for entry in entries:
        leaf = leaf_of(entry, tenant_of(key))
        require(entry["subject"] == header["subject"], "an entry of another user")
        require(entry["sequence"] > last, "entries out of order")
        last = entry["sequence"]
        path = [base64_bytes(value) for value in entry["proof"]]
        require(root_of_path(leaf_hash(leaf), last - 1, size, path) == root, f"entry {last} is not in the log")
    return len(entries), size


def check_vectors():
    # The reference tests of Certificate Transparency.
    inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    hashes = [leaf_hash(bytes.fromhex(each)) for each in inputs]
    require(root_of(hashes).hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328", "root of 8 leaves")
    require(root_of(hashes[:5]).hex() == "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4", "root of 5 leaves")
    # The example of the package golang.org/x/mod/sumdb/note.
    key = Key("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
    signature = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
    require(key.text_of(f"{text}\n\u2014 PeterNeumann {signature}\n") == text, "the text of the note")
    try:
        key.text_of(f"{text[:-2]}!\n\n\u2014 PeterNeumann {signature}\n")
    except InvalidSignature:
        return
    raise Refused("a changed note is accepted")


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    for name, files in (("checkpoint", ["note"]), ("entry", ["proof"]), ("growth", ["earlier", "proof"]),
                        ("export", ["note", "file"]), ("pruned", []), ("extract", ["file"]), ("vectors", [])):
        command = commands.add_parser(name)
        if name != "vectors":
            command.add_argument("--key", required=True)
        if name == "pruned":
            command.add_argument("files", nargs="+")
        if name == "entry":
            command.add_argument("--export")
        for file in files:
            command.add_argument(file)
    options = parser.parse_args()
    try:
        if options.command == "vectors":
            check_vectors()
            return print("the published vectors are right")
        key = Key(options.key)
        if options.command == "checkpoint":
            size, root = checkpoint(key, read(options.note))
            print(f"size {size} root {root.hex()}")
        elif options.command == "entry":
            export = lines_of(read(options.export)) if options.export else None
            number, event = verify_entry(key, read(options.proof), export)
            print(f"entry {number} {event}")
        elif options.command == "growth":
            print("from {} to {}".format(*verify_growth(key, read(options.earlier), read(options.proof))))
        elif options.command == "extract":
            print("{} entries in the log of {}".format(*verify_extract(key, lines_of(read(options.file)))))
        elif options.command == "pruned":
            first, last = verify_pruned_files(key, [lines_of(read(file)) for file in options.files])
            print(f"entries {first} to {last}")
        else:
            print(f"{verify_export(key, read(options.note), lines_of(read(options.file)))} entries")
    except ERRORS as error:
        sys.exit(f"refused: {error or type(error).__name__}")


if __name__ == "__main__":
    main()
