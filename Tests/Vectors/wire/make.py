#!/usr/bin/env python3
"""Makes messages.json of this folder from the protocol articles: every message, and what a receiver must refuse.

It is written from the article "The messages" and shares nothing with the package. Needs Python 3.9.
"""
import hashlib
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from deterministic import Map, Raw, cbor, tagged  # noqa: E402

TOO_BIG = 1 << 63
messages, refused = [], []


def fill(byte, count):
    return bytes([byte]) * count


def wrong(count):
    """Bytes of a wrong length."""
    return fill(1, count)


def put(value, path, new):
    """A copy of nested lists and maps with one member replaced; DROP removes it."""
    step, rest = path[0], path[1:]
    copy = dict(value) if isinstance(value, dict) else list(value)
    new = put(copy[step], rest, new) if rest else new
    if new is DROP:
        del copy[step]
    else:
        copy[step] = new
    return copy


DROP = object()


def good(kind, name, value):
    messages.append({"type": kind, "name": name, "hex": cbor(value).hex()})


def bad(kind, why, code, value):
    refused.append({"type": kind, "why": why, "code": code, "hex": cbor(value).hex()})


def bad_rows(kind, base, rows):
    for why, code, path, new in rows:
        bad(kind, why, code, put(base, path, new))


def bad_counts(kind, base):
    bad(kind, "a member more", "unexpectedCount", base + [0])
    bad(kind, "a member less", "unexpectedCount", base[:-1])


def extension_rows(at):
    """The extensions that every message with extensions refuses."""
    return [
        ("an unknown critical extension", "unknownCriticalExtension", [at], {-1: None}),
        ("an unknown critical extension after others", "unknownCriticalExtension", [at], {0: 1, 7: "x", -300: []}),
        ("the smallest critical extension", "unknownCriticalExtension", [at], {-TOO_BIG: 0}),
        ("a critical extension beyond 63 bits", "integerOutOfRange", [at], {-TOO_BIG - 1: 0}),
        ("an extension beyond 63 bits", "integerOutOfRange", [at], {TOO_BIG: 0}),
        ("an extension with a text as key", "unexpectedType", [at], {"1": 0}),
        ("an extension twice", "duplicateMapKey", [at], Map([(1, 0), (1, 0)])),
        ("extensions not in order", "unsortedMapKeys", [at], Map([(2, 0), (1, 0)])),
        ("17 extensions", "tooManyItems", [at], {key: 0 for key in range(17)}),
        ("extensions of 4,609 bytes", "tooLarge", [at], {1: fill(1, 4604)}),
        ("extensions nested too deep", "tooDeep", [at], {1: [[[[[[[0]]]]]]]}),
        ("a floating-point number in an extension", "floatingPoint", [at], {1: Raw(b"\xf9\x3c\x00")}),
        ("extensions as an array", "unexpectedType", [at], []),
        ("null for no extensions", "unexpectedType", [at], None),
    ]



SESSION, DEVICE, REQUEST = fill(0xA1, 16), fill(0x33, 16), fill(0x72, 16)
ACCOUNT, ACCOUNT_OF_194 = "alice@master", "a" * 194


def sealed(header, ciphertext=fill(0xE5, 40), unprotected=None):
    return tagged(16, [cbor(header), unprotected or {}, ciphertext])


def sign1(header, payload, signature):
    return tagged(18, [cbor(header), {}, payload, signature])


# Step 1 of an activation
OFFER = [1, ACCOUNT, 0x7ABC, [1], [], None]
HYBRID_OFFER = [1, "zoë@bank.example", 5, [1, 2], [1, 7, 300], fill(0xC5, 1216)]
CHOICE = [1, 1, [], None]
HYBRID_CHOICE = [1, 2, [7], fill(0xD7, 1120)]


def step1_request():
    good("ActivationOffer", "classic", OFFER)
    good("ActivationOffer", "hybrid", HYBRID_OFFER)
    bad_rows("ActivationOffer", OFFER, [
        ("version 0", "unsupportedVersion", [0], 0),
        ("version 2", "unsupportedVersion", [0], 2),
        ("no account", "empty", [1], ""),
        ("account of 194 bytes", "tooLarge", [1], ACCOUNT_OF_194),
        ("account as bytes", "unexpectedType", [1], b"alice"),
        ("handle of 16 bits", "integerOutOfRange", [2], 0x8000),
        ("negative handle", "unexpectedType", [2], -1),
        ("no suites", "unexpectedCount", [3], []),
        ("five suites", "tooManyItems", [3], [1, 3, 4, 5, 6]),
        ("suites descending", "invalidValue", [3], [3, 1]),
        ("suite twice", "invalidValue", [3], [1, 1]),
        ("suite beyond 63 bits", "integerOutOfRange", [3], [TOO_BIG]),
        ("17 capabilities", "tooManyItems", [4], list(range(17))),
        ("capabilities descending", "invalidValue", [4], [2, 1]),
        ("key without its suite", "invalidValue", [5], wrong(1216)),
        ("suite without its key", "invalidValue", [3], [1, 2]),
        ("key too short", "unexpectedLength", [5], wrong(1215)),
        ("key of another kind", "unexpectedType", [5], 0),
    ])
    bad_counts("ActivationOffer", OFFER)
    request = [1, SESSION, fill(0xA2, 32), cbor(OFFER)]
    good("ActivationRequest", "classic", request)
    good("ActivationRequest", "hybrid", put(request, [3], cbor(HYBRID_OFFER)))
    bad_rows("ActivationRequest", request, [
        ("another kind", "unexpectedMessage", [0], 2),
        ("session id too short", "unexpectedLength", [1], wrong(15)),
        ("session id too long", "unexpectedLength", [1], wrong(17)),
        ("share too short", "unexpectedLength", [2], wrong(31)),
        ("associated data too long", "tooLarge", [3], wrong(8193)),
        ("no associated data", "truncated", [3], b""),
        ("associated data of another kind", "unexpectedType", [3], None),
        ("trailing associated data", "trailingBytes", [3], cbor(OFFER) + b"\x00"),
    ])
    bad_counts("ActivationRequest", request)


def step1_answer():
    good("ActivationChoice", "classic", CHOICE)
    good("ActivationChoice", "hybrid", HYBRID_CHOICE)
    bad_rows("ActivationChoice", CHOICE, [
        ("version 2", "unsupportedVersion", [0], 2),
        ("suite without its ciphertext", "invalidValue", [1], 2),
        ("ciphertext without its suite", "invalidValue", [3], wrong(1120)),
        ("ciphertext too long", "unexpectedLength", [3], wrong(1121)),
        ("17 capabilities", "tooManyItems", [2], list(range(17))),
        ("suite as text", "unexpectedType", [1], "1"),
    ])
    bad_counts("ActivationChoice", CHOICE)
    body = [SESSION, fill(0xB2, 32), cbor(CHOICE)]
    hybrid = put(body, [2], cbor(HYBRID_CHOICE))
    good("ActivationAnswerBody", "classic", body)
    bad_rows("ActivationAnswerBody", body, [
        ("session id too long", "unexpectedLength", [0], wrong(17)),
        ("share too long", "unexpectedLength", [1], wrong(33)),
        ("associated data too long", "tooLarge", [2], wrong(8193)),
    ])
    bad_counts("ActivationAnswerBody", body)
    answer = [2, cbor(body), fill(0xB3, 32)]
    good("ActivationAnswer", "classic", answer)
    good("ActivationAnswer", "hybrid", put(answer, [1], cbor(hybrid)))
    bad_rows("ActivationAnswer", answer, [
        ("another kind", "unexpectedMessage", [0], 1),
        ("unknown kind", "unexpectedMessage", [0], 7),
        ("tag too short", "unexpectedLength", [2], wrong(31)),
        ("tag too long", "unexpectedLength", [2], wrong(33)),
        ("body too long", "tooLarge", [1], wrong(8193)),
        ("body not well-formed", "reservedValue", [1], b"\x1c"),
    ])
    bad_counts("ActivationAnswer", answer)


