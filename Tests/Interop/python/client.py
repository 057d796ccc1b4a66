#!/usr/bin/env python3
"""An independent client that talks to a running platform.

It registers a user as the application server, activates a device, registers a notification identifier, synchronizes,
makes one-time passwords of applications 1 and 2 that the platform accepts in a login, compares the host codes, and is
refused when a code is used again and when the device is revoked. It opens the stream of notifications, approves a login and a
payment with the number of the site, and rejects a login. It makes seals without and with a receipt. It changes its password
twice, is locked by wrong passwords and unlocked by unlock codes, moves to another device, and enrolls biometric and face. In
between, the platform replaces its keys three times: the device follows the statements with its next message, and they are the
ones that the platform publishes. The client is written from the articles of the documentation and shares nothing with the
package.
"""
import argparse
import hashlib
import json
import pathlib
import secrets
import shlex
import subprocess
import urllib.error
import urllib.request

import cose
import kem
import remote
import statements
import seals
from activation import ALPHABET, Exchange
from cose import Refused, encode, from_text, require, to_text
from device import BIOMETRIC, FACE, OTHER, PASSWORD, PROVIDER, SOFTWARE, SYSTEM, Device, counted_refusal, refusal


class Platform:
    """The REST API. Only the routes of the application server send the API key."""

    def __init__(self, address, api_key):
        self.address, self.api_key = address.rstrip("/"), api_key
        self.suffix = secrets.token_hex(4)

    def send(self, method, path, body=None, authorized=True):
        headers = {"Content-Type": "application/json"}
        if authorized:
            headers["Authorization"] = "Bearer " + self.api_key
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            raise Refused(f"{method} {path}: {error.code} {error.read().decode()}") from error

    def command(self, command):
        reply = self.send("POST", "/v1/orchestration-commands", {"command": to_text(command)}, authorized=False)
        return from_text(reply["command"])

    def register(self, user):
        return self.send("POST", "/v1/users/register", {"objectType": "RegisterUserInputEx", "userID": user})

    def status(self, account):
        body = {"login": account, "timeoutSeconds": 0}
        return self.send("POST", "/v1/registrations/check-status", body)["activationStatus"]

    def authenticators(self, account):
        return self.send("GET", f"/v1/users/{account}")["authenticators"]

    def device(self, account, device_id):
        found, = (each for each in self.send("GET", f"/v1/users/{account}")["devices"] if each["deviceID"] == device_id.hex())
        return found

    def unlock_code(self, account, device_id):
        """An unlock code for the only device of the account."""
        reply = self.send("POST", f"/v1/users/{account}/unlock")
        require(reply["deviceID"] == device_id.hex(), "an unlock code of another device")
        return reply["unlockCode"]

    def validate_seal(self, account, seal, **content):
        return self.send("POST", f"/v1/users/{account}/seals/validate", {"seal": seal, **content})

    def synchronize(self, account, codes, application):
        body = {"firstOTP": codes[0], "secondOTP": codes[1], "application": application}
        return self.send("POST", f"/v1/users/{account}/sync-authenticator", body)["status"]

    def revoke(self, account, device_id):
        return self.send("DELETE", f"/v1/users/{account}/devices/{device_id.hex()}")["status"]

    def published(self):
        """The key statements of all pages."""
        published, page = [], 1
        while page is not None:
            answer = self.send("GET", f"/v1/platform-keys?page={page}", authorized=False)
            published, page = published + answer["statements"], answer.get("nextPage")
        return published

    def statements(self):
        """The published key statements, as payloads that are verified from the first one on."""
        published = self.published()
        lists = [cose.decode(from_text(statement["statement"])) for statement in published]
        latest, verified = statements.first(lists[0], kem.CLASSIC), []
        for number, signatures in enumerate(lists):
            latest = latest.after([signatures], kem.CLASSIC)
            require(latest.sequence == number + 1 == published[number]["sequence"], "the numbers of the statements")
            require(latest.fingerprint.hex() == published[number]["fingerprint"], "a wrong fingerprint")
            verified.append(latest)
        return verified

    def request_id(self, name):
        """The request id of a name. A request id is used once."""
        return f"{name}-{self.suffix}"

    def request_login(self, account, name, **fields):
        """A login that the user approves. The reply does not wait for the user."""
        body = {"objectType": "LoginInput", "timeout": 0, "requestID": self.request_id(name), **fields}
        return self.send("POST", f"/v1/users/{account}/login", body)

    def request_transaction(self, account, name, body):
        body = {"timeout": 0, "requestID": self.request_id(name), **body}
        return self.send("POST", f"/v1/users/{account}/transactions/validate", body)

    def session(self, name):
        return self.send("GET", f"/v1/sessions/{self.request_id(name)}")

    def unregister(self, account):
        return self.send("POST", f"/v1/users/{account}/unregister", {})["status"]

    def login(self, account, code, application):
        body = {"objectType": "LoginInput",
                "credentials": {"authenticator": {"OTP": code, "application": application}}}
        return self.send("POST", f"/v1/users/{account}/login", body)


