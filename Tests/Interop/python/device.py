"""An activated device: the channel, its messages, the key ratchet and the codes (articles "The channel", "The messages",
"A password that cannot be tested on the device", "Authentication methods" and "Activation in four round trips")."""
import hashlib
import hmac
import os
import time

import cose
import kem
import statements
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from activation import CAPABILITIES, parse
from cose import encode, hkdf256, label, members, require

PASSWORD, OTHER, BIOMETRIC, FACE = 1, 2, 3, 4  # the instances, and the methods that prove them
METHOD = {PASSWORD: 1, OTHER: 0, BIOMETRIC: 2, FACE: 3}
SOFTWARE, SYSTEM, PROVIDER = 0, 1, 2  # what releases the keys of a method
LIFETIME = 290_000  # milliseconds


class RefusedByPlatform(Exception):
    """A refusal that the platform has signed, with its code and the remaining tries."""

    def __init__(self, code, tries):
        super().__init__(f"refused with code {code}")
        self.code, self.tries = code, tries


def refusal(request):
    """Returns the code with which the platform refuses a request."""
    return counted_refusal(request)[0]


def counted_refusal(request):
    """Returns the code with which the platform refuses a request, and the remaining tries."""
    try:
        request()
    except RefusedByPlatform as refused:
        return refused.code, refused.tries
    raise AssertionError("a request that was not refused")


def now():
    return int(time.time() * 1000)