# Step 2 of an activation
def step2_frames():
    request_header = {1: 3, -65545: fill(0xA6, 32)}
    request = [3, SESSION, fill(0xA4, 32), sealed_bytes(request_header)]
    answer_header = {1: 3, -65543: fill(0xA5, 32)}
    answer = [4, SESSION, sealed_bytes(answer_header)]
    for kind, base, header, limit in [
        ("ActivationKeyRequest", request, request_header, 8_192), ("ActivationKeyAnswer", answer, answer_header, 32_768),
    ]:
        last = len(base) - 1
        good(kind, "", base)
        bad_rows(kind, base, [
            ("session id too short", "unexpectedLength", [1], wrong(15)),
            ("kind 4 or 3", "unexpectedMessage", [0], 5),
            ("sealed with a key id", "unexpectedHeader", [last], sealed_bytes(header | {4: b"\x01"}, wrong(40))),
            ("sealed with a signature's algorithm", "unsupportedAlgorithm", [last],
             sealed_bytes(header | {1: -9}, wrong(40))),
            ("sealed and unprotected", "unprotectedHeader", [last],
             sealed_bytes(header, wrong(40), {5: fill(0x31, 12)})),
            ("sealed without a tag", "unexpectedLength", [last], sealed_bytes(header, wrong(15))),
            ("signed, not sealed", "unexpectedTag", [last], bytes(sign1({1: -9}, b"", bytes(64)))),
            ("too long", "tooLarge", [last], wrong(limit + 1)),
        ])
        bad_counts(kind, base)
    bad_rows("ActivationKeyRequest", request, [
        ("tag too short", "unexpectedLength", [2], wrong(31)),
        ("a label of the answer", "unexpectedHeader", [3], sealed_bytes(answer_header)),
        ("no random", "missingHeader", [3], sealed_bytes({1: 3})),
        ("random too short", "unexpectedLength", [3], sealed_bytes({1: 3, -65545: wrong(31)})),
        ("random too long", "unexpectedLength", [3], sealed_bytes({1: 3, -65545: wrong(33)})),
        ("random as text", "unexpectedType", [3], sealed_bytes({1: 3, -65545: "1" * 32})),
    ])
    bad_rows("ActivationKeyAnswer", answer, [
        ("a label of the request", "unexpectedHeader", [2], sealed_bytes(request_header)),
        ("no random", "missingHeader", [2], sealed_bytes({1: 3})),
        ("random too short", "unexpectedLength", [2], sealed_bytes({1: 3, -65543: wrong(31)})),
        ("random too long", "unexpectedLength", [2], sealed_bytes({1: 3, -65543: wrong(33)})),
        ("random as text", "unexpectedType", [2], sealed_bytes({1: 3, -65543: "1" * 32})),
    ])


def sealed_bytes(*arguments):
    return bytes(sealed(*arguments))


def refusal():
    base = [5, SESSION, 1]
    good("ActivationRefusal", "refused", base)
    good("ActivationRefusal", "unknown reason", put(base, [2], 99))
    bad_rows("ActivationRefusal", base, [
        ("another kind", "unexpectedMessage", [0], 4),
        ("session id too short", "unexpectedLength", [1], wrong(15)),
        ("reason beyond 63 bits", "integerOutOfRange", [2], TOO_BIG),
        ("reason as text", "unexpectedType", [2], "1"),
    ])
    bad_counts("ActivationRefusal", base)


def registration():
    kind = "DeviceRegistration"
    base = [[-9, b"\x02" + fill(0x11, 32)], fill(0x22, 32), "Alice’s phone", "1.0.0", [0, 1], {}]
    good(kind, "", base)
    good(kind, "no name", [[-9, b"\x03" + fill(0x11, 32)], fill(0x22, 32), "", "1.0.0", [], {}])
    good(kind, "16 unknown extensions", put(base, [5], {key: None for key in range(16)}))
    bad_rows(kind, base, [
        ("device key uncompressed", "unexpectedLength", [0, 1], fill(4, 65)),
        ("device key without an algorithm", "unexpectedType", [0], b"\x02" + fill(0x11, 32)),
        ("device key of the platform's algorithm", "unsupportedAlgorithm", [0, 0], -19),
        ("device key of an algorithm to come", "unsupportedAlgorithm", [0, 0], -49),
        ("algorithm as text", "unexpectedType", [0, 0], "ES256"),
        ("device key with a member more", "unexpectedCount", [0], [-9, b"\x02" + fill(0x11, 32), 0]),
        ("random too short", "unexpectedLength", [1], wrong(31)),
        ("name of 65 bytes", "tooLarge", [2], "a" * 65),
        ("name of 33 two-byte characters", "tooLarge", [2], "é" * 33),
        ("version of 33 bytes", "tooLarge", [3], "1" * 33),
        ("nine methods", "tooManyItems", [4], list(range(9))),
        ("method twice", "invalidValue", [4], [1, 1]),
    ] + extension_rows(5))
    bad_counts(kind, base)


# The keys of the platform
SIGNING = [fill(0x44, 8), 0, -19, fill(0x55, 32), 1_780_000_000_000, None]
SEALING = [fill(0x46, 8), 1, 1, fill(0x56, 32), 1_780_000_000_000, 1_790_000_000_000]
HYBRID = [fill(0x47, 8), 1, 2, fill(0x57, 1216), 0, None]
STATEMENT = [1, None, 1_780_000_000_001, [SIGNING, SEALING], {}]


def platform_sign1(payload, algorithm=-19, signature=fill(0x84, 64)):
    return bytes(sign1({1: algorithm, 4: fill(0x44, 8)}, payload, signature))


def statements():
    kind = "KeyStatement"
    good(kind, "first", STATEMENT)
    future = [fill(0x48, 8), 0, -49, fill(0x58, 1952), 0, 0]
    good(kind, "hybrid and algorithms of the future", [
        TOO_BIG - 1, fill(0x4A, 32), 0, [SIGNING, SEALING, HYBRID, future, [fill(0x49, 8), 1, 300, b"\x01", 0, None]], {7: "x"},
    ])
    bad_rows(kind, STATEMENT, [
        ("number 0", "integerOutOfRange", [0], 0),
        ("number beyond 63 bits", "integerOutOfRange", [0], TOO_BIG),
        ("statement 2 without a hash", "invalidValue", [0], 2),
        ("statement 1 with a hash", "invalidValue", [1], fill(0x4A, 32)),
        ("hash too short", "unexpectedLength", [1], wrong(31)),
        ("hash as text", "unexpectedType", [1], "4a"),
        ("negative time of the statement", "unexpectedType", [2], -1),
        ("time of the statement beyond 63 bits", "integerOutOfRange", [2], TOO_BIG),
        ("no time of the statement", "unexpectedType", [2], None),
        ("no key", "unexpectedCount", [3], []),
        ("17 keys", "tooManyItems", [3], [put(SIGNING, [0], fill(n, 8)) for n in range(17)]),
        ("a key id twice", "invalidValue", [3], [SIGNING, put(SEALING, [0], SIGNING[0])]),
        ("keys not in order", "invalidValue", [3], [SEALING, SIGNING]),
        ("key id too short", "unexpectedLength", [3, 0, 0], wrong(7)),
        ("unknown use", "invalidValue", [3, 0, 1], 3),
        ("algorithm as text", "unexpectedType", [3, 0, 2], "EdDSA"),
        ("algorithm beyond 63 bits", "integerOutOfRange", [3, 0, 2], -TOO_BIG - 1),
        ("signing key too short", "unexpectedLength", [3, 0, 3], wrong(31)),
        ("sealing key of the other suite", "unexpectedLength", [3, 1, 3], wrong(1216)),
        ("hybrid sealing key too short", "unexpectedLength", [3, 1], put(HYBRID, [3], wrong(1215))),
        ("key of an unknown algorithm too long", "tooLarge", [3, 0], put(future, [3], wrong(4097))),
        ("key of an unknown algorithm empty", "empty", [3, 0], put(future, [3], b"")),
        ("negative time", "unexpectedType", [3, 0, 4], -1),
        ("end before the beginning", "invalidValue", [3, 1, 5], 1_779_999_999_999),
        ("end as text", "unexpectedType", [3, 1, 5], "never"),
        ("key with a member more", "unexpectedCount", [3, 0], SIGNING + [0]),
    ] + extension_rows(4))
    bad_counts(kind, STATEMENT)
    kind = "SignatureList"
    payload = cbor(STATEMENT)
    one, unknown = platform_sign1(payload), platform_sign1(payload, -49, fill(0x85, 3309))
    good(kind, "one", [one])
    good(kind, "with one of an algorithm to come", [one, unknown])
    bad_rows(kind, [one, unknown], [
        ("another payload", "invalidValue", [1], platform_sign1(b"", -49, fill(0x85, 3309))),
        ("another payload of a known algorithm", "invalidValue", [1], platform_sign1(b"")),
        ("no known algorithm", "unsupportedAlgorithm", [0], unknown),
        ("a signature of 63 bytes", "unexpectedLength", [0], platform_sign1(payload, signature=wrong(63))),
        ("a message of 16,385 bytes", "tooLarge", [1], wrong(16385)),
        ("an unprotected header", "unprotectedHeader", [1],
         bytes(tagged(18, [cbor({1: -49}), {4: b"\x01"}, payload, wrong(9)]))),
        ("no algorithm", "missingAlgorithm", [1], bytes(sign1({4: b"\x01"}, payload, wrong(64)))),
        ("sealed, not signed", "unexpectedTag", [0], sealed_bytes({1: 3})),
        ("a signature of another kind", "unexpectedType", [0], [one]),
    ])
    bad(kind, "no signature", "unexpectedCount", [])
    bad(kind, "five signatures", "tooManyItems", [one] * 5)