def pending_device(platform, activation_password, account, tenant, suite):
    """Runs steps 1 and 2 of an activation."""
    exchange = Exchange(activation_password, account, tenant, suite)
    exchange.receive1(platform.command(exchange.request1()))
    provisioning, device_secrets = exchange.receive2(platform.command(exchange.request2("interop")))
    return Device(exchange, provisioning, device_secrets, platform.command)


def activate(platform, activation_password, account, tenant, suite):
    device = pending_device(platform, activation_password, account, tenant, suite)
    device.complete(device.prove_password())
    return device


def reason(activate):
    """Returns why this client has ended an activation."""
    try:
        activate()
    except Refused as refused:
        return str(refused)
    return None


def log_in(platform, device, application, instance=PASSWORD):
    code, host_code = device.one_time_password(application, instance)
    reply = platform.login(device.account, code, application)
    require(reply["sessionStatus"] == "accepted", f"a right code of application {application} got {reply}")
    require(reply.get("hostCode") == host_code, f"a host code other than {host_code}: {reply}")
    again = platform.login(device.account, code, application)
    require(again["sessionStatus"] == "failed" and "hostCode" not in again, f"a used code got {again}")


def walk(platform, tenant, suite, rotate, receipts):
    user = "interop-" + secrets.token_hex(4)
    account = user + "@master"
    registration = platform.register(user)
    wrong = list(registration["activationPassword"])
    wrong[2] = "0" if wrong[2] != "0" else "1"
    typed = reason(lambda: Exchange("".join(wrong), account, tenant, suite))
    require(typed == "a typing error in the activation password", f"a typing error is {typed}")
    device = activate(platform, registration["activationPassword"], account, tenant, suite)
    numbers = [registration["serialNumber"] + suffix for suffix in ("-1", "-2")]
    require(device.serial_numbers == numbers, f"the serial numbers {device.serial_numbers}")
    require(platform.status(account) == "pending", "an account without a notification channel that is not pending")
    device.register_notifications()
    require(platform.authenticators(account) == [registration["serialNumber"]], "the authenticators of the account")
    require(platform.status(account) == "activated", "an account that is not activated")
    check_device_data(device)
    device.synchronize()
    for application in (1, 2):
        log_in(platform, device, application)
    device.synchronize()
    codes = [device.one_time_password(2)[0] for _ in range(30)][-2:]  # beyond the counters that a login accepts
    require(platform.login(account, codes[0], 2)["sessionStatus"] == "failed", "a code 28 counters ahead was not refused")
    require(platform.synchronize(account, codes, 2) == "synchronized", "two codes in succession were refused")
    log_in(platform, device, 2)
    approved = remote.check(platform, device)
    approved |= seals.check(platform, device)
    check_password_changes(platform, device)
    check_unlock(platform, device)
    device = check_move(platform, device)
    check_methods(platform, device)
    check_rotations(platform, device, rotate)
    save(receipts, suite, approved, platform)
    check_refusals(platform, device)
    check_revocation(platform, device)
    require(platform.unregister(account) == "unregistered" and platform.status(account) == "unknown", "the account was not removed")
    print(f"suite {suite}: {account} activated, registered, synchronized, logged in, approved, rejected, sealed, changed its password, unlocked, moved, enrolled two methods and revoked; used codes were refused")


