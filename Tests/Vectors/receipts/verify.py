#!/usr/bin/env python3
"""Verifies a receipt offline: verify.py FILE --platform-keys FILE [--fingerprint HEX]. FILE has the receipt in base64url,
--platform-keys the JSON of GET /v1/platform-keys, once for each page. Exits 0 and prints what the receipt states, or exits 1
and names the step of the article "Receipts" that fails, with 0 for the key statements. Needs the package "cryptography"."""
import argparse, base64, hashlib, json, sys
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
DAY, MINUTES, OUTCOMES = 86_400_000, 300_000, ("rejected", "approved", "wrongNumber", "methodRefused")
REQUEST, ANSWER = "t t t b16 n t t a n n n n n b16? a2 m", "t b16 b32 n n? n n? t? n m"
CONFIRMATION, STATEMENT, PREFIX = "t t t b16 a2 b32 b32 n? n n b16? m", "n b32? n a m", b"swift-orchestration/1 "
def require(holds, step, why):
    if not holds: sys.exit(f"not valid: step {step}: {why}")
def sha256(data): return hashlib.sha256(data).digest()
def bytes_of(text): return base64.b64decode(text.strip() + "=" * (-len(text.strip()) % 4), b"-_", validate=True)
def head(major, n):  # the shortest head of an item (RFC 8949, section 4.2.1)
    size = 0 if n < 24 else 1 if n < 1 << 8 else 2 if n < 1 << 16 else 4 if n < 1 << 32 else 8
    return bytes([major << 5 | (23 + size.bit_length() if size else n)]) + (n.to_bytes(size, "big") if size else b"")
def item(data, i=0, depth=0):  # one item of deterministic CBOR, and the offset after it; a tagged item is a pair
    start, major, info, members, keys = i, data[i] >> 5, data[i] & 31, [], []
    size = 1 << info - 24 if 24 <= info < 28 else 0
    n, i = int.from_bytes(data[i + 1:i + 1 + size], "big") if size else info, i + 1 + size
    require(info < 28 and depth <= 8 and data[start:i] == head(major, n), 1, "an encoding that is not deterministic")
    if major < 2: return -1 - n if major else n, i
    if major == 7: return {20: False, 21: True, 22: None}[n], i
    if major < 4:
        require(i + n <= len(data), 1, "truncated")
        return data[i:i + n] if major == 2 else data[i:i + n].decode(), i + n
    for place in range({4: n, 5: 2 * n, 6: 1}[major]):
        start, (member, i) = i, item(data, i, depth + 1)
        members, keys = members + [member], keys + [data[start:i]][place % 2:]
    require(major != 5 or keys == sorted(set(keys)), 1, "map keys that are not in order")
    return (n, members[0]) if major == 6 else dict(zip(members[::2], members[1::2])) if major == 5 else members, i
def decoded(data, form):  # an array; its members are t text, n number, b bytes, a array, m map, with a length, and ? or null
    (value, end), kinds = item(data), form.split()
    require(end == len(data) and isinstance(value, list) and len(value) == len(kinds), 1, "another form")
    for member, kind in zip(value, kinds):
        if member is None and kind[-1] == "?": continue
        require(type(member) is dict(t=str, n=int, b=bytes, a=list, m=dict)[kind[0]], 1, "a member of another type")
        require(kind[1:] in ("", "?") or len(member) == int(kind[1:].rstrip("?")), 1, "a member of another length")
        require(kind != "m" or all(type(key) is int and key >= 0 for key in member), 1, "an unknown critical extension")
    return value
def sign1(data):  # protected header and its encoding, payload, signature
    (tag, (protected, unprotected, payload, signature)), end = item(data)
    require(tag == 18 and end == len(data) and unprotected == {}, 1, "not a COSE_Sign1")
    return item(protected)[0], protected, payload, signature
def known(members):  # the signatures of known algorithms over one payload
    signed = [each for each in map(sign1, members) if each[0].get(1) in (-19, -9)]
    require(signed and len({sign1(each)[2] for each in members}) == 1, 1, "no known algorithm, or different payloads")
    return signed