class Device:
    def __init__(self, exchange, provisioning, secrets, send):
        self.id, self.serial_numbers, statement, self.policy, applications = provisioning[:5]
        self.offset = provisioning[6] - now()
        self.tenant, self.account, self.suite = exchange.tenant, exchange.account, exchange.suite
        self.device_key, self.capabilities, self.send = exchange.device_key, exchange.capabilities, send
        self.platform_keys = statements.first(statement, self.suite)
        self.applications = {application[0]: application for application in applications}
        self.secrets = {PASSWORD: secrets[0], OTHER: secrets[1]}
        self.points = {}  # the public keys of the enrolled methods
        self.ratchet, self.preshared_key = secrets[2], secrets[3]
        self.index, self.generation, self.input = 0, 0, os.urandom(32)
        self.data, self.known_data, self.wish, self.extensions = None, None, None, {}
        self.notice = 0
        self.counters = {index: 0 for index, application in self.applications.items() if application[1] in (0, 1, 3)}

    def platform_time(self):
        """The estimate of the platform's clock."""
        return now() + self.offset

    # Messages

    def prove_password(self):
        """Step 3 of the activation. Returns the receipt as it was received."""
        return self.ask("activation.password", [], PASSWORD)[1]

    def complete(self, receipt):
        self.ask("activation.complete", [hashlib.sha256(receipt).digest(), False], OTHER)

    def register_notifications(self):
        self.ask("notifications.register", ["pull:" + self.id.hex()])

    def synchronize(self, generation=None, tries=None, devices=1):
        """Requires the values that this device expects: its own generation, all tries and no other device unless the caller
        gives other ones, and what it got at its activation. While a change of the password is open, the platform is at the
        generation before."""
        counters = [[index, counter] for index, counter in sorted(self.counters.items())]
        answer, _ = self.ask(
            "synchronize", [self.generation, counters, CAPABILITIES, self.platform_keys.sequence, self.notice])
        *answer, notices = members(answer, 7)
        for number, _, _, device in notices:
            require(number > self.notice and len(device) == 16, f"notice {number} after {self.notice}")
            self.notice = number
        expected = [self.generation if generation is None else generation, self.capabilities, self.policy,
                    self.policy[3] if tries is None else tries, devices, 5]
        require(encode(answer) == encode(expected), f"{answer} instead of {expected}")
        methods = [[METHOD[instance], hashlib.sha256(point).digest()] for instance, point in sorted(self.points.items())]
        require(encode(self.extensions.get(5)) == encode(methods or None), "other registered methods")

    # The password

    def offered_change(self):
        """Proves the current password. Returns the next generation and its K₁."""
        generation, change, policy = members(self.ask("password.change", [], PASSWORD)[0], 3)
        require(generation > self.generation and len(change) == 32, "an offer of an earlier generation")
        require(list(policy) == list(self.policy), "other rules for the new password")
        return generation, bytes(a ^ b for a, b in zip(self.secrets[PASSWORD], change))

    def take(self, offer):
        """Wraps the new K₁ under the new password, which this client keeps in memory only. Returns what it replaces."""
        before = self.generation, self.secrets[PASSWORD]
        self.generation, self.secrets[PASSWORD] = offer
        return before

    def unlock(self, code):
        """Sends an unlock code. Returns the next generation and its K₁."""
        handle, secret = parse(code)
        generation, new_secret, policy = members(self.ask("unlock", [handle, secret, self.generation])[0], 3)
        require(generation > self.generation and len(new_secret) == 32, "an offer of an earlier generation")
        require(list(policy) == list(self.policy), "other rules for the new password")
        return generation, new_secret

    def prove_new_password(self):
        require(list(self.ask("password.prove", [], PASSWORD)[0]) == [], "an answer with members")

    # A move

    def begin_move(self):
        """Returns an activation password for the device that this one moves to."""
        activation_password, expiry, _ = members(self.ask("move.begin", [], PASSWORD)[0], 3)
        require(595_000 <= expiry - self.platform_time() <= 605_000, "an expiry that is not ten minutes later")
        require(len(activation_password) == 14, "an activation password of another length")
        return activation_password.decode("ascii")

    # Enrolled methods

    def registration(self, instance, protection, key=None):
        """A registration of a method, and its signing key."""
        key = key or ec.generate_private_key(ec.SECP256R1())
        point = key.public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
        payload = encode(["method", self.id, METHOD[instance], protection, [-9, point], {}])
        return cose.sign(key, "method registration", payload), key

    def enroll(self, instance, protection):
        """Registers a method, and keeps its secret. Returns its signing key."""
        registration, key = self.registration(instance, protection)
        secret, = members(self.ask("method.register", [registration], PASSWORD)[0], 1)
        require(len(secret) == 32, "a secret of another length")
        self.secrets[instance] = secret
        self.points[instance] = key.public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
        return key

    def remove_method(self, instance, everywhere=False):
        """Ends the registration of a method, on this device or on all devices of the account."""
        body, proof = [METHOD[instance], everywhere], PASSWORD if everywhere else None
        require(list(self.ask("method.remove", body, proof)[0]) == [], "an answer with members")
        self.points.pop(instance, None)

    def ask(self, kind, body, instance=None):
        """Sends a request and returns the body of its answer and the first `COSE_Sign1` of the platform."""
        request_id = os.urandom(16)
        data = self.data and encode(self.data)
        digest = data and hashlib.sha256(data).digest()
        payload = encode([kind, 0, self.tenant, self.account, self.id, request_id, self.platform_time(), self.index, False,
                          body, self.data_extensions(data, digest)])
        sign1 = cose.sign(self.device_key, kind, payload)
        plaintext = encode([sign1, [self.tag(sign1), self.input, None], self.proof(sign1, instance)])
        request, open_answer = self.seal(plaintext, request_id)
        signatures, following, platform_input = members(cose.decode(open_answer(self.send(request))), 3)
        # The statements first: they say whose signature the message must have.
        keys = self.platform_keys.after(following, self.suite)
        payload, signers = keys.payload_of(signatures, kind + "/answer")
        answer = members(cose.decode(payload), 11)
        require(all(statements.is_valid(key, answer[6]) for key in signers), "a key that was not in use")
        expected = [kind + "/answer", 1, self.tenant, self.account, self.id, request_id]
        require(list(answer[:6]) == expected and answer[7] == self.index, "an answer to another request")
        cose.extensions(answer[10])
        self.extensions = answer[10]
        self.wish = answer[10].get(3) and list(answer[10][3])
        self.known_data = None if self.wish else digest
        self.offset, self.platform_keys = answer[6] - now(), keys
        self.move(platform_input)
        result = answer[9]
        if result[0] != 0:
            _, code, tries, retry_after = members(result, 4)
            # Code 27 has no tries when no code of the device can be tried.
            require((tries is not None) == (code == 1) or code == 27, f"the refusal {code} with {tries} remaining tries")
            require((retry_after is not None) == (code == 12), f"the refusal {code} with the wait {retry_after}")
            raise RefusedByPlatform(code, tries)
        return members(result, 2)[1], signatures[0]

    def data_extensions(self, data, digest):
        """Device data: in full, or as a hash where the platform has them."""
        if data is None:
            return {}
        return {2: digest} if digest == self.known_data else {1: data}

    def proof(self, sign1, instance):
        if instance is None:
            return None
        key = self.instance_key("proof key", instance, [self.tenant, self.id, instance, METHOD[instance], self.generation])
        return [instance, METHOD[instance], self.generation, hmac.new(key, b"answer" + sign1, "sha256").digest()]

    # Channel

    def seal(self, plaintext, request_id):
        """Returns the sealed request and the function that opens its answer."""
        key_id, _, _, public, _, _ = self.platform_keys.sealing_key(self.suite, self.platform_time())
        shared, enc = kem.encapsulate(self.suite, public)
        info = encode(["swift-orchestration/1 request", self.suite, self.tenant, key_id, self.id])
        export = kem.exporter(self.suite, shared, info)
        h = cose.hedged(hkdf256(self.preshared_key, b"", label("hedge request"), 32), plaintext)
        header = {1: cose.A256GCM, 4: self.id, -65537: 1, -65538: self.suite, -65539: enc, -65540: request_id,
                  -65541: self.platform_time() + LIFETIME, -65542: key_id, -65545: h}
        request = cose.seal(hkdf256(export(b"request", 32), self.preshared_key + h, b"request", 44), header, plaintext)

        def open_answer(answer):
            header = cose.header_of(answer)
            r = header.get(-65543)
            expected = {1: cose.A256GCM, 4: self.id, -65537: 1, -65543: r, -65544: hashlib.sha256(request).digest()}
            require(header == expected and len(r) == 32, "the header of an answer to another request")
            return cose.open_sealed(hkdf256(export(b"answer", 32), self.preshared_key + r, b"answer", 44), answer)

        return request, open_answer

    # Key ratchet

    def tag(self, sign1):
        key = hkdf256(self.ratchet, b"", label("ratchet tag") + encode([self.tenant, self.id]), 32)
        return hmac.new(key, self.input + sign1, "sha256").digest()

    def move(self, platform_input):
        """Moves to the next index. The platform has an input five minutes after the last move, and none before."""
        if platform_input is not None:
            self.index += 1
            material = self.ratchet + self.input + platform_input
            self.ratchet = hkdf256(material, b"", b"chain" + self.index.to_bytes(8, "big"), 32)
            self.input = os.urandom(32)

    def instance_key(self, name, instance, context):
        return hkdf256(self.secrets[instance] + self.ratchet, b"", label(name) + encode(context), 32)

    # Codes

    def one_time_password(self, index, instance=PASSWORD):
        """Returns the next code of application 1 or 2, and the host code to expect."""
        _, kind, digits, step, has_host_code = self.applications[index]
        require(kind in (0, 1), "an application whose code needs a challenge or data")
        counter = (self.platform_time()) // 1000 // step if kind == 0 else self.counters[index]
        self.counters[index] = counter + 1
        key = self.instance_key("code key", instance, [self.tenant, self.id, instance, index])
        code = hotp(key, counter.to_bytes(8, "big"), digits)
        return code, self.host_code(instance, index, counter) if has_host_code else None

    def seal_offline(self, fields, instance=PASSWORD):
        """Returns a code of application 4 over the fields of a seal, and the host code to expect."""
        _, kind, digits, _, has_host_code = self.applications[4]
        require((kind, digits) == (3, 8), "an application that makes no seals")
        counter = self.counters[4]
        self.counters[4] = counter + 1
        key = self.instance_key("code key", instance, [self.tenant, self.id, instance, 4])
        code = ocra(key, ["seal", self.tenant, instance, 4, None, counter, fields], counter)
        return code, self.host_code(instance, 4, counter, fields) if has_host_code else None

    def host_code(self, instance, index, counter, fields=()):
        key = self.instance_key("host code key", OTHER, [self.tenant, self.id, instance, index])
        return ocra(key, ["host", self.tenant, instance, index, None, counter, fields])


def hotp(key, message, digits):
    code = hmac.new(key, message, "sha256").digest()
    offset = code[-1] & 15
    number = int.from_bytes(code[offset:offset + 4], "big") & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def ocra(key, question, counter=None):
    """A code of the suite OCRA-1:HOTP-SHA256-8:QH64, or C-QH64 with a counter (RFC 6287, section 5)."""
    suite, factor = (b"QH64", b"") if counter is None else (b"C-QH64", counter.to_bytes(8, "big"))
    suite = b"OCRA-1:HOTP-SHA256-8:" + suite
    return hotp(key, suite + b"\x00" + factor + hashlib.sha256(encode(question)).digest() + bytes(96), 8)
