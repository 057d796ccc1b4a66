"""The two suites: X25519 and X-Wing, and HPKE in base mode with the AEAD "export-only" (article "The channel")."""
import hashlib
import os

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from cose import Refused, expand, extract, require

try:
    from cryptography.hazmat.primitives.asymmetric.mlkem import MLKEM768PrivateKey, MLKEM768PublicKey
    SUITES = [1, 2]
except ImportError:
    SUITES = [1]

CLASSIC, HYBRID = 1, 2
KEM_ID = {CLASSIC: 0x0020, HYBRID: 0x647A}


def x25519(scalar, point):
    """X25519 (RFC 7748). An all-zero result is refused, as for points of low order."""
    try:
        return X25519PrivateKey.from_private_bytes(scalar).exchange(X25519PublicKey.from_public_bytes(point))
    except ValueError as error:
        raise Refused("a point of low order") from error


def x25519_public(scalar):
    return X25519PrivateKey.from_private_bytes(scalar).public_key().public_bytes_raw()


class XWing:
    """X-Wing (draft-connolly-cfrg-xwing-kem-06)."""
    LABEL = b"\\.//^\\"

    def __init__(self, seed=None):
        expanded = hashlib.shake_256(seed or os.urandom(32)).digest(96)
        self.lattice = MLKEM768PrivateKey.from_seed_bytes(expanded[:64])
        self.scalar = expanded[64:]
        self.public = self.lattice.public_key().public_bytes_raw() + x25519_public(self.scalar)

    def decapsulate(self, ciphertext):
        require(len(ciphertext) == 1120, "an X-Wing ciphertext of the wrong length")
        point = ciphertext[1088:]
        return XWing.combine(self.lattice.decapsulate(ciphertext[:1088]), x25519(self.scalar, point), point, self.public[1184:])

    @staticmethod
    def encapsulate(public):
        require(len(public) == 1216, "an X-Wing key of the wrong length")
        secret, ciphertext = MLKEM768PublicKey.from_public_bytes(public[:1184]).encapsulate()
        scalar = os.urandom(32)
        point = x25519_public(scalar)
        return XWing.combine(secret, x25519(scalar, public[1184:]), point, public[1184:]), ciphertext + point

    @staticmethod
    def combine(lattice_secret, curve_secret, point, public_point):
        return hashlib.sha3_256(lattice_secret + curve_secret + point + public_point + XWing.LABEL).digest()


def labeled_extract(suite, salt, name, secret):
    return extract("sha256", salt, b"HPKE-v1" + suite + name + secret)


def labeled_expand(suite, key, name, info, count):
    return expand("sha256", key, count.to_bytes(2, "big") + b"HPKE-v1" + suite + name + info, count)


def encapsulate(suite, public):
    """Returns the shared secret and `enc` for a sealing key of the platform."""
    if suite == HYBRID:
        return XWing.encapsulate(public)
    scalar = os.urandom(32)
    enc, kem = x25519_public(scalar), b"KEM" + KEM_ID[CLASSIC].to_bytes(2, "big")
    key = labeled_extract(kem, b"", b"eae_prk", x25519(scalar, public))
    return labeled_expand(kem, key, b"shared_secret", enc + public, 32), enc


def exporter(suite, shared_secret, info):
    """Returns the function "export" of an HPKE context in base mode (RFC 9180, sections 5.1 and 5.3)."""
    hpke = b"HPKE" + KEM_ID[suite].to_bytes(2, "big") + (0x0001).to_bytes(2, "big") + (0xFFFF).to_bytes(2, "big")
    context = b"\x00" + labeled_extract(hpke, b"", b"psk_id_hash", b"") + labeled_extract(hpke, b"", b"info_hash", info)
    secret = labeled_extract(hpke, shared_secret, b"secret", b"")
    key = labeled_expand(hpke, secret, b"exp", context, 32)
    return lambda name, count: labeled_expand(hpke, key, b"sec", name, count)