def check_device_data(device):
    """Sends device data in full and as a hash. The platform asks for what it does not have, and refuses a wrong field."""
    device.data = {1: "Python", 6: 3_600, 17: False, 32: ["ethernet"], 900: "of a later version"}
    for name in ("in full", "as a hash"):
        require((device.known_data is None) == (name == "in full"), f"data that are not sent {name}")
        device.synchronize()
        require(device.wish is None, f"data {name} got {device.wish}")
    device.data[17] = True
    device.known_data = hashlib.sha256(encode(device.data)).digest()  # a hash of data that were never sent
    device.synchronize()
    require(device.wish == [0, None], f"an unknown hash got {device.wish}")
    device.ask("device.data", ["interop", "{}"])
    require(device.wish is None and device.known_data is not None, f"an event with its data got {device.wish}")
    device.data[17] = "true"
    device.synchronize()
    require(device.wish == [1, 17], f"a Boolean as a text got {device.wish}")
    device.data = {1: "Python", 17: False}


def save(folder, suite, receipts, platform):
    """Writes the receipts and the published statements, which by now have later keys, for verifiers."""
    (folder / "platform-keys.json").write_text(json.dumps({"statements": platform.published()}))
    for name, receipt in receipts.items():
        (folder / f"{name}-{suite}.receipt").write_text(to_text(receipt) + "\n")


