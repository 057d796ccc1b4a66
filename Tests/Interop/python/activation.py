"""Steps 1 and 2 of an activation: CPace, and the keys that follow from it (article "Activation in four round trips")."""
import hashlib
import hmac
import os
import unicodedata

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import cose
import kem
from cose import encode, label, members, require

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CAPABILITIES = [1, 2, 3, 4, 5]
P = 2**255 - 19
A = 486662


def parse(activation_password):
    """Returns the handle and the eight characters of the secret. An unlock code has the same form."""
    text = activation_password.upper().translate(str.maketrans("ILO", "110", " -"))
    require(len(text) == 12 and all(c in ALPHABET for c in text), "an activation password that is none")
    symbols = [ALPHABET.index(c) for c in text]
    check = 0
    for symbol in symbols[:11]:  # Horner's rule; the last step multiplies by x, too
        check = times_x(check ^ symbol)
    require(check == symbols[11], "a typing error in the activation password")
    return symbols[0] * 1024 + symbols[1] * 32 + symbols[2], text[3:11].encode()


def times_x(symbol):
    """Multiplies by x in the field of 32 elements, where x⁵ = x² + 1."""
    symbol <<= 1
    return symbol ^ 0b100101 if symbol & 32 else symbol


def normalized(account):
    user, domain = account.rsplit("@", 1)
    return unicodedata.normalize("NFC", user) + "@" + domain.lower()


# CPace (draft-irtf-cfrg-cpace-20)
def lv_cat(*strings):
    return b"".join(leb128(len(string)) + string for string in strings)


def leb128(number):
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + leb128(number >> 7)


def generator(prs, ci, sid):
    padding = max(0, 128 - 1 - len(lv_cat(prs)) - len(lv_cat(b"CPace255")))
    hashed = hashlib.sha512(lv_cat(b"CPace255", prs, bytes(padding), ci, sid)).digest()[:32]
    return elligator2(int.from_bytes(hashed, "little") % 2**255 % P).to_bytes(32, "little")


def elligator2(r):
    v = -A * pow(1 + 2 * r * r, -1, P) % P
    is_square = pow(v**3 + A * v * v + v, (P - 1) // 2, P) in (0, 1)
    return v if is_square else (-v - A) % P


class Exchange:
    """One run of steps 1 and 2, with the requests in the order in which they are sent."""

    def __init__(self, activation_password, account, tenant, suite):
        self.handle, self.prs = parse(activation_password)
        self.account, self.tenant, self.suite = normalized(account), tenant, suite
        self.sid, self.scalar = os.urandom(16), os.urandom(32)
        self.device_key = ec.generate_private_key(ec.SECP256R1())
        self.client_random = os.urandom(32)

    def request1(self):
        ci = encode(["swift-orchestration/1", "authenticator", self.account, "platform", self.tenant])
        self.share = kem.x25519(self.scalar, generator(self.prs, ci, self.sid))
        self.xwing = kem.XWing() if self.suite == kem.HYBRID else None
        self.ad = encode([1, self.account, self.handle, [self.suite], CAPABILITIES, self.xwing and self.xwing.public])
        self.first = encode([1, self.sid, self.share, self.ad])
        return self.first

    def receive1(self, answer):
        _, body, tag = members(self.of_kind(2, answer), 3)
        sid, share, ad = members(cose.decode(body), 3)
        version, suite, capabilities, ciphertext = members(cose.decode(ad), 4)
        require(sid == self.sid and version == 1 and suite == self.suite, "an answer to another request")
        require(set(capabilities) <= set(CAPABILITIES), "a capability that was not offered")
        self.capabilities = list(capabilities)
        k = kem.x25519(self.scalar, share)
        secret = hashlib.sha512(lv_cat(b"CPace255_ISK", sid, k) + lv_cat(self.share, self.ad) + lv_cat(share, ad)).digest()
        require((ciphertext is None) == (self.xwing is None), "a ciphertext that does not belong to the suite")
        if self.xwing:
            secret += self.xwing.decapsulate(ciphertext)
        self.key = cose.extract("sha512", label("activation") + sid, secret)
        self.transcript = hashlib.sha512(self.first + body).digest()
        require(hmac.compare_digest(tag, self.derive("platform tag", 32)), "a wrong tag of the platform")

    def request2(self, name):
        point = self.device_key.public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
        registration = encode([[cose.ESP256, point], self.client_random, name, "python", [0, 1], {}])
        secret = self.derive("key request", 32)
        h = cose.hedged(cose.expand("sha512", cose.extract("sha512", b"", secret), label("hedge key request"), 32), registration)
        key = cose.expand("sha512", cose.extract("sha512", h, secret), label("key request"), 44)
        sealed = cose.seal(key, {1: cose.A256GCM, -65545: h}, registration)
        return encode([3, self.sid, self.derive("authenticator tag", 32), sealed])

    def receive2(self, answer):
        """Returns the provisioning and the four secrets of the device."""
        _, sid, sealed = members(self.of_kind(4, answer), 3)
        require(sid == self.sid, "an answer to another session")
        header = cose.header_of(sealed)
        require(set(header) == {1, -65543} and header[1] == cose.A256GCM and len(header[-65543]) == 32, "the header of answer 2 is not as described")
        extracted = cose.extract("sha512", header[-65543], self.derive("key answer", 32))
        plaintext = cose.open_sealed(cose.expand("sha512", extracted, label("key answer"), 44), sealed)
        provisioning = members(cose.decode(plaintext), 9)
        cose.extensions(provisioning[-1])
        device_id, platform_random = provisioning[0], provisioning[5]
        context = encode([self.client_random, platform_random, device_id, self.tenant, self.account])
        secret = self.derive("provisioning", 64)
        names = ("password instance", "other instance", "chain start", "preshared key")
        return provisioning, [cose.expand("sha512", secret, label(name) + context, 32) for name in names]

    def derive(self, name, count):
        return cose.expand("sha512", self.key, label(name) + self.transcript, count)

    def of_kind(self, kind, answer):
        item = cose.decode(answer)
        require(isinstance(item, (list, tuple)) and item, "an answer that is not an envelope")
        require(item[0] != 5, f"the activation is refused: {item}")
        require(item[0] == kind, f"an answer of kind {item[0]} instead of {kind}")
        return item