def verify(signed, label, step, header, key):
    require(signed[0] == header, step, "a header of another signer")
    covered = b"\x84\x6aSignature1" + b"".join(head(2, len(part)) + part for part in (signed[1], PREFIX + label, signed[2]))
    try:
        if header[1] == -19: return ed25519.Ed25519PublicKey.from_public_bytes(key).verify(signed[3], covered)
        pair = utils.encode_dss_signature(*(int.from_bytes(half, "big") for half in (signed[3][:32], signed[3][32:64])))
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key).verify(pair, covered, ec.ECDSA(hashes.SHA256()))
    except Exception: require(False, step, "a signature is not valid")
def by_platform(signed, label, step, keys, time, tolerance=DAY):
    key = keys.get(signed[0].get(4))
    require(key and key[4] - tolerance <= time and (key[5] is None or time <= key[5] + tolerance), step, "no key of its time")
    verify(signed, label, step, {1: -19, 4: key[0]}, key[3])
def published(statements, fingerprint):  # the signing keys by their ids, as the last statement with each of them has them
    keys, before, prints, last = {}, {}, [None], -1
    for number, members in enumerate(statements, 1):
        payload = known(members)[0][2]
        sequence, previous, time, listed, _ = decoded(payload, STATEMENT)
        now = {key[0]: key for key in listed if key[1:3] == [0, -19] and key[0] == sha256(key[3])[:8]}
        require(sequence == number and previous == prints[-1] and time > last, 0, "a statement that follows another one")
        require(all(keys.get(kid, key)[:5] == key[:5] for kid, key in now.items()), 0, "a known key that has changed")
        both = {kid: key for kid, key in (before or now).items() if kid in now}
        for signed in known(members): by_platform(signed, b"key statement", 0, both, time, 0)
        keys, before, last, prints = keys | now, now, time, prints + [sha256(payload)]
    require(keys and (fingerprint is None or fingerprint in prints), 0, "no statement has the fingerprint")
    return keys
def check(receipt, keys):
    request, answer, platform = decoded(receipt, "b b a")
    asked, answered, confirmed = sign1(request), sign1(answer), known(platform)
    _, tenant, account, _, _, _, name, _, method, rejection, digits, created, expiry, record, who, _ = decoded(asked[2], REQUEST)
    _, device, of, used, fallback, approves, reason, number, time, _ = decoded(answered[2], ANSWER)
    _, *place, (algorithm, key), of1, of2, verified, outcome, decided, decision, _ = decoded(confirmed[0][2], CONFIRMATION)
    for signed in confirmed: by_platform(signed, b"receipt", 2, keys, decided)
    require([of1, of2] == [sha256(request), sha256(answer)], 3, "another request or answer")
    by_platform(asked, b"approval request", 4, keys, created)
    verify(answered, b"approval answer", 5, {1: algorithm}, key)
    require([tenant, account, device, of, record] == [*place, of1, decision], 6, "another account, device or request")
    require(len(number or "") == digits * approves and approves == (reason is None), 7, "a number or reason")
    require((fallback is None) == (used == (method if approves else rejection)), 7, "a fallback")
    require({0: not approves, 1: approves, 2: approves and number, 3: True}.get(outcome), 7, "another outcome")
    require(outcome in (0, 3) if verified is None else verified == used or verified == 0 and used in (2, 3), 7, "another method")
    require(created <= decided <= expiry and abs(decided - time) <= MINUTES, 8, "not within the time of the request")
    others = {each[0][1] for each in map(sign1, platform)} - {-19, -9}
    print(f"{OUTCOMES[outcome]}: {account} at {tenant} for {who[1]}, request {name}; signatures not checked: {sorted(others)}")
options, step = argparse.ArgumentParser(), 0
for name in ("file", "--fingerprint"): options.add_argument(name)
options.add_argument("--platform-keys", action="append", default=[])
options = options.parse_args()
try:
    pages = [json.load(open(name)) for name in options.platform_keys]
    require("nextPage" not in pages[-1], 0, "the last page is missing")
    lists = [item(bytes_of(each["statement"]))[0] for page in pages for each in page["statements"]]
    keys, step = published(lists, options.fingerprint and bytes.fromhex(options.fingerprint)), 1
    check(bytes_of(open(options.file).read(16_386)), keys)
except (IndexError, KeyError, TypeError, ValueError) as error: require(False, step, f"another form: {error}")