def provisioning():
    kind = "Provisioning"
    totp, hotp = [1, 0, 8, 30, True], [2, 1, 8, 0, False]
    statement = [platform_sign1(cbor(STATEMENT))]
    base = [
        DEVICE, ["12345678", "12345679"], statement, [4, 12, True, 5],
        [totp, hotp, [3, 2, 8, 0, False], [4, 3, 10, 0, True]], fill(0x66, 32), 1_790_000_000_123, 1800, {},
    ]
    good(kind, "usual", base)
    good(kind, "the widest limits", [
        DEVICE, ["", ""], statement, [1, 128, False, 255], [], fill(0x66, 32), 0, 0, {},
    ])
    good(kind, "unknown extensions", put(base, [8], {2: [[SEALING]], TOO_BIG - 1: False}))
    application = [4, 0]
    bad_rows(kind, base, [
        ("device id too short", "unexpectedLength", [0], wrong(15)),
        ("one serial number", "unexpectedCount", [1], ["1"]),
        ("serial number of 33 bytes", "tooLarge", [1], ["1" * 33, ""]),
        ("second serial number of 33 bytes", "tooLarge", [1], ["", "2" * 33]),
        ("no statement", "unexpectedType", [2], None),
        ("statement without a signature", "unexpectedCount", [2], []),
        ("statement not signed", "unexpectedTag", [2, 0], sealed_bytes({1: 3})),
        ("minimum of 0", "integerOutOfRange", [3, 0], 0),
        ("maximum below the minimum", "integerOutOfRange", [3, 1], 3),
        ("maximum of 129", "integerOutOfRange", [3, 1], 129),
        ("no tries", "integerOutOfRange", [3, 3], 0),
        ("256 tries", "integerOutOfRange", [3, 3], 256),
        ("digits only as a number", "unexpectedType", [3, 2], 1),
        ("nine applications", "tooManyItems", [4], [totp] * 9),
        ("application 0", "integerOutOfRange", application + [0], 0),
        ("application 9", "integerOutOfRange", application + [0], 9),
        ("applications not in order", "invalidValue", [4], [hotp, totp]),
        ("application twice", "invalidValue", [4], [totp, totp]),
        ("unknown kind", "invalidValue", application + [1], 4),
        ("five digits", "integerOutOfRange", application + [2], 5),
        ("eleven digits", "integerOutOfRange", application + [2], 11),
        ("a step of no length", "integerOutOfRange", application + [3], 0),
        ("a step of more than a day", "integerOutOfRange", application + [3], 86_401),
        ("a step where time plays no part", "integerOutOfRange", [4, 1, 3], 30),
        ("random too long", "unexpectedLength", [5], wrong(33)),
        ("time beyond 63 bits", "integerOutOfRange", [6], TOO_BIG),
        ("negative time", "unexpectedType", [6], -1),
    ] + extension_rows(8))
    bad_counts(kind, base)


# Approvals
APPROVAL = fill(0x51, 16)
CREATED = 1_790_000_000_000
LOGIN = [
    "approval", "default", ACCOUNT, APPROVAL, 0, "", "r-1", [], 1, 0, 6, CREATED, CREATED + 120_000, None, ["", "default"],
    {},
]
PAYMENT_FIELDS = [
    [0, "Please check the payee."], [1, "Reference", "RF18 5390 0754 7034"], [1, "Note", ""], [2, "1234.50"], [3, "EUR"],
    [4, "Zoë’s Café"], [5, "DE89370400440532013000"], [6, "Invoice 17"], [7, CREATED + 1], [8, "Example Bank"],
    [9, "Vienna"],
]
PAYMENT = [
    "approval", "default", "zoë@bank.example", APPROVAL, 1, "session 7", "r" * 64, PAYMENT_FIELDS, 1, 1, 0, CREATED,
    CREATED + 300_000, fill(0x52, 16), ["f" * 64, "Zoë’s Shop"], {},
]
APPROVED = ["answer", DEVICE, fill(0x53, 32), 1, None, 1, None, "042917", CREATED + 9_000, {}]
REJECTED = ["answer", DEVICE, fill(0x53, 32), 0, 3, 0, 0, None, CREATED + 9_000, {}]
DEVICE_KEY = [-9, b"\x02" + fill(0x11, 32)]
CONFIRMATION = [
    "receipt", "default", ACCOUNT, DEVICE, DEVICE_KEY, fill(0x53, 32), fill(0x54, 32), 1, 1, CREATED + 10_000,
    fill(0x52, 16), {},
]


def device_sign1(payload):
    return bytes(sign1({1: -9}, payload, fill(0x86, 64)))


def place_rows(name):
    """What the first members of a payload refuse: its name, the tenant and the account."""
    return [
        ("another name", "unexpectedMessage", [0], name + "s"),
        ("name as bytes", "unexpectedType", [0], name.encode()),
        ("name too long", "tooLarge", [0], "n" * 65),
        ("no tenant", "empty", [1], ""),
        ("tenant of 65 bytes", "tooLarge", [1], "t" * 65),
        ("tenant not ASCII", "invalidValue", [1], "zürich"),
        ("no account", "empty", [2], ""),
        ("account of 194 bytes", "tooLarge", [2], ACCOUNT_OF_194),
    ]


BIOMETRIC = ["method", DEVICE, 2, 1, [-9, b"\x02" + fill(0x12, 32)], {}]


def approvals():
    pointer = [6, hashlib.sha256(b"default").digest()[:8], APPROVAL]
    good("ApprovalPointer", "", pointer)
    bad_rows("ApprovalPointer", pointer, [
        ("another kind", "unexpectedMessage", [0], 5),
        ("tenant too short", "unexpectedLength", [1], wrong(7)),
        ("tenant too long", "unexpectedLength", [1], wrong(9)),
        ("tenant as text", "unexpectedType", [1], "default1"),
        ("id too short", "unexpectedLength", [2], wrong(15)),
        ("no id", "unexpectedType", [2], None),
    ])
    bad_counts("ApprovalPointer", pointer)
    approval_request()
    approval_answer()
    receipt()


