#!/usr/bin/env python3
"""Makes the JSON files of this folder from the protocol articles.

An independent implementation in another language, made from the articles alone. The Swift code must agree with it byte
for byte. It is slow, not constant in time, and only for this purpose. Needs Python 3.9 and the package "cryptography".
"""
import hashlib, hmac, json, os, sys, unicodedata
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import xwing  # noqa: E402
from deterministic import cbor, tagged  # noqa: E402

P = 2**255 - 19
J = 486662


def pattern(start, count):
    """Bytes that count up, so that a vector can be read."""
    return bytes((start + i) & 0xFF for i in range(count))


# HKDF (RFC 5869)
def extract(hash_name, salt, ikm):
    return hmac.new(salt or bytes(hashlib.new(hash_name).digest_size), ikm, hash_name).digest()


def expand(hash_name, prk, info, count):
    out, block, i = b"", b"", 1
    while len(out) < count:
        block = hmac.new(prk, block + info + bytes([i]), hash_name).digest()
        out += block
        i += 1
    return out[:count]


def hkdf256(ikm, salt, info, count):
    return expand("sha256", extract("sha256", salt, ikm), info, count)


# X25519 (RFC 7748)
def x25519(scalar, point):
    k = bytearray(scalar)
    k[0] &= 248
    k[31] = k[31] & 127 | 64
    k = int.from_bytes(k, "little")
    u = int.from_bytes(point, "little") & (2**255 - 1)
    x2, z2, x3, z3, swap = 1, 0, u, 1, 0
    for t in range(254, -1, -1):
        bit = k >> t & 1
        if swap ^ bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swap = bit
        a, b, c, d = (x2 + z2) % P, (x2 - z2) % P, (x3 + z3) % P, (x3 - z3) % P
        aa, bb, da, cb = a * a, b * b, d * a, c * b
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % P, u * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, e * (aa + 121665 * e) % P
    if swap:
        x2, z2 = x3, z3
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


BASE = (9).to_bytes(32, "little")


# CPace (draft-irtf-cfrg-cpace-20)
def leb128(n):
    out = b""
    while n >= 128:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def lv_cat(*strings):
    return b"".join(leb128(len(s)) + s for s in strings)