def check_rotations(platform, device, rotate):
    """A device that knows nothing of three rotations follows them with its next message."""
    before = device.platform_keys
    for _ in range(3):
        subprocess.run(rotate, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    device.register_notifications()
    published = platform.statements()
    require(device.platform_keys.sequence == before.sequence + 3, "a device that did not follow the rotations")
    require(device.platform_keys.payload == published[-1].payload, "a statement other than the published one")
    require(before.payload == published[before.sequence - 1].payload, "a statement of the activation that is not published")
    device.synchronize()
    log_in(platform, device, 2)


def check_password_changes(platform, device):
    """A change that the proof of the new password promotes, and one that a code promotes. A message of the generation before
    is refused and locks nothing, and a code of the password before is wrong."""
    offer = device.offered_change()
    other = device.offered_change()
    require(other[0] == offer[0] + 1 and other[1] != offer[1], "two offers of one secret")
    log_in(platform, device, 2)
    before = device.take(offer)
    device.synchronize(generation=before[0])
    device.prove_new_password()
    after = device.take(before)
    require(refusal(device.prove_new_password) == 24, "a proof of the generation before was not refused")
    require(refusal(device.synchronize) == 24, "a message of the generation before was not refused")
    code, _ = device.one_time_password(2)
    require(platform.login(device.account, code, 2)["sessionStatus"] == "failed", "a code of the password before")
    device.take(after)
    log_in(platform, device, 2)
    device.take(device.offered_change())
    log_in(platform, device, 2)
    require(device.generation == other[0] + 1, "an offer after the others have ended")
    device.synchronize()
    right = device.secrets[PASSWORD]
    device.secrets[PASSWORD] = bytes(32)
    require(refusal(device.offered_change) == 1, "a wrong password got an offer")
    device.secrets[PASSWORD] = right
    device.prove_new_password()


def check_unlock(platform, device):
    """Five wrong passwords lock the device. An unlock code gives the same offer each time, and the proof of its secret unlocks
    the device. The code and the earlier password are of no use then. A device that is not locked is served until the proof."""
    right = device.secrets[PASSWORD]
    device.secrets[PASSWORD] = bytes(32)
    tries = [counted_refusal(device.offered_change) for _ in range(5)]
    require(tries == [(1, 4), (1, 3), (1, 2), (1, 1), (1, 0)], f"wrong passwords got {tries}")
    device.secrets[PASSWORD] = right
    for request in (device.offered_change, device.prove_new_password, device.begin_move, device.synchronize):
        require(refusal(request) == 2, "a locked device was served")
    state = platform.device(device.account, device.id)
    require((state["state"], state["passwordFailures"]) == ("locked", 5), f"a locked device is {state}")
    require(counted_refusal(lambda: device.unlock("0000-0000-0000")) == (27, None), "a code where none was issued")

    ended = platform.unlock_code(device.account, device.id)
    code = platform.unlock_code(device.account, device.id)
    require(refusal(lambda: device.unlock(ended)) == 27, "a code that was replaced")
    require(counted_refusal(lambda: device.unlock(another_code(code))) == (27, 4), "a wrong code")
    offer = device.unlock(code)
    require(device.unlock(code) == offer and offer[1] != right, "another offer for the same code")
    require(refusal(device.synchronize) == 2, "a device was unlocked without a proof")
    before = device.take(offer)
    code_of_new_password, _ = device.one_time_password(2)
    require(platform.login(device.account, code_of_new_password, 2)["sessionStatus"] == "failed", "a code of a locked device")
    device.secrets[PASSWORD] = bytes(32)
    require(counted_refusal(device.prove_new_password) == (1, 4), "wrong passwords that were counted before the code")
    device.secrets[PASSWORD] = offer[1]
    device.prove_new_password()
    require(device.extensions.get(6) == 1, "a wrong password that was not reported")
    device.synchronize()
    require(platform.device(device.account, device.id)["state"] == "active", "a device that is still locked")
    log_in(platform, device, 2)
    require(counted_refusal(lambda: device.unlock(code)) == (27, None), "a used code was not refused")
    after = device.take(before)
    require(refusal(device.offered_change) == 24, "the earlier password was not refused")
    code_of_earlier_password, _ = device.one_time_password(2)
    require(platform.login(device.account, code_of_earlier_password, 2)["sessionStatus"] == "failed", "a code of the earlier password")
    device.take(after)

    forgotten = device.unlock(platform.unlock_code(device.account, device.id))
    device.prove_new_password()
    device.synchronize()
    device.take(forgotten)
    device.synchronize(generation=after[0])
    device.prove_new_password()
    device.synchronize()


def another_code(code):
    """Returns a code with the same handle, another secret and the same check character."""
    symbols = [ALPHABET.index(character) for character in code.replace("-", "")]
    # Their weights are x² and x. The check character stays, because 1·x² + x·x is zero.
    symbols[9], symbols[10] = symbols[9] ^ 1, symbols[10] ^ 2
    return "".join(ALPHABET[symbol] for symbol in symbols)


def check_move(platform, device):
    """Returns the device that the device has moved to. One of both works at any time, and each activation password of a move
    serves one device."""
    def begin(activation_password):
        return pending_device(platform, activation_password, device.account, device.tenant, device.suite)

    no_such_password = "a wrong tag of the platform"  # the platform has taken a random one

    replaced = device.begin_move()
    activation_password = device.begin_move()
    require(reason(lambda: begin(replaced)) == no_such_password, "an activation password that was replaced by a later one")
    other = begin(activation_password)
    require(other.id != device.id and other.serial_numbers != device.serial_numbers, "the same device again")
    receipt = other.prove_password()
    device.synchronize()
    log_in(platform, device, 2)
    other.complete(receipt)
    require(refusal(device.synchronize) == 5 and refusal(device.begin_move) == 5, "a device that moved was not told")
    code, _ = device.one_time_password(2)
    require(platform.login(device.account, code, 2)["sessionStatus"] == "failed", "a code of a device that moved")
    states = [platform.device(device.account, each.id)["state"] for each in (device, other)]
    require(states == ["revoked", "pendingNotification"], f"the devices are {states}")
    require(reason(lambda: begin(activation_password)) == no_such_password, "an activation password that was used")
    require(platform.status(device.account) == "activated", "a move that changed the status of the registration")
    other.complete(receipt)
    other.register_notifications()
    other.synchronize()
    log_in(platform, other, 2)
    return other


def check_methods(platform, device):
    """Codes of enrolled methods log in. A software provider counts as possession, a removed method is wrong, and nothing is
    registered without the password or with a key that has another use."""
    for instance, protection in ((BIOMETRIC, SYSTEM), (FACE, PROVIDER)):
        device.enroll(instance, protection)
        log_in(platform, device, 2, instance)
        device.synchronize()
    device.enroll(FACE, SOFTWARE)
    code, _ = device.one_time_password(2, FACE)
    require(platform.login(device.account, code, 2)["sessionStatus"] == "refused", "a software provider has logged in")
    registration, _ = device.registration(BIOMETRIC, SYSTEM)
    require(refusal(lambda: device.ask("method.register", [registration])) == 9, "a registration without the password")
    require(refusal(lambda: device.ask("method.register", [registration], BIOMETRIC)) == 9, "a registration by a method")
    registration, _ = device.registration(BIOMETRIC, SYSTEM, device.device_key)
    require(refusal(lambda: device.ask("method.register", [registration], PASSWORD)) == 9, "the device key as one of a method")
    device.remove_method(FACE)
    device.remove_method(FACE)
    device.synchronize()
    require(refusal(lambda: device.ask("method.remove", [2, True])) == 9, "a removal on all devices without the password")
    log_in(platform, device, 2, BIOMETRIC)
    device.remove_method(BIOMETRIC, everywhere=True)
    code, _ = device.one_time_password(2, BIOMETRIC)
    require(platform.login(device.account, code, 2)["sessionStatus"] == "failed", "a code of a method that was removed")
    log_in(platform, device, 2)


def check_refusals(platform, device):
    """A code of the other instance, and a proof over a message that an activated device may not send."""
    code, _ = device.one_time_password(2, OTHER)
    require(platform.login(device.account, code, 2)["sessionStatus"] == "refused", "a code of the other instance was not refused")
    require(refusal(lambda: device.ask("activation.password", [], PASSWORD)) == 13, "a second proof of the password was not refused")


def check_revocation(platform, device):
    """A revoked device is refused under its seal, its stream and its tokens end, and its codes are wrong."""
    token, stream = remote.open_stream(platform, device)
    unused, _ = device.ask("notifications.open", [])[0]
    require(platform.revoke(device.account, device.id) == "revoked", "the device was not revoked")
    with stream:
        require(stream.next() is None, "the stream of a revoked device has not ended")
    for each in (token, unused):
        require(remote.Stream(platform.address, "pull:" + device.id.hex(), each).status == 401, "a token of a revoked device")
    require(refusal(device.synchronize) == 5 and refusal(device.register_notifications) == 5, "a revoked device was not told")
    require(platform.login(device.account, device.one_time_password(2)[0], 2)["sessionStatus"] == "failed", "a code of a revoked device")
    require(platform.authenticators(device.account) == [], "a revoked device is still listed")


def main():
    parser = argparse.ArgumentParser(description="Runs the independent client against a platform.")
    parser.add_argument("--platform", required=True, help="the base URL, such as http://127.0.0.1:8080")
    parser.add_argument("--api-key", required=True, help="a key of the scope app-server")
    parser.add_argument("--rotate", type=shlex.split, required=True, help="the command that replaces the platform's keys")
    parser.add_argument("--receipts", type=pathlib.Path, required=True, help="a folder for the receipts")
    parser.add_argument("--tenant", default="default")
    parser.add_argument("--suite", type=int, action="append", choices=[1, 2], help="both that this Python can do by default")
    arguments = parser.parse_args()
    for suite in arguments.suite or kem.SUITES:
        walk(Platform(arguments.platform, arguments.api_key), arguments.tenant, suite, arguments.rotate,
             arguments.receipts)


if __name__ == "__main__":
    main()