def approval_request():
    kind = "ApprovalRequestContent"
    good(kind, "a login without fields", LOGIN)
    good(kind, "a payment with every typed field", PAYMENT)
    unknown = [[10, "x"], [63, [1]], [64, "shown"], [65, "Label", "shown"], [66, 7], [67, "a", "b", "c"], [TOO_BIG - 1, ""]]
    good(kind, "an event with unknown fields", put(put(LOGIN, [4], 2), [7], unknown))
    seen = ["می\u200cخواهم", "क्\u200dष", "👨\u200d👩\u200d👧", "👩🏽\u200d🔬", "🏳\ufe0f\u200d🌈", "❤\ufe0f", "🇦🇹", "1\u20e3"]
    good(kind, "a login with joiners and emoji", put(LOGIN, [7], [[0, text] for text in seen]))
    good(kind, "a login with unknown extensions", put(LOGIN, [15], {7: [1], 8: None}))
    bad_rows(kind, LOGIN, place_rows("approval") + [
        ("id too long", "unexpectedLength", [3], wrong(17)),
        ("unknown kind", "invalidValue", [4], 4),
        ("kind of 9 bits", "invalidValue", [4], 256),
        ("kind as text", "unexpectedType", [4], "login"),
        ("a transaction without a field", "invalidValue", [4], 1),
        ("session of 257 bytes", "tooLarge", [5], "s" * 257),
        ("session with a control character", "invalidValue", [5], "a\nb"),
        ("no session", "unexpectedType", [5], None),
        ("request id of 257 bytes", "tooLarge", [6], "r" * 257),
        ("empty request id", "empty", [6], ""),
        ("request id that is written from right to left", "invalidValue", [6], "\u202e1"),
        ("unknown method", "invalidValue", [8], 4),
        ("unknown method of a rejection", "invalidValue", [9], 4),
        ("a rejection by another method than possession or that of the approval", "invalidValue", [9], 2),
        ("one digit", "integerOutOfRange", [10], 1),
        ("nine digits", "integerOutOfRange", [10], 9),
        ("digits as text", "unexpectedType", [10], "6"),
        ("negative time", "unexpectedType", [11], -1),
        ("expiry at the creation", "invalidValue", [12], CREATED),
        ("expiry before the creation", "invalidValue", [12], CREATED - 1),
        ("expiry after less than a second", "invalidValue", [12], CREATED + 999),
        ("expiry after more than 300 seconds", "invalidValue", [12], CREATED + 300_001),
        ("expiry beyond 63 bits", "integerOutOfRange", [12], TOO_BIG),
        ("decision record too short", "unexpectedLength", [13], wrong(15)),
        ("display data of another kind", "unexpectedType", [7], None),
        ("17 fields", "tooManyItems", [7], [[0, "x"]] * 17),
        ("fields of 4,097 bytes", "tooLarge", [7], [[0, "x" * 1020]] * 3 + [[0, "x" * 1016]]),
        ("no principal", "unexpectedType", [14], None),
        ("a principal without a name", "unexpectedCount", [14], ["k"]),
        ("a principal with a third member", "unexpectedCount", [14], ["k", "Shop", "x"]),
        ("principal as text", "unexpectedType", [14], "Shop"),
        ("id of a principal of 65 bytes", "tooLarge", [14, 0], "k" * 65),
        ("id of a principal as bytes", "unexpectedType", [14, 0], b"k"),
        ("id of a principal with a control character", "invalidValue", [14, 0], "a\nb"),
        ("empty name of a principal", "invalidValue", [14, 1], ""),
        ("name of a principal of white space only", "invalidValue", [14, 1], "  "),
        ("name of a principal of 65 characters", "invalidValue", [14, 1], "n" * 65),
        ("name of a principal of 1,000 characters", "tooLarge", [14, 1], "n" * 1000),
        ("name of a principal that is not normalized", "invalidValue", [14, 1], "Zoe\u0308"),
        ("name of a principal that is written from right to left", "invalidValue", [14, 1], "\u202eknaB"),
        ("name of a principal with a line separator", "invalidValue", [14, 1], "Shop\u2028Bank"),
        ("no name of a principal", "unexpectedType", [14, 1], None),
    ] + extension_rows(15))
    bad_counts(kind, LOGIN)
    for why, code, fields in [
        ("a field of another kind", "unexpectedType", ["x"]),
        ("a field without a type", "unexpectedCount", [[]]),
        ("type as text", "unexpectedType", [["0", "x"]]),
        ("type beyond 63 bits", "integerOutOfRange", [[TOO_BIG, "x"]]),
        ("field without a value", "unexpectedCount", [[1, "x"]]),
        ("text with a label", "unexpectedCount", [[0, "x", "y"]]),
        ("value of another kind", "unexpectedType", [[0, 1]]),
        ("empty text", "invalidValue", [[0, ""]]),
        ("text of white space", "invalidValue", [[0, " \u2003"]]),
        ("text of 1,025 characters", "invalidValue", [[0, "x" * 1025]]),
        ("empty label", "invalidValue", [[1, "", "x"]]),
        ("label of 65 characters", "invalidValue", [[1, "l" * 65, "x"]]),
        ("value of 257 characters", "invalidValue", [[1, "l", "é" * 257]]),
        ("text with a line feed", "invalidValue", [[0, "a\nb"]]),
        ("text with a delete character", "invalidValue", [[0, "a\x7fb"]]),
        ("text with a control character of two bytes", "invalidValue", [[0, "a\x85b"]]),
        ("text with a line separator", "invalidValue", [[0, "a\u2028b"]]),
        ("text with a direction mark", "invalidValue", [[0, "a\u200eb"]]),
        ("text with an Arabic letter mark", "invalidValue", [[0, "a\u061cb"]]),
        ("text with an override of the direction", "invalidValue", [[0, "10 \u202eRUE"]]),
        ("text with an isolate", "invalidValue", [[0, "a\u2066b"]]),
        ("label with an override of the direction", "invalidValue", [[1, "\u202dl", "v"]]),
        ("text of a zero width space", "invalidValue", [[0, "\u200b"]]),
        ("creditor with a zero width space", "invalidValue", [[4, "AC\u200bME"]]),
        ("creditor of a Hangul filler", "invalidValue", [[4, "\u3164"]]),
        ("creditor of a blank Braille pattern", "invalidValue", [[4, "\u2800"]]),
        ("creditor of a soft hyphen", "invalidValue", [[4, "\u00ad"]]),
        ("creditor of a byte order mark", "invalidValue", [[4, "\ufeff"]]),
        ("creditor of a combining mark", "invalidValue", [[4, "\u0301"]]),
        ("text in tag characters", "invalidValue", [[0, "Pay 1 EUR" + "".join(chr(0xE0000 + ord(c)) for c in "to Bob")]]),
        ("text with 100 variation selectors", "invalidValue", [[0, "a" + 100 * "\ufe0f"]]),
        ("text with a keycap of three characters", "invalidValue", [[0, "1\ufe0f\u20e3"]]),
        ("text with a joiner between Latin letters", "invalidValue", [[0, "AC\u200dME"]]),
        ("text with a joiner at its end", "invalidValue", [[0, "\u0645\u200c"]]),
        ("text with two joiners", "invalidValue", [[0, "\u0645\u200c\u200c\u0645"]]),
        ("text with a character for private use", "invalidValue", [[0, "a\ue000"]]),
        ("text with a noncharacter", "invalidValue", [[0, "a\ufdd0"]]),
        ("value with the last code point", "invalidValue", [[1, "l", "\U0010ffff"]]),
        ("text that is not in normalization form C", "invalidValue", [[0, "Zoe\u0308"]]),
        ("amount without a currency", "invalidValue", [[2, "1"]]),
        ("amount at a distance from its currency", "invalidValue", [[2, "1"], [0, "x"], [3, "EUR"]]),
        ("currency before the amount", "invalidValue", [[3, "EUR"], [2, "1"]]),
        ("currency without an amount", "invalidValue", [[3, "EUR"]]),
        ("unknown currency", "invalidValue", [[2, "1"], [3, "EUX"]]),
        ("currency in lower case", "invalidValue", [[2, "1"], [3, "eur"]]),
        ("currency without decimal places in the standard", "invalidValue", [[2, "1"], [3, "XAU"]]),
        ("IBAN with a wrong check digit", "invalidValue", [[5, "DE88370400440532013000"]]),
        ("IBAN with a space", "invalidValue", [[5, "DE89 370400440532013000"]]),
        ("IBAN in lower case", "invalidValue", [[5, "de89370400440532013000"]]),
        ("IBAN of 14 characters", "invalidValue", [[5, "NO938601111794"]]),
        ("IBAN with a digit more than its country has", "invalidValue", [[5, "DE893704004405320130000"]]),
        ("remittance of 141 characters", "invalidValue", [[6, "x" * 141]]),
        ("time as text", "unexpectedType", [[7, "now"]]),
        ("creditor of 141 characters", "invalidValue", [[4, "x" * 141]]),
        ("requester of 65 characters", "invalidValue", [[8, "x" * 65]]),
        ("place of 65 characters", "invalidValue", [[9, "x" * 65]]),
        ("two creditors", "invalidValue", [[4, "a"], [4, "b"]]),
        ("two amounts", "invalidValue", [[2, "1"], [3, "EUR"], [2, "1"], [3, "EUR"]]),
        ("two times", "invalidValue", [[7, 1], [7, 2]]),
    ]:
        bad(kind, why, code, put(put(LOGIN, [4], 1), [7], fields))
    for amount in ["1e5", "-1", "+1", "1.234", ".5", "5.", "007", "00", "1,5", "1.2.3", "", " 1", "١", "1" * 19]:
        bad(kind, f"amount {amount!r}", "invalidValue", put(put(LOGIN, [4], 1), [7], [[2, amount], [3, "EUR"]]))
    bad(kind, "decimal places of yen", "invalidValue", put(put(LOGIN, [4], 1), [7], [[2, "1.0"], [3, "JPY"]]))


def approval_answer():
    kind = "ApprovalAnswerContent"
    good(kind, "an approval with a number", APPROVED)
    good(kind, "a rejection with a reason", REJECTED)
    good(kind, "an approval without a number, and unknown extensions", put(put(APPROVED, [7], None), [9], {1: "x"}))
    bad_rows(kind, APPROVED, [
        ("another name", "unexpectedMessage", [0], "approval"),
        ("device id too short", "unexpectedLength", [1], wrong(15)),
        ("hash too long", "unexpectedLength", [2], wrong(33)),
        ("unknown method", "invalidValue", [3], 4),
        ("no method", "unexpectedType", [3], None),
        ("unknown fallback", "invalidValue", [4], 4),
        ("unknown decision", "integerOutOfRange", [5], 2),
        ("decision as a Boolean", "unexpectedType", [5], True),
        ("an approval with a reason", "invalidValue", [6], 1),
        ("number as a number", "unexpectedType", [7], 42917),
        ("number of one digit", "invalidValue", [7], "0"),
        ("number of nine digits", "tooLarge", [7], "123456789"),
        ("number with a letter", "invalidValue", [7], "12a4"),
        ("number with a sign", "invalidValue", [7], "-123"),
        ("number of other digits", "invalidValue", [7], "١٢"),
        ("negative time", "unexpectedType", [8], -1),
    ] + extension_rows(9))
    bad_rows(kind, REJECTED, [
        ("a rejection without a reason", "invalidValue", [6], None),
        ("unknown reason", "invalidValue", [6], 3),
        ("a rejection with a number", "invalidValue", [7], "123456"),
    ])
    bad_counts(kind, APPROVED)


def receipt():
    kind = "ReceiptConfirmation"
    good(kind, "approved", CONFIRMATION)
    good(kind, "refused by the policy, without a proof and a decision record", put(put(put(
        CONFIRMATION, [7], None), [8], 3), [10], None))
    bad_rows(kind, CONFIRMATION, place_rows("receipt") + [
        ("device id too short", "unexpectedLength", [3], wrong(15)),
        ("device key of the platform's algorithm", "unsupportedAlgorithm", [4, 0], -19),
        ("device key too short", "unexpectedLength", [4, 1], wrong(32)),
        ("device key without an algorithm", "unexpectedType", [4], DEVICE_KEY[1]),
        ("hash of the request too short", "unexpectedLength", [5], wrong(31)),
        ("hash of the answer too long", "unexpectedLength", [6], wrong(33)),
        ("unknown method", "invalidValue", [7], 4),
        ("unknown outcome", "invalidValue", [8], 4),
        ("no outcome", "unexpectedType", [8], None),
        ("time beyond 63 bits", "integerOutOfRange", [9], TOO_BIG),
        ("decision record too long", "unexpectedLength", [10], wrong(17)),
    ] + extension_rows(11))
    bad_counts(kind, CONFIRMATION)
    kind = "ReceiptParts"
    base = parts(LOGIN)
    good(kind, "", base)
    unknown = platform_sign1(cbor(CONFIRMATION), -49, fill(0x85, 3309))
    good(kind, "with a signature of an algorithm to come", put(base, [2], base[2] + [unknown]))
    bad_rows(kind, base, [
        ("request not signed", "unexpectedTag", [0], sealed_bytes({1: 3})),
        ("no request", "truncated", [0], b""),
        ("request too long", "tooLarge", [0], wrong(8193)),
        ("request of an algorithm to come", "unsupportedAlgorithm", [0], platform_sign1(cbor(LOGIN), -49)),
        ("answer as text", "unexpectedType", [1], "answer"),
        ("answer too long", "tooLarge", [1], wrong(8193)),
        ("no confirmation", "unexpectedCount", [2], []),
        ("confirmation outside of a list", "unexpectedType", [2], base[2][0]),
        ("five signatures", "tooManyItems", [2], base[2] * 5),
        ("signatures over different confirmations", "invalidValue", [2], base[2] + [platform_sign1(b"\x80")]),
        ("only a signature of an algorithm to come", "unsupportedAlgorithm", [2], [unknown]),
        ("more than 12,288 bytes", "tooLarge", [2], base[2] + [
            platform_sign1(cbor(CONFIRMATION), -49, wrong(6_000)), platform_sign1(cbor(CONFIRMATION), -50, wrong(6_000))]),
    ])
    bad_counts(kind, base)


