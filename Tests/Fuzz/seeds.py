#!/usr/bin/env python3
"""Writes the seeds of the fuzz target that can be made from the vectors: Tests/Fuzz/Corpus/DECODER/SEED.

The other seeds of stored-*, which no other program has to write, were made once by the client's own encoders: they are
the forms of version 1.
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
VECTORS = HERE.parent / "Vectors"
sys.path.insert(0, str(VECTORS))
from deterministic import cbor as encoded  # noqa: E402


def load(name):
    return json.loads((VECTORS / name).read_text())


def put(decoder, name, content):
    folder = HERE / "Corpus" / decoder
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


def dashed(name):
    return "".join("-" + c.lower() if c.isupper() else c for c in name).strip("-")


def messages():
    vectors = load("wire/messages.json")
    count = {}
    for kind, entries, limit in [("good", vectors["messages"], 3), ("bad", vectors["refused"], 2)]:
        for entry in entries:
            if entry["type"] == "DeviceData":
                continue  # A part of other messages, without a decoder of its own.
            number = count[kind, entry["type"]] = count.get((kind, entry["type"]), 0) + 1
            if number <= limit:
                put(dashed(entry["type"]), f"{kind}-{number}", bytes.fromhex(entry["hex"]))
            if "unknown extensions" in entry.get("name", "") or "critical extension after" in entry.get("why", ""):
                put(dashed(entry["type"]), f"extensions-{kind}", bytes.fromhex(entry["hex"]))


def cbor():
    for number, entry in enumerate(load("cbor/appendix_a.json")):
        if number % 4 == 0:
            put("cbor", f"appendix-a-{number}", bytes.fromhex(entry["hex"]))
    put("cbor", "nested", bytes.fromhex("a2010284820304a10506f5f64101"))


def protocol():
    activation, channel = load("protocol/activation.json"), load("protocol/channel.json")
    for name, decoder in [
        ("request1", "activation-request"), ("answer1", "activation-answer"), ("registration", "device-registration"),
        ("request2", "activation-key-request"), ("provisioning", "provisioning"), ("answer2", "activation-key-answer"),
    ]:
        put(decoder, name, bytes.fromhex(activation[name]))
        if name[-1] in "12":
            put("envelope", name, bytes.fromhex(activation[name]))
    for name in ["request", "answer"]:
        for decoder in ["encrypt0", "envelope", "channel-" + name]:
            put(decoder, name, bytes.fromhex(channel[name]))
    put("sign1", "signed-answer", bytes.fromhex(channel["signedAnswer"]))
    request = bytes.fromhex(channel["request"])
    put("command-text", "hex", request.hex())
    # Version, suite, session, tag, two secrets and the provisioning secret in their places, then the two names.
    names = b"".join(bytes([len(name)]) + name for name in [b"default", b"alice@master"])
    put("responder-state", "classic", bytes([1, 1]) + bytes(range(16)) + RESPONDER_KEYS + names)


# Of the sizes in ActivationResponderState: the tag, the secrets of request 2 and answer 2, the provisioning secret.
RESPONDER_KEYS = bytes(32) + bytes(32) + bytes(32) + bytes(64)


def cose():
    for name in ["sign1-tests/sign-pass-01", "sign1-tests/sign-fail-01", "eddsa-examples/eddsa-sig-01"]:
        put("sign1", name.split("/")[1], bytes.fromhex(load(f"cose/{name}.json")["output"]["cbor"]))
    for name in ["encrypted-tests/enc-pass-01", "encrypted-tests/enc-fail-01", "aes-gcm-examples/aes-gcm-enc-01"]:
        put("encrypt0", name.split("/")[1], bytes.fromhex(load(f"cose/{name}.json")["output"]["cbor"]))


def texts():
    for name, text in {"empty": "", "six": "666F6F626172", "odd": "666"}.items():
        put("hex", name, text)
    for name, text in {"six": "MZXW6YTBOI", "padded": "MZXW6YQ=", "lower": "mzxw6yq"}.items():
        put("base32", name, text)
        put("base32-any-case", name, text)
    for name, text in {"hello": "%69 VD92EX0", "ab": "BB8", "bad": "GGW5"}.items():
        put("base45", name, text)
    for name, text in {"fo": "Zm8", "foobar": "Zm9vYmFy", "bits": "Zm9"}.items():
        put("base64url", name, text)
    put("command-text", "base64url", "gQE")
    put("command-qr", "array", "+DG")
    put("activation-password", "bad", "ABCD-EFGH-JKMN")
    put("activation-password", "good", "0000-0000-0000")
    for name, text in {"plain": "alice", "domain": "Zo\u00eb@Shop.example", "decomposed": "Zoe\u0308@a"}.items():
        put("account-name", name, text)
    put("otpauth", "totp", "otpauth://totp/ACME%20Co:john@example.com?secret=HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ"
        "&issuer=ACME%20Co&algorithm=SHA256&digits=8&period=60")
    put("otpauth", "hotp", "otpauth://hotp/alice?secret=GEZDGNBVGY3TQOJQ&counter=7")
    suites = sorted({entry["suite"] for entry in load("otp/ocra_suites.json")["vectors"]})
    for number, suite in enumerate(suites[::40]):
        put("ocra-suite", f"suite-{number}", suite)
    put("key-text", "hex", "3132 3334")
    put("key-text", "base32", "gezd gnbv gy3t qojq")


def payments():
    for name, text in {"good": "1234.50", "exponent": "1e5", "long": "1234567890123456789"}.items():
        put("amount", name, text)
    for name, text in {"good": "EUR", "none": "XXX"}.items():
        put("currency", name, text)
    for name, text in {"good": "DE89370400440532013000", "wrong": "DE88370400440532013000"}.items():
        put("iban", name, text)
    for name, text in {"plain": "Zo\u00eb\u2019s Caf\u00e9", "decomposed": "Zoe\u0308", "override": "10 \u202eRUE"}.items():
        put("display-text", name, text)


def receipts():
    for row in load("receipts/receipts.json"):
        put("receipt", row["name"], (VECTORS / "receipts" / (row["name"] + ".receipt")).read_bytes())
    put("platform-keys", "two", (VECTORS / "receipts" / "platform-keys.json").read_bytes())
    put("platform-keys", "none", '{"statements":[]}')


def policy():
    now = 1_800_000_000_000
    put("stored-riskState", "empty", encoded([1, [], [], [], None, None, None, None, None, [0], [], []]))
    put("stored-riskState", "full", encoded([
        1, [now, now + 1], [now], [now], now, now + 86_400_000, now + 3_600_000, now + 86_400_000, now - 1, [2, ["EUR", 3_000], ["JPY", 1]],
        [b"c" * 16, b"d" * 16], [b"b" * 16]]))
    for name, request, outcome, unavailable in [
            ("challenge", [1, None, None], [2, 1, 6, 0, [1], 3], 2), ("refusal", [3, 1, 0], [1, 5], None),
            ("acceptance", [5, None, 1], [0], None)]:
        summary = [request, "sepa", [3_000, "EUR"], 2, 1, True, False, True, 5, 16, {}]
        put("stored-decisionRecord", name, encoded([
            1, b"i" * 16, now, "alice@master", summary, ["default", "small amount", outcome, 1, unavailable]]))


def bodies():
    put("reply", "command", '{"command":"gQE"}')
    put("reply", "escaped", '{"other":[1,{"a":null}],"command":"\\u0067QE"}')
    put("body-command", "command", '{"command":"gQE"}')
    put("body-register", "all", '{"objectType":"RegisterUserInputEx","userID":"alice","domain":"master",'
        '"staticPassword":"secret","activationType":"onlineMDL","clientIP":"192.0.2.1"}')
    put("body-login", "otp", '{"objectType":"LoginInput","credentials":{"authenticator":{"OTP":"12345678",'
        '"application":2}},"requestID":"r1"}')
    put("body-login", "static", '{"objectType":"AdaptiveLoginInput","credentials":{"passKey":"secret"}}')
    put("body-login", "challenge", '{"objectType":"LoginInput","credentials":{"authenticator":{"OTP":"12345678",'
        '"application":"3"}},"requestID":"00112233445566778899aabbccddeeff"}')
    put("body-cancellation", "all", '{"message":"Sold out","payload":"AQID"}')
    put("body-challenge", "all", '{"length":"10","checkDigit":"true"}')
    put("body-transaction", "all", '{"objectType":"AdaptiveTransactionInput","data":{"standard":{"dataFields":["10",'
        '{"key":{"text":"To"},"value":{"text":"Zo\\u00eb"}}],"signature":"12345678"}},"amount":10.50,"currency":"EUR",'
        '"creditorIBAN":"DE02120300000000202051","requestID":"t1"}')
    put("body-transaction", "message", '{"objectType":"TransactionInput","data":{"transactionMessage":{"dataFields":'
        '[{"key":{"text":"To"},"value":{"text":"ACME"}}]}},"amount":"1","currency":"EUR","timeout":0,'
        '"dataToDisplay":[{"type":"field","label":"a","value":"b"}],"orchestrationDelivery":["requestMessage"]}')
    put("body-seal", "file", '{"requestID":"s1","seal":"12345678","name":"contract.txt","digest":"' + 32 * "0a" + '"}')
    put("body-seal", "text", '{"seal":"12345678","text":"Zo\\u00eb","sourceID":"s"}')
    put("body-event", "all", '{"eventType":"x","dataToDisplay":"text","timeout":"5","cddc":{"browserCDDC":'
        '{"fingerprintHash":"f1","fingerprintRaw":{"a":1}}},"sourceID":"s","sessionID":"i","clientIP":"192.0.2.1"}')
    put("body-event", "refusal", '{"eventType":"x","refusal":{"message":"Call us","payload":"AQID"}}')
    put("body-checkStatus", "wait", '{"login":"alice@master","timeoutSeconds":300}')
    put("body-synchronize", "two", '{"firstOTP":"12345678","secondOTP":"23456789","application":1}')


def main():
    for write in [messages, cbor, protocol, cose, texts, payments, receipts, policy, bodies]:
        write()


main()
