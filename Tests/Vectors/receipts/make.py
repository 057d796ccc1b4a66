#!/usr/bin/env python3
"""Makes the receipts of this folder from the articles "Approval requests and answers" and "Receipts": one that is valid and
thirteen that are not, each with the step that fails. Needs Python 3.9 and the package "cryptography".
"""
import base64
import hashlib
import json
import pathlib
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from deterministic import cbor, tagged  # noqa: E402

DAY = 86_400_000
START = 1_790_000_000_000
ROTATION, CREATED = START + 100 * DAY, START + 200 * DAY
TENANT, ACCOUNT = "default", "alice@master"
DEVICE, APPROVAL, RECORD = bytes([0x33]) * 16, bytes([0x51]) * 16, bytes([0x52]) * 16


def seed(number):
    return ed25519.Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)


def public(key):
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def key_id(key):
    return hashlib.sha256(public(key)).digest()[:8]


OLD, NEW, STRANGER = seed(1), seed(2), seed(3)
DEVICE_KEY, OTHER_DEVICE_KEY = ec.derive_private_key(0x1234, ec.SECP256R1()), ec.derive_private_key(0x5678, ec.SECP256R1())


def sign1(protected, payload, label, sign):
    protected = cbor(protected)
    covered = cbor(["Signature1", protected, b"swift-orchestration/1 " + label.encode(), payload])
    return bytes(tagged(18, [protected, {}, payload, sign(covered)]))


def by_platform(payload, label, key=NEW):
    return sign1({1: -19, 4: key_id(key)}, payload, label, key.sign)


def by_device(payload, key=DEVICE_KEY):
    def sign(covered):
        algorithm = ec.ECDSA(hashes.SHA256(), deterministic_signing=True)
        r, s = utils.decode_dss_signature(key.sign(covered, algorithm))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    return sign1({1: -9}, payload, "approval answer", sign)


# The statements of the platform: a first key, and its successor.
def statements():
    def stated(key, begin, end=None):
        return [key_id(key), 0, -19, public(key), begin, end]

    first = cbor([1, None, START, [stated(OLD, START)], {}])
    keys = sorted([stated(OLD, START, ROTATION), stated(NEW, ROTATION)])
    second = cbor([2, hashlib.sha256(first).digest(), ROTATION, keys, {}])
    return [[by_platform(payload, "key statement", OLD)] for payload in (first, second)]


# The parts of a receipt
FIELDS = [[1, "Reference", "Invoice 17"], [2, "1234.50"], [3, "EUR"], [4, "Zoë’s Café"], [5, "DE89370400440532013000"]]


def request(fields=FIELDS):
    return cbor([
        "approval", TENANT, ACCOUNT, APPROVAL, 1, "session 7", "r-1", fields, 1, 0, 6, CREATED, CREATED + 120_000, RECORD,
        ["0123456789abcdef", "Example Shop"], {},
    ])


def answer(asked, approves=True, time=CREATED + 9_000):
    return cbor([
        "answer", DEVICE, hashlib.sha256(asked).digest(), 1 if approves else 0, None, 1 if approves else 0,
        None if approves else 0, "042917" if approves else None, time, {},
    ])


def confirmation(asked, answered, account=ACCOUNT, outcome=1, verified=1, time=CREATED + 10_000, extensions=None):
    point = DEVICE_KEY.public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
    return cbor([
        "receipt", TENANT, account, DEVICE, [-9, point], hashlib.sha256(asked).digest(), hashlib.sha256(answered).digest(),
        verified, outcome, time, RECORD, extensions or {},
    ])


def altered(data, place):
    """The bytes with one bit changed."""
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1:]


def receipts():
    asked = by_platform(request(), "approval request")
    answered = by_device(answer(asked))
    confirmed = confirmation(asked, answered)

    def receipt(asked=asked, answered=answered, confirmed=confirmed, key=NEW):
        return cbor([asked, answered, [by_platform(confirmed, "receipt", key)]])

    def consistent(asked=asked, answered=None, **values):
        """A receipt whose hashes are right, with something else that is not."""
        answered = answered or by_device(answer(asked))
        return receipt(asked, answered, confirmation(asked, answered, **values))

    good = receipt()
    # The digit after "1" of the amount, and the request as it would be signed by another key.
    changed = altered(asked, asked.index(b"1234.50") + 1)
    # The first letter of the name of the application server. All hashes are right.
    renamed = altered(asked, asked.index(b"Example Shop"))
    forged = by_platform(request([[0, "nothing"]]), "approval request", STRANGER)
    rejection = by_device(answer(asked, approves=False))
    return [
        ("good", None, None, good),
        ("truncated", 1, "malformed", good[:-1]),
        ("critical-extension", 1, "malformed", consistent(extensions={-1: 0})),
        ("altered-confirmation", 2, "confirmationNotAuthentic", altered(good, len(good) - 1)),
        ("replaced-key", 2, "confirmationKeyNotValid", receipt(key=OLD)),
        ("unknown-key", 2, "confirmationKeyUnknown", receipt(key=STRANGER)),
        ("altered-amount", 3, "otherRequest", receipt(asked=changed)),
        ("other-answer", 3, "otherAnswer", receipt(answered=by_device(answer(asked, time=CREATED + 9_001)))),
        ("forged-request", 4, "requestKeyUnknown", consistent(asked=forged)),
        ("altered-principal", 4, "requestNotAuthentic", consistent(asked=renamed)),
        ("forged-answer", 5, "answerNotAuthentic", consistent(answered=by_device(answer(asked), OTHER_DEVICE_KEY))),
        ("other-account", 6, "otherAccount", consistent(account="bob@master")),
        ("rejected-as-approved", 7, "wrongOutcome", consistent(answered=rejection, verified=0)),
        ("late", 8, "wrongTime", consistent(time=CREATED + 120_001)),
    ]


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def main():
    keys = {"statements": [{"sequence": n, "statement": text(cbor(each))} for n, each in enumerate(statements(), 1)]}
    (HERE / "platform-keys.json").write_text(json.dumps(keys, indent=2) + "\n")
    rows = []
    for name, step, code, receipt in receipts():
        (HERE / (name + ".receipt")).write_text(text(receipt) + "\n")
        rows.append({"name": name, "step": step, "code": code})
    lines = ",\n".join("  " + json.dumps(row) for row in rows)
    (HERE / "receipts.json").write_text(f"[\n{lines}\n]\n")


main()
