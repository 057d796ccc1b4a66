#!/usr/bin/env python3
"""An independent client that talks to a running platform.

It registers a user as the application server, activates a device, registers a notification identifier, synchronizes,
makes one-time passwords of applications 1 and 2 that the platform accepts in a login, compares the host codes, and is
refused when a code is used again and when the device is revoked. It opens the stream of notifications, approves a login and a
payment with the number of the site, and rejects a login. It changes its password twice, and enrolls biometric and face. In between, the platform replaces its keys three times: the device
follows the statements with its next message, and they are the ones that the platform publishes. The client is written from the
articles of the documentation and shares nothing with the package.
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
from activation import Exchange
from cose import Refused, encode, from_text, require, to_text
from device import BIOMETRIC, FACE, OTHER, PASSWORD, PROVIDER, SOFTWARE, SYSTEM, Device, refusal


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


def activate(platform, activation_password, account, tenant, suite):
    exchange = Exchange(activation_password, account, tenant, suite)
    exchange.receive1(platform.command(exchange.request1()))
    provisioning, device_secrets = exchange.receive2(platform.command(exchange.request2("interop")))
    device = Device(exchange, provisioning, device_secrets, platform.command)
    device.complete(device.prove_password())
    return device


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
    try:
        Exchange("".join(wrong), account, tenant, suite)
        raise AssertionError("a typing error in an activation password was not noticed")
    except Refused:
        pass
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
    check_password_changes(platform, device)
    check_methods(platform, device)
    check_rotations(platform, device, rotate)
    save(receipts, suite, approved, platform)
    check_refusals(platform, device)
    check_revocation(platform, device)
    require(platform.unregister(account) == "unregistered" and platform.status(account) == "unknown", "the account was not removed")
    print(f"suite {suite}: {account} activated, registered, synchronized, logged in, approved, rejected, changed its password, enrolled two methods and revoked; used codes were refused")


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
    device.synchronize()
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


def check_methods(platform, device):
    """Codes of enrolled methods log in. A software provider counts as possession, a removed method is wrong, and nothing is
    registered without the password or with a key that has another use."""
    for instance, protection in ((BIOMETRIC, SYSTEM), (FACE, PROVIDER)):
        device.enroll(instance, protection)
        log_in(platform, device, 2, instance)
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