def generator(prs, ci, sid):
    dsi = b"CPace255"
    zeros = max(0, 128 - len(lv_cat(prs)) - len(lv_cat(dsi)) - 1)
    u = int.from_bytes(hashlib.sha512(lv_cat(dsi, prs, bytes(zeros), ci, sid)).digest()[:32], "little")
    u = (u & (2**255 - 1)) % P
    x = -J * pow(1 + 2 * u * u, P - 2, P) % P
    if pow(x**3 + J * x * x + x, (P - 1) // 2, P) not in (0, 1):
        x = (-x - J) % P
    return x.to_bytes(32, "little")


def encrypt0(key_and_nonce, header, plaintext):
    protected = cbor(header)
    aad = cbor(["Encrypt0", protected, b""])
    sealed = AESGCM(key_and_nonce[:32]).encrypt(key_and_nonce[32:], plaintext, aad)
    return bytes(tagged(16, [protected, {}, sealed]))


def label(text):
    return b"swift-orchestration/1 " + text.encode()


def hedged(key, random, plaintext):
    """The random value in the header of a sealed message."""
    return hmac.new(key, random + plaintext, "sha256").digest()


def next_state(state, index, device_input, platform_input):
    """The key ratchet: D(i+1) from D(i), a and b."""
    return hkdf256(state + device_input + platform_input, b"", b"chain" + index.to_bytes(8, "big"), 32)


def ratchet_tag(state, tenant, device_id, device_input, message):
    """The tag of a request at a state of the key ratchet."""
    key = hkdf256(state, b"", label("ratchet tag") + cbor([tenant, device_id]), 32)
    return hmac.new(key, (device_input or bytes(32)) + message, "sha256").digest()


def activation(suite):
    code, handle, account, tenant = b"A2B3C4D5", 0x1234, "alice@master", "default"
    sid, scalar_a, scalar_b = pattern(0x10, 16), pattern(0x40, 32), pattern(0x80, 32)
    ci = cbor(["swift-orchestration/1", "authenticator", account, "platform", tenant])
    g = generator(code, ci, sid)
    share_a, share_b = x25519(scalar_a, g), x25519(scalar_b, g)
    seed, hybrid_random = pattern(0x61, 32), pattern(0x18, 64)
    hybrid_key = xwing.public_key(seed, x25519, BASE) if suite == 2 else None
    hybrid_secret, ciphertext = xwing.encapsulate(hybrid_key, hybrid_random, x25519, BASE) if suite == 2 else (b"", None)
    ad_a = cbor([1, account, handle, [suite], [1, 2, 3, 4, 5], hybrid_key])
    ad_b = cbor([1, suite, [1, 3], ciphertext])
    request1 = cbor([1, sid, share_a, ad_a])
    body = cbor([sid, share_b, ad_b])
    k = x25519(scalar_a, share_b)
    isk = hashlib.sha512(lv_cat(b"CPace255_ISK", sid, k) + lv_cat(share_a, ad_a) + lv_cat(share_b, ad_b)).digest()
    prk = extract("sha512", label("activation") + sid, isk + hybrid_secret)
    th = hashlib.sha512(request1 + body).digest()
    derive = lambda name, count: expand("sha512", prk, label(name) + th, count)
    answer1 = cbor([2, body, derive("platform tag", 32)])
    device_key = bytes.fromhex("036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")
    client_random, platform_random, device_id = pattern(0xA0, 32), pattern(0xC0, 32), pattern(0xE0, 16)
    registration = cbor([[-9, device_key], client_random, "phone", "1.0", [1], {}])

    def sealed(name, random_label, random, plaintext):
        """Request 2 or answer 2, sealed with its secret."""
        secret = derive(name, 32)
        value = hedged(expand("sha512", extract("sha512", b"", secret), label("hedge " + name), 32), random, plaintext)
        key = expand("sha512", extract("sha512", value, secret), label(name), 44)
        return encrypt0(key, {1: 3, random_label: value}, plaintext)

    request_random, answer_random = pattern(0x38, 32), pattern(0x28, 32)
    request2 = cbor([3, sid, derive("authenticator tag", 32), sealed("key request", -65545, request_random, registration)])
    sealing = x25519(pattern(0x50, 32), BASE) if suite == 1 else xwing.public_key(pattern(0x50, 32), x25519, BASE)
    statement = signed(statement_payload(None, NOT_BEFORE, [signing_key(0x60), stated(sealing, 1, suite)]), pattern(0x60, 32))
    provisioning = cbor([device_id, ["P-1", "O-1"], statement, [6, 8, True, 5], [], platform_random, 1_700_000_000_000, 1800, {}])
    answer2 = cbor([4, sid, sealed("key answer", -65543, answer_random, provisioning)])
    secret = derive("provisioning", 64)
    info = cbor([client_random, platform_random, device_id, tenant, account])
    last = lambda name: expand("sha512", secret, label(name) + info, 32)
    vector = {
        "suite": suite, "code": code, "handle": handle, "account": account, "tenant": tenant, "sessionID": sid, "scalarA": scalar_a,
        "scalarB": scalar_b, "generator": g, "request1": request1, "answer1": answer1, "registration": registration,
        "request2Random": request_random, "request2": request2, "provisioning": provisioning,
        "answer2Random": answer_random, "answer2": answer2,
        "passwordInstance": last("password instance"), "otherInstance": last("other instance"),
        "chainStart": last("chain start"), "presharedKey": last("preshared key"),
    }
    hybrid = {"hybridSeed": seed, "hybridRandom": hybrid_random, "hybridKey": hybrid_key, "hybridSecret": hybrid_secret}
    return {**vector, **hybrid} if suite == 2 else vector


# Activation passwords: Crockford's Base32 with a check character
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def activation_password(handle, code):
    symbols = [handle >> 10, handle >> 5 & 31, handle & 31] + [ALPHABET.index(c) for c in code]
    check = 0
    for place, symbol in enumerate(symbols):
        for _ in range(11 - place):  # times x, where x⁵ = x² + 1
            symbol = symbol << 1 ^ (0b100101 if symbol & 16 else 0)
        check ^= symbol
    text = "".join(ALPHABET[symbol] for symbol in symbols + [check])
    return "-".join((text[:4], text[4:8], text[8:]))


# Codes: HOTP (RFC 4226) with HMAC-SHA-256, and OCRA (RFC 6287) with a hashed question
def hotp(key, message):
    mac = hmac.new(key, message, "sha256").digest()
    at = mac[-1] & 15
    return f"{(int.from_bytes(mac[at:at + 4], 'big') & 0x7FFFFFFF) % 10**8:08}"


def ocra(key, suite, question, counter=b""):
    return hotp(key, suite + b"\x00" + counter + hashlib.sha256(cbor(question)).digest() + bytes(96))


def code_pair(secret, host_secret, ratchet, tenant, device_id, instance, application, counter, challenge, fields,
              purpose="signature"):
    """The code of an application, and the host code for it."""
    context = cbor([tenant, device_id, instance, application])
    key = hkdf256(secret + ratchet, b"", label("code key") + context, 32)
    host_key = hkdf256(host_secret + ratchet, b"", label("host code key") + context, 32)
    if application <= 2:
        code = hotp(key, counter.to_bytes(8, "big"))
    elif application == 3:
        question = ["challenge", tenant, instance, 3, challenge, None, []]
        code = ocra(key, b"OCRA-1:HOTP-SHA256-8:QH64", question)
    else:
        question = [purpose, tenant, instance, 4, None, counter, fields]
        code = ocra(key, b"OCRA-1:HOTP-SHA256-8:C-QH64", question, counter.to_bytes(8, "big"))
    host_question = ["host", tenant, instance, application, challenge, counter, fields]
    return code, ocra(host_key, b"OCRA-1:HOTP-SHA256-8:QH64", host_question)


def codes():
    tenant, device_id, index = "default", pattern(0x20, 16), 3
    secrets = {1: pattern(0xD0, 32), 2: pattern(0x35, 32)}
    ratchet = pattern(0x05, 32)
    for i in range(1, index + 1):
        ratchet = next_state(ratchet, i, pattern(0x11 * i, 32), pattern(0x88 + i, 32))
    time, challenge = 1_700_000_010_000, "4938-2716"
    # Of the last application, fields without labels, with labels, and one of each kind.
    labeled = [["Amount", "10 EUR"], ["To", "Zoë"]]
    cases = [(1, []), (2, []), (3, []), (4, ["10 EUR", "Zoë"]), (4, labeled), (4, [["Amount", "10 EUR"], "Zoë"])]
    rows = []
    for instance in (1, 2):
        for application, fields in cases:
            counter = {1: time // 1000 // 30, 2: 7, 3: None, 4: 9}[application]
            asked = challenge if application == 3 else None
            code, host_code = code_pair(
                secrets[instance], secrets[2], ratchet, tenant, device_id, instance, application, counter, asked, fields)
            rows.append({"instance": instance, "application": application, "counter": counter, "challenge": asked,
                         "fields": fields, "code": code, "hostCode": host_code})
    # A file with a name, which is normalized before it is sealed, and a text.
    seals = []
    for instance in (1, 2):
        for name, data in (("Vertra\u0308ge.pdf", bytes(range(256)) * 300), (None, "Ich kündige, Zoë".encode())):
            digest = hashlib.sha256(data).hexdigest()
            fields = ([unicodedata.normalize("NFC", name)] if name else []) + [digest]
            code, host_code = code_pair(secrets[instance], secrets[2], ratchet, tenant, device_id, instance, 4, 11, None,
                                        fields, "seal")
            seals.append({"instance": instance, "counter": 11, "name": name, "text": None if name else data.decode(),
                          "digest": digest, "code": code, "hostCode": host_code})
    passwords = [{"handle": handle, "secret": code, "text": activation_password(handle, code)}
                 for handle, code in ((0x1234, "A2B3C4D5"), (0, "00000000"), (0x7FFF, "ZZZZZZZZ"), (1, "7XKQ9M0T"))]
    return {"tenant": tenant, "account": "alice@master", "deviceID": device_id, "passwordInstance": secrets[1],
            "otherInstance": secrets[2], "ratchetIndex": index, "ratchet": ratchet, "time": time, "codes": rows,
            "seals": seals, "activationPasswords": passwords}


# Key statements
NOT_BEFORE = 1_690_000_000_000


def public_key(seed):
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def stated(key, use, algorithm, not_before=NOT_BEFORE, not_after=None):
    return [hashlib.sha256(key).digest()[:8], use, algorithm, key, not_before, not_after]


def signing_key(start, not_before=NOT_BEFORE, not_after=None):
    return stated(public_key(pattern(start, 32)), 0, -19, not_before, not_after)


def signed_by(seed, aad, payload):
    protected = cbor({1: -19, 4: hashlib.sha256(public_key(seed)).digest()[:8]})
    signature = Ed25519PrivateKey.from_private_bytes(seed).sign(cbor(["Signature1", protected, label(aad), payload]))
    return bytes(tagged(18, [protected, {}, payload, signature]))


def statement_payload(before, time, keys):
    """The payload of the statement that follows another one, or of the first one; its keys are in the order of their ids."""
    number = 1 if before is None else before["sequence"] + 1
    previous = None if before is None else hashlib.sha256(before["payload"]).digest()
    return {"sequence": number, "payload": cbor([number, previous, time, sorted(keys), {}])}


def signed(statement, *seeds):
    """A statement as a list of signatures."""
    return [signed_by(seed, "key statement", statement["payload"]) for seed in seeds]


def statements():
    """Four statements: the first, a rotation at once, one that is announced, and one of signing keys only."""
    day = 86_400_000
    sealing = [x25519(pattern(start, 32), BASE) for start in (0x50, 0x51, 0x52)]
    seeds = [pattern(start, 32) for start in (0x60, 0x61, 0x62, 0x63)]
    t = [NOT_BEFORE + 100 * day * n for n in range(4)]
    # The third one is made 10 days before its keys are in use.
    made = [t[0], t[1], t[2] - 10 * day, t[3]]
    first = [signing_key(0x60), stated(sealing[0], 1, 1)]
    second = [
        signing_key(0x60, t[0], t[1]), signing_key(0x61, t[1]),
        stated(sealing[0], 1, 1, t[0], t[1] + 30 * day), stated(sealing[1], 1, 1, t[1]),
    ]
    third = [
        signing_key(0x61, t[1], t[2]), signing_key(0x62, t[2]),
        stated(sealing[1], 1, 1, t[1], t[2] + 30 * day), stated(sealing[2], 1, 1, t[2]),
    ]
    fourth = [
        signing_key(0x62, t[2], t[3]), signing_key(0x63, t[3]),
        stated(sealing[1], 1, 1, t[1], t[2] + 30 * day), stated(sealing[2], 1, 1, t[2]),
    ]
    # The signer of a statement is listed in the one before and in itself.
    signers = [seeds[0], seeds[0], seeds[1], seeds[2]]
    row, before = [], None
    for time, keys in zip(made, [first, second, third, fourth]):
        before = statement_payload(before, time, keys)
        row.append(before)
    lists = [signed(statement, signer) for statement, signer in zip(row, signers)]
    other = statement_payload(None, t[0] + 1, first)

    def instead(keys=second, signer=seeds[0], before=row[0], time=made[1]):
        """Another statement instead of the second one."""
        return cbor(signed(statement_payload(before, time, keys), signer))

    def with_old_key(*key):
        """The keys of statement 2, with another entry of the first signing key."""
        return [signing_key(0x60, *key)] + second[1:]

    return {
        "statements": [cbor(each) for each in lists],
        "fingerprints": [hashlib.sha256(statement["payload"]).digest() for statement in row],
        "times": made,
        "signingSeeds": seeds, "signingPeriods": [[t[0], t[1]], [t[1], t[2]], [t[2], t[3]], [t[3], None]],
        "sealingKeyIDs": [hashlib.sha256(key).digest()[:8] for key in sealing], "sealingFrom": t[:3],
        # Each refused instead of statement 2, after statement 1.
        "refused": [
            ["a statement is missing", "statementGap", cbor(lists[2])],
            ["signed by a key of the new statement only", "statementSigner", instead(signer=seeds[1])],
            ["an altered signature", "notAuthentic", cbor([altered(lists[1][0])])],
            ["a key under the id of another", "wrongKey", instead([[pattern(1, 8)] + second[0][1:]] + second)],
            ["no sealing key", "noUsableKey", instead(second[:2])],
            ["the hash of another statement 1", "statementFork", instead(before=other)],
            ["no later than statement 1", "statementTime", instead(time=made[0])],
            ["earlier than statement 1", "statementTime", instead(time=made[0] - 1)],
            ["a known key that begins earlier", "statementKeys", instead(with_old_key(t[0] - 1, t[1]))],
            ["a known key that begins later", "statementKeys", instead(with_old_key(t[0] + 1, t[1]))],
        ],
        # Each refused instead of statement 3, after statement 2.
        "refusedLater": [
            ["signed by the replaced key, which statement 2 still lists", "keyNotValid",
             cbor(signed(statement_payload(row[1], t[1] + 1, second), seeds[0]))],
            ["a replaced key without its end", "statementKeys",
             cbor(signed(statement_payload(row[1], made[2], with_old_key(t[0])), seeds[1]))],
            ["a replaced key with a later end", "statementKeys",
             cbor(signed(statement_payload(row[1], made[2], with_old_key(t[0], t[1] + 1)), seeds[1]))],
        ],
    }


def altered(sign1):
    """A signature with its last bit changed."""
    return sign1[:-1] + bytes([sign1[-1] ^ 1])


# HPKE (RFC 9180), base mode, DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, export-only
def hpke_exporter(shared_point, enc, public, info):
    def labeled_extract(suite, salt, name, ikm):
        return extract("sha256", salt, b"HPKE-v1" + suite + name + ikm)

    def labeled_expand(suite, prk, name, context, count):
        return expand("sha256", prk, count.to_bytes(2, "big") + b"HPKE-v1" + suite + name + context, count)

    kem = b"KEM" + (0x20).to_bytes(2, "big")
    suite = b"HPKE" + (0x20).to_bytes(2, "big") + (1).to_bytes(2, "big") + (0xFFFF).to_bytes(2, "big")
    prk = labeled_extract(kem, b"", b"eae_prk", shared_point)
    shared = labeled_expand(kem, prk, b"shared_secret", enc + public, 32)
    context = b"\x00" + labeled_extract(suite, b"", b"psk_id_hash", b"") + labeled_extract(suite, b"", b"info_hash", info)
    secret = labeled_extract(suite, shared, b"secret", b"")
    exporter = labeled_expand(suite, secret, b"exp", context, 32)
    return lambda context, count: labeled_expand(suite, exporter, b"sec", context, count)


def channel():
    tenant, device_id, psk = "default", pattern(0x20, 16), pattern(0x30, 32)
    private, ephemeral = pattern(0x50, 32), pattern(0x70, 32)
    public, enc = x25519(private, BASE), x25519(ephemeral, BASE)
    kid = hashlib.sha256(public).digest()[:8]
    request_id, expiry = pattern(0x90, 16), 1_700_000_120_000
    request_random, answer_random = pattern(0xA8, 32), pattern(0xB0, 32)
    info = cbor(["swift-orchestration/1 request", 1, tenant, kid, device_id])
    export = hpke_exporter(x25519(ephemeral, public), enc, public, info)
    request_plain, answer_plain = b"what the device asks for", b"what the platform answers"
    h = hedged(hkdf256(psk, b"", label("hedge request"), 32), request_random, request_plain)
    header = {1: 3, 4: device_id, -65537: 1, -65538: 1, -65539: enc, -65540: request_id, -65541: expiry, -65542: kid, -65545: h}
    request_key = hkdf256(export(b"request", 32), psk + h, b"request", 44)
    request = encrypt0(request_key, header, request_plain)
    digest = hashlib.sha256(request).digest()
    r = hedged(hkdf256(psk, b"", label("hedge answer"), 32), answer_random, digest + answer_plain)
    answer_header = {1: 3, 4: device_id, -65537: 1, -65543: r, -65544: digest}
    answer = encrypt0(hkdf256(export(b"answer", 32), psk + r, b"answer", 44), answer_header, answer_plain)

    secret, d0 = pattern(0xD0, 32), pattern(0x05, 32)
    inputs = [[pattern(0x15, 32), pattern(0x95, 32)], [pattern(0x25, 32), pattern(0xA5, 32)]]
    d1 = next_state(d0, 1, *inputs[0])
    d2 = next_state(d1, 2, *inputs[1])
    tags = [ratchet_tag(d2, tenant, device_id, a, b"a signed message") for a in (None, pattern(0x45, 32))]
    proof_key = hkdf256(secret + d2, b"", label("proof key") + cbor([tenant, device_id, 1, 1, 0]), 32)
    proof = hmac.new(proof_key, b"answer" + b"a signed message", "sha256").digest()
    code_key = hkdf256(secret + d2, b"", label("code key") + cbor([tenant, device_id, 1, 3]), 32)
    host_key = hkdf256(secret + d2, b"", label("host code key") + cbor([tenant, device_id, 2, 3]), 32)
    question = hashlib.sha256(cbor(["signature", tenant, 1, 4, None, 7, ["10 EUR", "Zoë"]])).digest()

    signing = Ed25519PrivateKey.from_private_bytes(pattern(0x60, 32))
    verifying = signing.public_key().public_bytes_raw()
    payload = cbor(["synchronize/answer", 1, tenant, "alice@master", device_id, request_id, 1_700_000_000_000, 2, 0,
                    [0, [5, [1, 3], [6, 12, True, 5], 5, 1, 5, []]], {}])
    protected = cbor({1: -19, 4: hashlib.sha256(verifying).digest()[:8]})
    signed = cbor(["Signature1", protected, b"swift-orchestration/1 synchronize/answer", payload])
    sign1 = bytes(tagged(18, [protected, {}, payload, signing.sign(signed)]))
    return {
        "tenant": tenant, "deviceID": device_id, "presharedKey": psk, "platformPrivateKey": private,
        "platformPublicKey": public, "platformKeyID": kid, "requestID": request_id, "expiry": expiry,
        "requestPlaintext": request_plain, "requestRandom": request_random, "requestHedged": h,
        "exportedRequest": export(b"request", 32), "requestKey": request_key, "request": request, "requestHash": digest,
        "answerRandom": answer_random, "answerPlaintext": answer_plain, "answer": answer,
        "secret": secret, "chain0": d0, "chain1": d1, "chain2": d2, "ratchetInputs": inputs,
        "taggedInput": pattern(0x45, 32), "tags": tags, "proofMessage": b"a signed message", "proof": proof,
        "codeKey": code_key, "hostCodeKey": host_key, "question": question,
        "signingKey": pattern(0x60, 32), "verifyingKey": verifying, "signedAnswer": sign1,
    }


def password():
    """Three generations of K₁, and a proof and a code at the last one."""
    tenant, device_id = "default", pattern(0x20, 16)
    secrets, changes = [pattern(0xD0, 32)], [pattern(start, 32) for start in (0xC0, 0x71, 0x3A)]
    for change in changes:
        secrets.append(bytes(a ^ b for a, b in zip(secrets[-1], change)))
    ratchet = pattern(0x05, 32)
    proof_key = hkdf256(secrets[-1] + ratchet, b"", label("proof key") + cbor([tenant, device_id, 1, 1, 3]), 32)
    return {
        "tenant": tenant, "deviceID": device_id, "secrets": secrets, "changes": changes,
        "ratchet": ratchet, "proofMessage": b"a signed message",
        "proof": hmac.new(proof_key, b"answer" + b"a signed message", "sha256").digest(),
        "codeKey": hkdf256(secrets[-1] + ratchet, b"", label("code key") + cbor([tenant, device_id, 1, 1]), 32),
    }


def methods():
    """Registrations of biometric and face, and proofs and codes of their instances."""
    tenant, device_id, ratchet, possession = "default", pattern(0x20, 16), pattern(0x05, 32), pattern(0x35, 32)
    time, challenge, fields = 1_700_000_010_000, "4938-2716", [["Amount", "10 EUR"], "Zoë"]
    rows = []
    for instance, method, protection, number in ((3, 2, 1, 0x4321), (4, 3, 2, 0x8765)):
        secret, private = pattern(0x40 * instance, 32), ec.derive_private_key(number, ec.SECP256R1())
        point = private.public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
        payload = cbor(["method", device_id, method, protection, [-9, point], {}])
        protected = cbor({1: -9})
        covered = cbor(["Signature1", protected, label("method registration"), payload])
        r, s = utils.decode_dss_signature(private.sign(covered, ec.ECDSA(hashes.SHA256(), deterministic_signing=True)))
        signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
        proof_key = hkdf256(secret + ratchet, b"", label("proof key") + cbor([tenant, device_id, instance, method, 2]), 32)
        row = []
        for application in (1, 2, 3, 4):
            counter = {1: time // 1000 // 30, 2: 7, 3: None, 4: 9}[application]
            asked, signed_fields = challenge if application == 3 else None, fields if application == 4 else []
            code, host_code = code_pair(
                secret, possession, ratchet, tenant, device_id, instance, application, counter, asked, signed_fields)
            row.append({"application": application, "counter": counter, "challenge": asked, "fields": signed_fields,
                        "code": code, "hostCode": host_code})
        rows.append({
            "instance": instance, "method": method, "protection": protection, "secret": secret,
            "privateKey": number.to_bytes(32, "big"), "publicKey": point, "payload": payload,
            "registration": bytes(tagged(18, [protected, {}, payload, signature])), "generation": 2,
            "proof": hmac.new(proof_key, b"answer" + b"a signed message", "sha256").digest(), "codes": row,
        })
    return {"tenant": tenant, "account": "alice@master", "deviceID": device_id, "ratchet": ratchet,
            "possessionInstance": possession, "proofMessage": b"a signed message", "time": time, "methods": rows}


def hexadecimal(value):
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list):
        return [hexadecimal(member) for member in value]
    if isinstance(value, dict):
        return {key: hexadecimal(member) for key, member in value.items()}
    return value


xwing.self_test(x25519, BASE)
for name, vector in (("activation", activation(1)), ("activation-hybrid", activation(2)), ("channel", channel()),
                     ("codes", codes()), ("statements", statements()), ("password", password()),
                     ("methods", methods())):
    text = hexadecimal(vector)
    with open(os.path.join(HERE, name + ".json"), "w") as file:
        json.dump(text, file, indent=2, ensure_ascii=False)
        file.write("\n")