def parts(request):
    return [platform_sign1(cbor(request)), device_sign1(cbor(APPROVED)), [platform_sign1(cbor(CONFIRMATION))]]


# The channel
LABELS = {
    1: "algorithm", 4: "device id", -65537: "version", -65538: "suite", -65539: "enc", -65540: "request id",
    -65541: "expiry", -65542: "platform key id", -65543: "random", -65544: "request hash",
    -65545: "random",
}


def header_rows(kind, base, rows, missing):
    for label in missing:
        bad(kind, "no " + LABELS[label], "missingHeader", sealed(put(base, [label], DROP)))
    for why, code, changes in rows:
        bad(kind, why, code, sealed(base | changes))


def channel():
    base = {
        1: 3, 4: DEVICE, -65537: 1, -65538: 1, -65539: fill(0x71, 32), -65540: REQUEST, -65541: 1_790_000_060_000,
        -65542: fill(0x46, 8), -65545: fill(0x76, 32),
    }
    good("ChannelRequest", "suite 1", sealed(base))
    good("ChannelRequest", "suite 2", sealed(base | {-65538: 2, -65539: fill(0x73, 1120)}))
    header_rows("ChannelRequest", base, [
        ("version 2", "unsupportedVersion", {-65537: 2}),
        ("suite 3", "unsupportedVersion", {-65538: 3}),
        ("suite 2 with the key of suite 1", "unexpectedLength", {-65538: 2}),
        ("enc too long", "unexpectedLength", {-65539: wrong(33)}),
        ("request id too short", "unexpectedLength", {-65540: wrong(15)}),
        ("expiry beyond 63 bits", "integerOutOfRange", {-65541: TOO_BIG}),
        ("negative expiry", "unexpectedType", {-65541: -1}),
        ("key id too long", "unexpectedLength", {-65542: wrong(9)}),
        ("device id too long", "unexpectedLength", {4: wrong(17)}),
        ("device id as text", "unexpectedType", {4: "1" * 16}),
        ("random too short", "unexpectedLength", {-65545: wrong(31)}),
        ("random too long", "unexpectedLength", {-65545: wrong(33)}),
        ("random as text", "unexpectedType", {-65545: "1" * 32}),
        ("a label of the answer", "unexpectedHeader", {-65543: wrong(32)}),
        ("an unknown label", "unexpectedHeader", {-65546: 8}),
        ("an unknown critical label", "unknownCriticalHeader", {2: [-65546]}),
        ("a list of critical labels that we know", "unexpectedHeader", {2: [4]}),
    ], [-65537, -65538, -65539, -65540, -65541, -65542, -65545, 4])
    base = {1: 3, 4: DEVICE, -65537: 1, -65543: fill(0x74, 32), -65544: fill(0x75, 32)}
    good("ChannelAnswer", "", sealed(base))
    header_rows("ChannelAnswer", base, [
        ("version 0", "unsupportedVersion", {-65537: 0}),
        ("random too short", "unexpectedLength", {-65543: wrong(31)}),
        ("random too long", "unexpectedLength", {-65543: wrong(33)}),
        ("hash too long", "unexpectedLength", {-65544: wrong(33)}),
        ("a label of the request", "unexpectedHeader", {-65540: REQUEST}),
        ("device id too short", "unexpectedLength", {4: wrong(15)}),
    ], [-65537, -65543, -65544, 4])


def plaintexts():
    message = bytes(sign1({1: -9}, b"\x01\x02\x03", fill(0x81, 64)))
    proof = [1, 1, 3, fill(0x82, 32)]
    ratchet, asking = [fill(0x86, 32), None, None], [fill(0x86, 32), fill(0x87, 32), None]
    good("SealedRequest", "without proof", [message, ratchet, None])
    good("SealedRequest", "with proof", [message, asking, proof])
    good("SealedRequest", "with a proof of a face", [message, ratchet, [4, 3, 3, fill(0x82, 32)]])
    good("SealedRequest", "with a state of the ratchet", [message, put(asking, [2], fill(0x88, 32)), proof])
    bad_rows("SealedRequest", [message, ratchet, [1, 1, 0, wrong(32)]], [
        ("instance 0", "integerOutOfRange", [2, 0], 0),
        ("instance 5", "integerOutOfRange", [2, 0], 5),
        ("method 256", "integerOutOfRange", [2, 1], 256),
        ("generation beyond 63 bits", "integerOutOfRange", [2, 2], TOO_BIG),
        ("tag too short", "unexpectedLength", [2, 3], wrong(31)),
        ("proof with a member more", "unexpectedCount", [2], [1, 1, 0, wrong(32), 0]),
        ("proof of another kind", "unexpectedType", [2], False),
    ])
    bad_rows("SealedRequest", [message, asking, proof], [
        ("ratchet tag too short", "unexpectedLength", [1, 0], wrong(31)),
        ("ratchet without a tag", "unexpectedType", [1, 0], None),
        ("ratchet input too long", "unexpectedLength", [1, 1], wrong(33)),
        ("ratchet state too short", "unexpectedLength", [1, 2], wrong(31)),
        ("ratchet with a member less", "unexpectedCount", [1], asking[:2]),
        ("no ratchet", "unexpectedType", [1], None),
        ("message not signed", "unexpectedTag", [0], sealed_bytes({1: 3})),
        ("message of another kind", "unexpectedType", [0], ""),
        ("no message", "truncated", [0], b""),
    ])
    bad_counts("SealedRequest", [message, asking, proof])
    statement = [platform_sign1(cbor(STATEMENT))]
    answer = [[platform_sign1(b"\x04", signature=fill(0x83, 64))], [], None]
    good("SealedAnswer", "", answer)
    good("SealedAnswer", "with an input of the ratchet", put(answer, [2], fill(0x89, 32)))
    good("SealedAnswer", "eight statements", put(answer, [1], [statement] * 8))
    bad_rows("SealedAnswer", answer, [
        ("message not signed", "unexpectedTag", [0, 0], sealed_bytes({1: 3})),
        ("message outside of a list", "unexpectedType", [0], answer[0][0]),
        ("no signature", "unexpectedCount", [0], []),
        ("nine statements", "tooManyItems", [1], [statement] * 9),
        ("statement without a signature", "unexpectedCount", [1], [[]]),
        ("statement outside of a list", "unexpectedType", [1], statement),
        ("ratchet input too short", "unexpectedLength", [2], wrong(31)),
    ])
    bad_counts("SealedAnswer", answer)


# The signed messages
def head_rows(base, other_name, other_direction):
    return [
        ("unknown type", "unexpectedMessage", [0], base[0].replace("delete", "deleted").replace("d/answer", "ed")),
        ("type too long", "tooLarge", [0], "u" * 65),
        ("other direction", "unexpectedType", [1], None),
        ("no tenant", "empty", [2], ""),
        ("tenant of 65 bytes", "tooLarge", [2], "t" * 65),
        ("tenant not ASCII", "invalidValue", [2], "zürich"),
        ("tenant with a space", "invalidValue", [2], "a b"),
        ("no account", "empty", [3], ""),
        ("account of 194 bytes", "tooLarge", [3], ACCOUNT_OF_194),
        ("device id too short", "unexpectedLength", [4], wrong(15)),
        ("request id too long", "unexpectedLength", [5], wrong(17)),
        ("time beyond 63 bits", "integerOutOfRange", [6], TOO_BIG),
        ("index beyond 63 bits", "integerOutOfRange", [7], TOO_BIG),
        ("reflected", "unexpectedMessage", [1], other_direction),
        (other_name[1], "unexpectedMessage", [0], other_name[0]),
    ]


def method_registration():
    kind = "MethodRegistrationContent"
    good(kind, "biometric, protected by the system", BIOMETRIC)
    good(kind, "a face, protected by a provider", put(put(BIOMETRIC, [2], 3), [3], 2))
    good(kind, "a software provider, and unknown extensions", put(put(BIOMETRIC, [3], 0), [5], {7: [1], 8: None}))
    bad_rows(kind, BIOMETRIC, [
        ("another name", "unexpectedMessage", [0], "answer"),
        ("device id too short", "unexpectedLength", [1], wrong(15)),
        ("device id too long", "unexpectedLength", [1], wrong(17)),
        ("the method possession", "invalidValue", [2], 0),
        ("the method password", "invalidValue", [2], 1),
        ("an unknown method", "invalidValue", [2], 4),
        ("method as text", "unexpectedType", [2], "face"),
        ("an unknown protection", "invalidValue", [3], 3),
        ("biometric, protected by a provider", "invalidValue", [3], 2),
        ("protection as a Boolean", "unexpectedType", [3], True),
        ("key without an algorithm", "unexpectedType", [4], b"\x02" + fill(0x12, 32)),
        ("key of the platform's algorithm", "unsupportedAlgorithm", [4, 0], -19),
        ("key uncompressed", "unexpectedLength", [4, 1], fill(4, 65)),
        ("key with a member more", "unexpectedCount", [4], [-9, b"\x02" + fill(0x12, 32), 0]),
    ] + extension_rows(5))
    bad_counts(kind, BIOMETRIC)


