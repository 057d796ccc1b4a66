"""The format of a command: deterministic CBOR, COSE and the key derivation function (article "The format of a command")."""
import base64
import hashlib
import hmac
import os

import cbor2
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

ENCRYPT0, SIGN1 = 16, 18
A256GCM, ESP256, ED25519 = 3, -9, -19


class Refused(Exception):
    """A message that the client does not accept."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


def encode(item):
    return cbor2.dumps(item, canonical=True)


def decode(data):
    """Decodes one item, and refuses an encoding that is not deterministic."""
    item = cbor2.loads(data)
    require(encode(item) == data, "an encoding that is not deterministic")
    return item


def members(item, count):
    require(isinstance(item, (list, tuple)) and len(item) == count, f"an array that does not have {count} members")
    return item


def extensions(item):
    """Ignores unknown extensions and refuses unknown critical ones. This client knows no critical one."""
    require(isinstance(item, (dict, cbor2.frozendict)), "extensions that are not a map")
    require(all(isinstance(key, int) and key >= 0 for key in item), "an unknown critical extension")


def label(text):
    return b"swift-orchestration/1 " + text.encode()


def to_text(command):
    return base64.urlsafe_b64encode(command).rstrip(b"=").decode()


def from_text(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


# HKDF (RFC 5869)
def extract(name, salt, secret):
    return hmac.new(salt or bytes(hashlib.new(name).digest_size), secret, name).digest()


def expand(name, key, info, count):
    output, block, number = b"", b"", 1
    while len(output) < count:
        block = hmac.new(key, block + info + bytes([number]), name).digest()
        output, number = output + block, number + 1
    return output[:count]


def hkdf256(secret, salt, info, count):
    return expand("sha256", extract("sha256", salt, secret), info, count)


def hedged(key, plaintext):
    """The random value in the header of a sealed message."""
    return hmac.new(key, os.urandom(32) + plaintext, "sha256").digest()


# COSE_Encrypt0 (RFC 9052, section 5.2)
def seal(key_and_nonce, header, plaintext):
    protected = encode(header)
    context = encode(["Encrypt0", protected, b""])
    sealed = AESGCM(key_and_nonce[:32]).encrypt(key_and_nonce[32:], plaintext, context)
    return encode(cbor2.CBORTag(ENCRYPT0, [protected, {}, sealed]))


def header_of(sealed):
    protected, unprotected, _ = tagged(sealed, ENCRYPT0, 3)
    require(len(unprotected) == 0, "an unprotected header")
    return decode(protected)


def open_sealed(key_and_nonce, sealed):
    protected, _, ciphertext = tagged(sealed, ENCRYPT0, 3)
    try:
        return AESGCM(key_and_nonce[:32]).decrypt(key_and_nonce[32:], ciphertext, encode(["Encrypt0", protected, b""]))
    except InvalidTag as error:
        raise Refused("a seal that does not open") from error


# COSE_Sign1 (RFC 9052, section 4.2)
def sign(device_key, kind, payload):
    protected = encode({1: ESP256})
    signed = encode(["Signature1", protected, label(kind), payload])
    r, s = utils.decode_dss_signature(device_key.sign(signed, ec.ECDSA(hashes.SHA256())))
    signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
    return encode(cbor2.CBORTag(SIGN1, [protected, {}, payload, signature]))


def verified(sign1, kind, signing_key):
    """Returns the payload of a message that the platform has signed with (key id, key)."""
    protected, unprotected, payload, signature = tagged(sign1, SIGN1, 4)
    require(len(unprotected) == 0, "an unprotected header")
    require(decode(protected) == {1: ED25519, 4: signing_key[0]}, "the header of another signer")
    try:
        Ed25519PublicKey.from_public_bytes(signing_key[1]).verify(
            signature, encode(["Signature1", protected, label(kind), payload]))
    except InvalidSignature as error:
        raise Refused("a wrong signature of the platform") from error
    return decode(payload)


def tagged(data, tag, count):
    item = decode(data)
    require(isinstance(item, cbor2.CBORTag) and item.tag == tag, f"an item without the tag {tag}")
    return members(item.value, count)
