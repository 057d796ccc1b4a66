#!/usr/bin/env python3
"""Approval requests, their answers and the pointers to them (article "Approval requests and answers").

Run as a program, it checks itself with the vectors of the package: it reads the pointer and the approval requests, verifies
the signature of one, answers it, and decodes its own answer.
"""
import hashlib
import json
import pathlib
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

import cose
import statements
import texts
from cose import encode, label, members, require
from device import OTHER, PASSWORD

APPROVED, REJECTED = 1, 0
NOT_ME, CANCELED, WRONG_DATA = 0, 1, 2
KINDS = {0: "login", 1: "transaction", 2: "event", 3: "seal"}
FIELDS = {0: "text", 1: "field", 2: "amount", 3: "currency", 4: "creditor", 5: "creditorAccount", 6: "remittance", 7: "time",
          8: "requester", 9: "place"}


class Pointer:
    """What a push message, a QR code or a stream carries: the beginning of the hash of the tenant, and an id."""

    def __init__(self, command):
        kind, self.tenant_hash, self.id = members(cose.decode(command), 3)
        require(kind == 6 and len(self.tenant_hash) == 8 and len(self.id) == 16, "a command that is not a pointer")

    def names(self, tenant):
        return self.tenant_hash == hashlib.sha256(tenant.encode()).digest()[:8]


class Approval:
    """An approval request whose signature has been verified, as a device shows it."""

    def __init__(self, sign1, keys, tenant, account, id):
        _, _, payload, _ = cose.tagged(sign1, cose.SIGN1, 4)
        (name, *place, kind, self.session, self.request, display, self.method, self.rejection, self.digits, self.created,
         self.expiry, self.record, principal, extensions) = members(cose.decode(payload), 16)
        payload, signers = keys.payload_of([sign1], "approval request")
        require(all(statements.is_valid(key, self.created) for key in signers), "a key that was not in use")
        require([name, *place] == ["approval", tenant, account, id], "an approval request of another place")
        cose.extensions(extensions)
        require(kind in KINDS and (display or kind != 1), "an unknown kind, or a transaction without a field")
        require(1_000 <= self.expiry - self.created <= 300_000, "an expiry that is not 1 to 300 seconds later")
        require(self.digits == 0 or 2 <= self.digits <= 8, "a number of digits that is not 2 to 8")
        self.principal_id, self.principal_name = members(principal, 2)
        require(len(self.principal_id.encode()) <= 64, "an id of a principal that is too long")
        require(1 <= len(self.principal_name) <= 64 and self.principal_name.strip(), "a name of a principal that is not 1 to 64")
        self.kind, self.display = KINDS[kind], [shown(field) for field in display]
        self.digest = hashlib.sha256(sign1).digest()

    def answer(self, device_key, device_id, time, number=None, reason=None, method=None, fallback=None):
        """Returns the signed answer: a rejection where a reason is given, otherwise an approval."""
        decision = APPROVED if reason is None else REJECTED
        require(len(number or "") == (self.digits if decision == APPROVED else 0), "a number that is missing or needless")
        requested = self.method if decision == APPROVED else self.rejection
        method = requested if method is None else method
        require((fallback is None) == (method == requested), "a fallback that is missing or needless")
        payload = ["answer", device_id, self.digest, method, fallback, decision, reason, number, time, {}]
        return cose.sign(device_key, "approval answer", encode(payload)), PASSWORD if method == 1 else OTHER


def shown(field):
    """Returns the name of the type of a field and its texts. A field that cannot be shown is refused."""
    kind, *values = field
    # The value of a free field may be empty.
    require(all(texts.is_shown(value) or (kind == 1 or kind >= 64) and value == "" for value in values if isinstance(value, str)),
            "a text that is not shown as it is")
    if kind in FIELDS:
        require(len(values) == (2 if kind == 1 else 1), "a field with a member more or less")
        return (FIELDS[kind], *values)
    require(kind >= 64 and 1 <= len(values) <= 2 and all(isinstance(value, str) for value in values), "a field that cannot be shown")
    return (str(kind), *values)


def pending(device):
    """Returns the ids of the approval requests that wait for an answer, the oldest first."""
    return [members(entry, 5)[0] for entry in device.ask("approval.list", [])[0]]


def fetch(device, id):
    sign1, = members(device.ask("approval.fetch", [id])[0], 1)
    return Approval(sign1, device.platform_keys, device.tenant, device.account, id)


def send(device, approval, time, **decision):
    """Answers an approval request, and returns the receipt."""
    sign1, instance = approval.answer(device.device_key, device.id, time, **decision)
    receipt, = members(device.ask("approval.answer", [sign1], instance)[0], 1)
    return receipt


def check():
    """Compares with the vectors."""
    texts.check()
    for field in ([4, "AC\u200bME"], [0, " "], [1, "\u3164", "x"]):
        try:
            shown(field)
            raise AssertionError("a text that is not shown was accepted")
        except cose.Refused:
            pass
    vectors = pathlib.Path(__file__).resolve().parents[2] / "Vectors"
    rows = json.loads((vectors / "wire" / "messages.json").read_text())["messages"]
    pointer = Pointer(next(bytes.fromhex(row["hex"]) for row in rows if row["type"] == "ApprovalPointer"))
    require(pointer.names("default") and not pointer.names("other"), "the tenant of the pointer")
    published = json.loads((vectors / "receipts" / "platform-keys.json").read_text())["statements"]
    lists = [cose.decode(cose.from_text(entry["statement"])) for entry in published]
    keys = statements.Statement(cose.tagged(lists[-1][0], cose.SIGN1, 4)[2])
    text = (vectors / "receipts" / "good.receipt").read_text().strip()
    sign1, answered, _ = members(cose.decode(cose.from_text(text)), 3)
    approval = Approval(sign1, keys, "default", "alice@master", pointer.id)
    require(("amount", "1234.50") in approval.display and approval.kind == "transaction", "what the user sees")
    require(approval.principal_name == "Example Shop", "the application server that asks")
    _, _, payload, _ = cose.tagged(answered, cose.SIGN1, 4)
    expected = members(cose.decode(payload), 10)
    key = ec.generate_private_key(ec.SECP256R1())
    answer, instance = approval.answer(key, expected[1], expected[8], number="042917")
    protected, _, made, signature = cose.tagged(answer, cose.SIGN1, 4)
    require(made == payload and instance == PASSWORD, "an answer other than that of the receipt")
    pair = utils.encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    covered = encode(["Signature1", protected, label("approval answer"), made])
    key.public_key().verify(pair, covered, ec.ECDSA(hashes.SHA256()))
    for account, id in (("bob@master", pointer.id), ("alice@master", bytes(16))):
        try:
            Approval(sign1, keys, "default", account, id)
            raise AssertionError("an approval request of another place was accepted")
        except cose.Refused:
            pass
    rejection, instance = approval.answer(key, expected[1], expected[8], reason=NOT_ME)
    decided = cose.decode(cose.tagged(rejection, cose.SIGN1, 4)[2])
    require(list(decided[3:8]) == [0, None, REJECTED, NOT_ME, None] and instance == OTHER, "a rejection")
    print("approvals: the pointer, the request and the answers agree with the vectors")


if __name__ == "__main__":
    try:
        check()
    except (InvalidSignature, cose.Refused) as error:
        sys.exit(f"approvals: {error or 'a signature that does not verify'}")