def requests():
    kind = "RequestMessage"

    def request(name, body, reread=False, extensions=None):
        return [name, 0, "default", ACCOUNT, DEVICE, REQUEST, 1_790_000_000_123, 7, reread, body, extensions or {}]

    bodies = {
        "activation.password": [], "activation.complete": [fill(0x91, 32), True], "notifications.register": ["pull:0123"],
        "synchronize": [2, [[2, 17], [4, TOO_BIG - 1]], [1, 3, 300], 12, 1_790_000_000_000], "user.delete": [], "approval.list": [],
        "approval.fetch": [APPROVAL], "approval.answer": [device_sign1(cbor(APPROVED))], "notifications.open": [],
        "password.change": [], "password.prove": [], "unlock": [0x7FFF, b"0123WXYZ", 3],
        "method.register": [device_sign1(cbor(BIOMETRIC))], "method.remove": [3, False],
        "move.begin": [], "device.data": ["login", None],
        "seal.request": ["Verträge.pdf", fill(0x5A, 32), None, 1],
    }
    for name, body in bodies.items():
        good(kind, name, request(name, body, reread=name == "activation.complete"))
    good(kind, "activation.complete, with a replaced device", request(
        "activation.complete", [fill(0x91, 32), False, fill(0x92, 16)]))
    good(kind, "method.remove, on all devices", request("method.remove", [2, True]))
    good(kind, "device.data, with application data", request("device.data", ["e" * 64, '{"a":1}']))
    sealed = hashlib.sha256("Zoë".encode()).digest()
    good(kind, "seal.request, of a text", request("seal.request", [None, sealed, "Zoë", 3]))
    data = cbor(DEVICE_DATA)
    good(kind, "synchronize, with device data", request("synchronize", bodies["synchronize"], extensions={1: data}))
    good(kind, "synchronize, with the hash of device data", request(
        "synchronize", bodies["synchronize"], extensions={2: hashlib.sha256(data).digest()}))
    delete = request("user.delete", [])
    good(kind, "user.delete, unknown extensions", put(delete, [10], {0: None, 5: [1, {"x": b""}], 300: "later"}))
    bad_rows(kind, delete, head_rows(delete, ("user.delete/answer", "an answer's type"), 1) + [
        ("reread as a number", "unexpectedType", [8], 0),
        ("a body too many", "unexpectedCount", [9], [0]),
        ("no body", "unexpectedType", [9], None),
    ] + extension_rows(10))
    bad_counts(kind, delete)
    for why, code, name, body in [
        ("no hash", "unexpectedCount", "activation.complete", []),
        ("hash too short", "unexpectedLength", "activation.complete", [wrong(31), True]),
        ("pull channel as a number", "unexpectedType", "activation.complete", [fill(0x91, 32), 1]),
        ("replaced device of 15 bytes", "unexpectedLength", "activation.complete", [fill(0x91, 32), True, fill(0x92, 15)]),
        ("a member after the replaced device", "unexpectedCount", "activation.complete", [fill(0x91, 32), True, fill(0x92, 16), 0]),
        ("no identifier", "empty", "notifications.register", [""]),
        ("identifier of 1025 bytes", "tooLarge", "notifications.register", ["i" * 1025]),
        ("identifier twice", "unexpectedCount", "notifications.register", ["i", "i"]),
        ("password with a body", "unexpectedCount", "activation.password", [1]),
        ("generation beyond 63 bits", "integerOutOfRange", "synchronize", [TOO_BIG, [], [], 0, 0]),
        ("nine counters", "tooManyItems", "synchronize", [1, [[n, 0] for n in range(1, 10)], [], 0, 0]),
        ("counters not in order", "invalidValue", "synchronize", [1, [[2, 0], [1, 0]], [], 0, 0]),
        ("counter twice", "invalidValue", "synchronize", [1, [[2, 0], [2, 0]], [], 0, 0]),
        ("counter of application 0", "integerOutOfRange", "synchronize", [1, [[0, 0]], [], 0, 0]),
        ("counter of application 9", "integerOutOfRange", "synchronize", [1, [[9, 0]], [], 0, 0]),
        ("counter beyond 63 bits", "integerOutOfRange", "synchronize", [1, [[1, TOO_BIG]], [], 0, 0]),
        ("counter with a member more", "unexpectedCount", "synchronize", [1, [[1, 0, 0]], [], 0, 0]),
        ("synchronize without capabilities", "unexpectedCount", "synchronize", [1, [], 0]),
        ("synchronize without a statement", "unexpectedCount", "synchronize", [1, [], []]),
        ("synchronize without a notice", "unexpectedCount", "synchronize", [1, [], [], 0]),
        ("notice beyond 63 bits", "integerOutOfRange", "synchronize", [1, [], [], 0, TOO_BIG]),
        ("statement beyond 63 bits", "integerOutOfRange", "synchronize", [1, [], [], TOO_BIG, 0]),
        ("statement as text", "unexpectedType", "synchronize", [1, [], [], "1", 0]),
        ("17 capabilities", "tooManyItems", "synchronize", [1, [], list(range(17)), 0, 0]),
        ("capabilities descending", "invalidValue", "synchronize", [1, [], [2, 1], 0, 0]),
        ("capability twice", "invalidValue", "synchronize", [1, [], [1, 1], 0, 0]),
        ("capability beyond 63 bits", "integerOutOfRange", "synchronize", [1, [], [TOO_BIG], 0, 0]),
        ("negative capability", "unexpectedType", "synchronize", [1, [], [-1], 0, 0]),
        ("capabilities of another kind", "unexpectedType", "synchronize", [1, [], None, 0, 0]),
        ("list with a body", "unexpectedCount", "approval.list", [0]),
        ("fetch without an id", "unexpectedCount", "approval.fetch", []),
        ("fetch of an id too short", "unexpectedLength", "approval.fetch", [wrong(15)]),
        ("answer with an id", "unexpectedCount", "approval.answer", [APPROVAL, device_sign1(cbor(APPROVED))]),
        ("answer not signed", "unexpectedTag", "approval.answer", [sealed_bytes({1: 3})]),
        ("answer outside of a byte string", "unexpectedType", "approval.answer", [APPROVED]),
        ("answer too long", "tooLarge", "approval.answer", [wrong(8193)]),
        ("open with a body", "unexpectedCount", "notifications.open", [0]),
        ("change with a generation", "unexpectedCount", "password.change", [0]),
        ("proof of a change with a body", "unexpectedCount", "password.prove", [0]),
        ("unlock without a generation", "unexpectedCount", "unlock", [1, wrong(8)]),
        ("unlock with a handle of 16 bits", "integerOutOfRange", "unlock", [0x8000, wrong(8), 3]),
        ("unlock with a secret too short", "unexpectedLength", "unlock", [1, wrong(7), 3]),
        ("unlock with a secret too long", "unexpectedLength", "unlock", [1, wrong(9), 3]),
        ("unlock of a generation beyond 63 bits", "integerOutOfRange", "unlock", [1, wrong(8), TOO_BIG]),
        ("move with a body", "unexpectedCount", "move.begin", [0]),
        ("no registration", "unexpectedCount", "method.register", []),
        ("registration not signed", "unexpectedTag", "method.register", [sealed_bytes({1: 3})]),
        ("registration outside of a byte string", "unexpectedType", "method.register", [BIOMETRIC]),
        ("registration too long", "tooLarge", "method.register", [wrong(8193)]),
        ("registration with a secret", "unexpectedCount", "method.register", [device_sign1(cbor(BIOMETRIC)), wrong(32)]),
        ("removal of no method", "unexpectedCount", "method.remove", []),
        ("seal without a text member", "unexpectedCount", "seal.request", [None, sealed, 1]),
        ("seal of a digest of 31 bytes", "unexpectedLength", "seal.request", [None, wrong(31), None, 1]),
        ("seal of an empty name", "invalidValue", "seal.request", ["", sealed, None, 1]),
        ("seal of a name of 256 bytes", "tooLarge", "seal.request", ["x" * 256, sealed, None, 1]),
        ("seal of a name with a line break", "invalidValue", "seal.request", ["a\nb", sealed, None, 1]),
        ("seal of a name that is not normalized", "invalidValue", "seal.request", ["Zoe\u0308", sealed, None, 1]),
        ("seal of a text and a name", "invalidValue", "seal.request", ["a", sealed, "Zoë", 1]),
        ("seal of a text with another digest", "invalidValue", "seal.request", [None, wrong(32), "Zoë", 1]),
        ("seal of a text that is not normalized", "invalidValue", "seal.request", [None, sealed, "Zoe\u0308", 1]),
        ("seal of a text that is too long to display", "invalidValue", "seal.request",
         [None, hashlib.sha256(b"x" * 1025).digest(), "x" * 1025, 1]),
        ("seal by possession", "invalidValue", "seal.request", [None, sealed, None, 0]),
        ("seal by an unknown method", "invalidValue", "seal.request", [None, sealed, None, 4]),
        ("removal of possession", "invalidValue", "method.remove", [0, False]),
        ("removal of the password", "invalidValue", "method.remove", [1, False]),
        ("removal of an unknown method", "invalidValue", "method.remove", [4, False]),
        ("removal that does not say where", "unexpectedCount", "method.remove", [2]),
        ("removal of two methods", "unexpectedType", "method.remove", [2, 3]),
        ("removal with a member more", "unexpectedCount", "method.remove", [2, True, 3]),
        ("event without a name", "empty", "device.data", ["", None]),
        ("event of 65 bytes", "tooLarge", "device.data", ["e" * 65, None]),
        ("event with a line break", "invalidValue", "device.data", ["a\nb", None]),
        ("event without application data", "unexpectedCount", "device.data", ["login"]),
        ("empty application data", "empty", "device.data", ["login", ""]),
        ("application data of 1,025 bytes", "tooLarge", "device.data", ["login", "x" * 1025]),
        ("application data with a control character", "invalidValue", "device.data", ["login", "\u0085"]),
        ("application data as bytes", "unexpectedType", "device.data", ["login", b"x"]),
    ]:
        bad(kind, why, code, request(name, body))
    for name, body in bodies.items():
        critical = request(name, body, extensions={-1: 0})
        bad(kind, f"{name} with an unknown critical extension", "unknownCriticalExtension", critical)


def answers():
    kind = "AnswerMessage"

    def answer(name, result, extensions=None):
        place = ["default", ACCOUNT, DEVICE, REQUEST, 1_790_000_000_456, 8]
        return [name + "/answer", 1, *place, 3, result, extensions or {}]

    bodies = {
        "activation.password": [], "activation.complete": [], "notifications.register": [], "user.delete": [],
        "synchronize": [
            4, [1, 3], [8, 64, False, 3], 2, 4, 5,
            [[1_790_000_000_000, 1, 1_790_000_000_000, DEVICE], [1_790_000_000_001, 300, 1_789_999_999_999, REQUEST]]],
        "approval.list": [
            [APPROVAL, 1, CREATED, CREATED + 1_000, True], [DEVICE, 0, CREATED, CREATED + 300_000, False]],
        "approval.fetch": [platform_sign1(cbor(PAYMENT))], "approval.answer": [cbor(parts(LOGIN))],
        "notifications.open": [fill(0x55, 16), 60],
        "password.change": [4, fill(0x5D, 32), [6, 12, True, 5]], "password.prove": [],
        "unlock": [5, fill(0x5F, 32), [6, 12, True, 5]],
        "method.register": [fill(0x5E, 32)], "method.remove": [],
        "move.begin": [b"0D3K-7VQ2-M8XT", CREATED, "https://id.example"], "device.data": [], "seal.request": [APPROVAL],
    }
    for name, body in bodies.items():
        good(kind, name, answer(name, [0, body]))
    good(kind, "move.begin, without an address", answer("move.begin", [0, [b"0D3K-7VQ2-M8XT", CREATED, None]]))
    good(kind, "wrong password", answer("activation.password", [1, 1, 4, None]))
    good(kind, "rate limited", answer("user.delete", [1, 12, None, 60_000]))
    good(kind, "unknown refusal", answer("synchronize", [1, 99, 0, 0]))
    canceled = answer("approval.fetch", [1, 20, None, None], {4: ["Sold out – désolé", fill(0xEE, 3)]})
    good(kind, "a refusal with a notice", canceled)
    good(kind, "a refusal with a notice that breaks a rule", put(canceled, [10], {4: ["a\u202eb", None]}))
    good(kind, "a wish for device data in full", answer("user.delete", [0, []], {3: [0, None]}))
    good(kind, "a refusal of device data", answer("user.delete", [0, []], {3: [1, 17]}))
    both = answer("approval.fetch", [1, 20, None, None], {3: [0, None], 4: ["Sold out", None]})
    good(kind, "a notice and a wish for device data in full", both)
    good(kind, "user.delete, unknown extensions", answer("user.delete", [0, []], {0: True, 23: -1, 24: {}}))
    delete = answer("user.delete", [0, []])
    bad_rows(kind, delete, head_rows(delete, ("user.delete", "a request's type"), 0) + [
        ("failed codes beyond 63 bits", "integerOutOfRange", [8], TOO_BIG),
        ("no result", "unexpectedCount", [9], []),
        ("unknown result", "invalidValue", [9], [2, []]),
        ("accepted without body", "unexpectedCount", [9], [0]),
        ("accepted with a refusal", "unexpectedCount", [9], [0, 1, None, None]),
        ("refused with a body", "unexpectedCount", [9], [1, []]),
        ("refusal without tries", "unexpectedCount", [9], [1, 1, None]),
        ("refusal code as text", "unexpectedType", [9], [1, "1", None, None]),
        ("code beyond 63 bits", "integerOutOfRange", [9], [1, TOO_BIG, None, None]),
        ("negative tries", "unexpectedType", [9], [1, 1, -1, None]),
        ("delay beyond 63 bits", "integerOutOfRange", [9], [1, 1, None, TOO_BIG]),
        ("a body too many", "unexpectedCount", [9], [0, [0]]),
    ] + extension_rows(10))
    bad_counts(kind, delete)
    bad_rows(kind, answer("synchronize", [0, bodies["synchronize"]]), [
        ("synchronize without an answer", "unexpectedCount", [9, 1], []),
        ("synchronize of the form before", "unexpectedCount", [9, 1], [4, [1, 3]]),
        ("synchronize with a member more", "unexpectedCount", [9, 1], [*bodies["synchronize"], 0]),
        ("generation as text", "unexpectedType", [9, 1, 0], "1"),
        ("17 capabilities", "tooManyItems", [9, 1, 1], list(range(17))),
        ("capabilities descending", "invalidValue", [9, 1, 1], [3, 1]),
        ("policy without tries", "unexpectedCount", [9, 1, 2], [8, 64, False]),
        ("negative tries", "unexpectedType", [9, 1, 3], -1),
        ("tries beyond 63 bits", "integerOutOfRange", [9, 1, 3], TOO_BIG),
        ("devices as text", "unexpectedType", [9, 1, 4], "4"),
        ("maximum of devices beyond 63 bits", "integerOutOfRange", [9, 1, 5], TOO_BIG),
        ("nine notices", "tooManyItems", [9, 1, 6], [[n, 1, 0, DEVICE] for n in range(1, 10)]),
        ("notice 0", "invalidValue", [9, 1, 6], [[0, 1, 0, DEVICE]]),
        ("notice twice", "invalidValue", [9, 1, 6], [[1, 1, 0, DEVICE], [1, 1, 0, DEVICE]]),
        ("notice without a device", "unexpectedCount", [9, 1, 6], [[1, 1, 0]]),
        ("notice with a short device", "unexpectedLength", [9, 1, 6], [[1, 1, 0, DEVICE[:15]]]),
    ])
    for name, body in bodies.items():
        critical = answer(name, [0, body], {-1: 0})
        bad(kind, f"{name} with an unknown critical extension", "unknownCriticalExtension", critical)
    pending = [APPROVAL, 0, CREATED, CREATED + 1_000, True]
    for why, code, name, body in [
        ("17 approval requests", "tooManyItems", "approval.list", [put(pending, [0], fill(n, 16)) for n in range(17)]),
        ("approval requests not in order", "invalidValue", "approval.list",
         [pending, [DEVICE, 0, CREATED - 1, CREATED + 1_000, True]]),
        ("an approval request twice", "invalidValue", "approval.list", [pending, pending]),
        ("an approval request of an unknown kind", "invalidValue", "approval.list", [put(pending, [1], 4)]),
        ("an approval request that does not say whether it is announced", "unexpectedCount", "approval.list",
         [pending[:4]]),
        ("an approval request that is announced by a number", "unexpectedType", "approval.list", [put(pending, [4], 1)]),
        ("an expiry after more than 300 seconds", "invalidValue", "approval.list", [put(pending, [3], CREATED + 300_001)]),
        ("no request", "unexpectedCount", "approval.fetch", []),
        ("request outside of a byte string", "unexpectedType", "approval.fetch", [LOGIN]),
        ("request too long", "tooLarge", "approval.fetch", [wrong(8193)]),
        ("no receipt", "unexpectedCount", "approval.answer", []),
        ("receipt outside of a byte string", "unexpectedType", "approval.answer", [parts(LOGIN)]),
        ("receipt too long", "tooLarge", "approval.answer", [wrong(12_289)]),
        ("token too short", "unexpectedLength", "notifications.open", [wrong(15), 60]),
        ("token without its time", "unexpectedCount", "notifications.open", [wrong(16)]),
        ("token for no time", "integerOutOfRange", "notifications.open", [wrong(16), 0]),
        ("token for more than an hour", "integerOutOfRange", "notifications.open", [wrong(16), 3_601]),
        ("change too short", "unexpectedLength", "password.change", [4, wrong(31), [6, 12, True, 5]]),
        ("change too long", "unexpectedLength", "password.change", [4, wrong(33), [6, 12, True, 5]]),
        ("change without a policy", "unexpectedCount", "password.change", [4, wrong(32)]),
        ("change without a generation", "unexpectedType", "password.change", [None, wrong(32), [6, 12, True, 5]]),
        ("change to a generation beyond 63 bits", "integerOutOfRange", "password.change",
         [TOO_BIG, wrong(32), [6, 12, True, 5]]),
        ("change with a maximum below the minimum", "integerOutOfRange", "password.change",
         [4, wrong(32), [6, 5, True, 5]]),
        ("accepted proof of a change with a body", "unexpectedCount", "password.prove", [0]),
        ("offer of an unlock too short", "unexpectedLength", "unlock", [5, wrong(31), [6, 12, True, 5]]),
        ("offer of an unlock without a policy", "unexpectedCount", "unlock", [5, wrong(32)]),
        ("offer of an unlock beyond 63 bits", "integerOutOfRange", "unlock", [TOO_BIG, wrong(32), [6, 12, True, 5]]),
        ("activation password of a move too short", "unexpectedLength", "move.begin", [wrong(13), CREATED, None]),
        ("activation password of a move too long", "unexpectedLength", "move.begin", [wrong(15), CREATED, None]),
        ("activation password of a move as a text", "unexpectedType", "move.begin", ["0D3K-7VQ2-M8XT", CREATED, None]),
        ("move without an address", "unexpectedCount", "move.begin", [wrong(14), CREATED]),
        ("move with an empty address", "empty", "move.begin", [wrong(14), CREATED, ""]),
        ("move with an address of 129 bytes", "tooLarge", "move.begin", [wrong(14), CREATED, "a" * 129]),
        ("move with an expiry beyond 63 bits", "integerOutOfRange", "move.begin", [wrong(14), TOO_BIG, None]),
        ("secret of a method too short", "unexpectedLength", "method.register", [wrong(31)]),
        ("secret of a method too long", "unexpectedLength", "method.register", [wrong(33)]),
        ("no secret of a method", "unexpectedCount", "method.register", []),
        ("accepted removal with a body", "unexpectedCount", "method.remove", [2]),
        ("accepted seal without an id", "unexpectedCount", "seal.request", []),
        ("accepted seal with an id too short", "unexpectedLength", "seal.request", [wrong(15)]),
    ]:
        bad(kind, why, code, answer(name, [0, body]))
    refusal = answer("user.delete", [1, 2, None, None], {-1: 0})
    bad(kind, "a refusal with an unknown critical extension", "unknownCriticalExtension", refusal)


DEVICE_DATA = {
    1: "Linux", 2: "6.8", 3: "x86_64", 4: "de_AT", 5: "Europe/Vienna", 6: 86_400, 7: "2.1", 8: "1.0.0", 9: "xterm-256color",
    16: "2026-02-28", 17: False, 18: True, 19: '{"branch":"Graz"}', 32: ["ethernet", "tunnel"], 40: True, 41: fill(0x9A, 16),
    48: True, 56: 48_210_000, 57: -16_370_000, 58: 1_000, 900: "later",
}


def device_data():
    kind = "DeviceData"
    good(kind, "all fields", DEVICE_DATA)
    good(kind, "one field", {17: True})
    good(kind, "64 fields", {1_000 + n: n for n in range(64)})
    four_kibibytes = {19: "x" * 1024, 900: "y" * 1024, 901: "z" * 1024, 902: "w" * 1000}
    four_kibibytes[902] += "w" * (4096 - len(cbor(four_kibibytes)))
    good(kind, "4,096 bytes", four_kibibytes)
    good(kind, "unknown fields", {
        900: "t" * 1024, 901: -TOO_BIG, 902: TOO_BIG - 1, 903: False, 904: fill(1, 16), 905: ["a"] * 16, TOO_BIG - 1: 0})
    good(kind, "keyed hashes", {number: fill(number % 256, 16) for number in DEVICE_DATA})
    good(kind, "the extremes", {6: 0, 16: "0000-01-01", 56: -90_000_000, 57: 180_000_000, 58: 1_000_000})
    bad(kind, "no field", "empty", {})
    bad(kind, "65 fields", "tooManyItems", {1_000 + n: n for n in range(65)})
    bad(kind, "4,097 bytes", "tooLarge", put(four_kibibytes, [902], four_kibibytes[902] + "w"))
    bad(kind, "an array", "unexpectedType", ["Linux"])
    bad(kind, "a name as key", "unexpectedType", {"system": "Linux"})
    bad(kind, "a negative key", "unexpectedType", {-1: 0})
    bad(kind, "a key beyond 63 bits", "integerOutOfRange", {TOO_BIG: 0})
    bad(kind, "a field twice", "duplicateMapKey", Map([(1, "a"), (1, "a")]))
    bad(kind, "fields not in order", "unsortedMapKeys", Map([(2, "a"), (1, "a")]))
    bad(kind, "bytes after the end", "trailingBytes", Raw(cbor({17: True}) + b"\x00"))
    limits = {1: 64, 2: 64, 3: 32, 4: 64, 5: 64, 7: 64, 8: 32, 9: 64, 19: 1024, 41: 32, 900: 1024}
    for number, limit in limits.items():
        good(kind, f"field {number} with the most bytes", {number: "x" * limit})
        bad(kind, f"field {number} too long", "tooLarge", {number: "x" * (limit + 1)})
        bad(kind, f"field {number} empty", "empty", {number: ""})
    for number in sorted(set(DEVICE_DATA) - {900}):
        bad(kind, f"field {number} as null", "unexpectedType", {number: None})
        bad(kind, f"field {number} with a short hash", "unexpectedLength", {number: fill(1, 15)})
        bad(kind, f"field {number} with a long hash", "unexpectedLength", {number: fill(1, 17)})
    for why, character in [
        ("a null character", "\0"), ("a line break", "\n"), ("a delete character", "\x7f"), ("a control character", "\x9f"),
        ("a line separator", "\u2028"), ("a right-to-left override", "\u202e"), ("an isolate", "\u2066"),
    ]:
        bad(kind, f"text with {why}", "invalidValue", {1: f"a{character}b"})
        bad(kind, f"unknown text with {why}", "invalidValue", {900: character})
        bad(kind, f"list with {why}", "invalidValue", {32: ["ethernet", character]})
    for why, code, value in [
        ("system as a number", "unexpectedType", {1: 1}),
        ("system as a list", "unexpectedType", {1: ["Linux"]}),
        ("uptime of a minute", "invalidValue", {6: 60}),
        ("uptime below 0", "invalidValue", {6: -1}),
        ("uptime as text", "unexpectedType", {6: "0"}),
        ("date of nine bytes", "invalidValue", {16: "2026-2-28"}),
        ("date with other separators", "invalidValue", {16: "2026/02/28"}),
        ("date of month 13", "invalidValue", {16: "2026-13-01"}),
        ("date of day 0", "invalidValue", {16: "2026-12-00"}),
        ("date of day 32", "invalidValue", {16: "2026-12-32"}),
        ("date with a time", "invalidValue", {16: "2026-12-01T00:00"}),
        ("date as a number", "unexpectedType", {16: 20_261_201}),
        ("rooted as a number", "unexpectedType", {17: 1}),
        ("rooted as text", "unexpectedType", {17: "false"}),
        ("no interface", "empty", {32: []}),
        ("17 interfaces", "tooManyItems", {32: ["eth0"] * 17}),
        ("interface without a name", "empty", {32: [""]}),
        ("interface of 33 bytes", "tooLarge", {32: ["i" * 33]}),
        ("interface as a number", "unexpectedType", {32: [1]}),
        ("interfaces as text", "unexpectedType", {32: "ethernet"}),
        ("latitude beyond the pole", "integerOutOfRange", {56: 90_000_001}),
        ("latitude beyond the other pole", "integerOutOfRange", {56: -90_000_001}),
        ("longitude beyond 180 degrees", "integerOutOfRange", {57: -180_000_001}),
        ("negative accuracy", "integerOutOfRange", {58: -1}),
        ("accuracy beyond the limit", "integerOutOfRange", {58: 1_000_001}),
        ("latitude as text", "unexpectedType", {56: "48.21"}),
        ("latitude as a floating-point number", "floatingPoint", {56: Raw(b"\xf9\x3c\x00")}),
        ("unknown field with null", "unexpectedType", {900: None}),
        ("unknown field with a map", "unexpectedType", {900: {}}),
        ("unknown field with 15 bytes", "unexpectedLength", {900: fill(1, 15)}),
        ("unknown field with an empty list", "empty", {900: []}),
        ("unknown field beyond 63 bits", "integerOutOfRange", {900: TOO_BIG}),
    ]:
        bad(kind, why, code, value)


def main():
    for make in [
        step1_request, step1_answer, step2_frames, refusal, registration, statements, provisioning, approvals, channel, plaintexts,
        method_registration, requests, answers, device_data,
    ]:
        make()

    def lines(rows):
        return ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)

    text = f'{{\n"messages": [\n{lines(messages)}\n],\n"refused": [\n{lines(refused)}\n]\n}}\n'
    (HERE / "messages.json").write_text(text)


main()
