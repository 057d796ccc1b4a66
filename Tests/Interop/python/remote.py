"""Logins and transactions that the device approves, and the stream that brings the pointers to them (articles "Approval requests
and answers" and "REST reference")."""
import hashlib
import http.client
import urllib.parse

import approvals
import cose
from approvals import Pointer
from cose import from_text, members, require
from device import PASSWORD, refusal

DISPLAY = [
    {"type": "requester", "value": "Power and Light"}, {"type": "field", "label": "Browser", "value": "Zoë’s laptop"},
    {"type": "text", "value": "Log in to the shop."}]
PAYMENT = {
    "objectType": "TransactionInput", "amount": "1234.50", "currency": "EUR", "creditorName": "Power and Light",
    "creditorIBAN": "DE89370400440532013000",
    "data": {"transactionMessage": {"dataFields": [{"key": {"text": "Reference"}, "value": {"text": "Invoice 17"}}]}}}


class Stream:
    """A stream of Server-Sent Events (WHATWG HTML, section 9.2), opened with a token of a signed command."""

    def __init__(self, address, channel, token, last=None):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(address).netloc, timeout=30)
        headers = {"Authorization": "Bearer " + cose.to_text(token), "Accept": "text/event-stream"}
        if last is not None:
            headers["Last-Event-ID"] = last
        self.connection.request("GET", "/v1/notifications/" + urllib.parse.quote(channel, safe=""), headers=headers)
        self.response = self.connection.getresponse()
        self.status = self.response.status
        if self.status == 200:
            require(self.response.headers["Content-Type"].startswith("text/event-stream"), "a reply that is not a stream")

    def __enter__(self):
        require(self.status == 200, f"a stream that does not open: {self.status}")
        return self

    def __exit__(self, *_):
        self.response.close()
        self.connection.close()

    def next(self):
        """Returns the id, the pointer and its text of the next approval request, and nothing at the end of the stream. Comments
        are heartbeats."""
        fields = {}
        while not fields:
            while line := self.response.readline().decode().strip("\n"):
                name, _, value = line.partition(":")
                fields |= {name: value.removeprefix(" ")} if name else {}
            if self.response.isclosed():
                return None
        require(set(fields) == {"id", "event", "data"} and fields["event"] == "approval", f"an event of another form: {fields}")
        pointer = Pointer(from_text(fields["data"]))
        require(fields["id"] == pointer.id.hex(), "a pointer to another request than the event names")
        return fields["id"], pointer, fields["data"]


def open_stream(platform, device, last=None):
    token, seconds = members(device.ask("notifications.open", [])[0], 2)
    require(len(token) == 16 and 1 <= seconds <= 3_600, "a token of another form")
    return token, Stream(platform.address, "pull:" + device.id.hex(), token, last)


def check(platform, device):
    """Goes through approvals with one device. Returns the receipts by name."""
    require(approvals.pending(device) == [], "a request that waits from the start")
    first, second = check_stream(platform, device)
    receipts = {"approved": check_approval(platform, device, first)}
    check_wrong_number(platform, device, second)
    receipts["transaction"] = check_transaction(platform, device)
    receipts["rejected"] = check_rejection(platform, device)
    for name, receipt in receipts.items():
        _, _, signatures = members(cose.decode(receipt), 3)
        payload, _ = device.platform_keys.payload_of(signatures, "receipt")
        outcome = members(cose.decode(payload), 12)[8]
        require(outcome == (0 if name == "rejected" else 1), f"the outcome {outcome} of {name}")
    return receipts


def check_stream(platform, device):
    """A request reaches an open stream; one that comes while the device is offline is sent on the next stream. A token opens
    one stream, of one channel."""
    token, stream = open_stream(platform, device)
    with stream:
        first = platform.request_login(device.account, "first", sourceID="laptop", dataToDisplay=DISPLAY)
        last, pointer, text = stream.next()
        require(pointer.names(device.tenant) and text == first["requestMessage"], "a pointer other than that of the reply")
    used = Stream(platform.address, "pull:" + device.id.hex(), token)
    require(used.status == 401, "a token that opened two streams")
    second = platform.request_login(device.account, "second", sourceID="phone", dataToDisplay="Log in")
    with open_stream(platform, device, last)[1] as stream:
        _, pointer, text = stream.next()
        require(text == second["requestMessage"], "a resumed stream that does not go on after the last event")
    with open_stream(platform, device)[1] as stream:
        texts = [stream.next()[2] for _ in range(2)]
        require(texts == [first["requestMessage"], second["requestMessage"]], "a new stream that does not have all that waits")
    token, _ = members(device.ask("notifications.open", [])[0], 2)
    other = Stream(platform.address, "pull:" + bytes(16).hex(), token)
    require(other.status == 401, "a token that opened the stream of another channel")
    return first, second


def check_approval(platform, device, reply):
    """Shows what was asked, and approves with the number. A wrong password leaves the request; the same answer again gets the
    same receipt, and another one is refused."""
    pointer = Pointer(from_text(reply["requestMessage"]))
    entries = device.ask("approval.list", [])[0]
    require(entries[0][0] == pointer.id and all(entry[4] for entry in entries), "a list of other requests than were announced")
    approval = approvals.fetch(device, pointer.id)
    shown = (approval.kind, approval.request, approval.method, approval.digits)
    require(shown == ("login", platform.request_id("first"), 1, 6), "another request")
    require(approval.principal_name == "Shop", f"a request of {approval.principal_name}")
    expected = [("requester", "Power and Light"), ("field", "Browser", "Zoë’s laptop"), ("text", "Log in to the shop.")]
    require(approval.display == expected, f"the user sees {approval.display}")
    number = platform.session("first")["numberToMatch"]
    require(number == reply["numberToMatch"] and len(number) == 6, "the number of the site")
    answer, instance = approval.answer(device.device_key, device.id, device.platform_time(), number=number)
    right = device.secrets[PASSWORD]
    device.secrets[PASSWORD] = bytes(32)
    require(refusal(lambda: device.ask("approval.answer", [answer], instance)) == 1, "a wrong password was not refused")
    device.secrets[PASSWORD] = right
    require(platform.session("first")["sessionStatus"] == "pending", "a wrong password has ended the request")
    receipt, = members(device.ask("approval.answer", [answer], instance)[0], 1)
    again, = members(device.ask("approval.answer", [answer], instance)[0], 1)
    require(again == receipt, "another receipt for the same answer")
    require(refusal(lambda: approvals.send(device, approval, device.platform_time(), number=number)) == 18, "a second answer")
    require(refusal(lambda: approvals.fetch(device, pointer.id)) == 18, "an answered request was not refused")
    require(refusal(lambda: approvals.fetch(device, bytes(16))) == 21, "an unknown request was not refused")
    session = platform.session("first")
    require(session["sessionStatus"] == "accepted" and session["riskResponseCode"] == 0, f"an approved login is {session}")
    require(from_text(session["receipt"]) == receipt and "numberToMatch" not in session, "another receipt for the site")
    request, _, _ = members(cose.decode(receipt), 3)
    require(hashlib.sha256(request).digest() == approval.digest, "a receipt of another request")
    return receipt


def check_wrong_number(platform, device, reply):
    """A wrong number ends the request."""
    id = Pointer(from_text(reply["requestMessage"])).id
    approval = approvals.fetch(device, id)
    wrong = f"{(int(reply['numberToMatch']) + 1) % 1_000_000:06}"
    require(refusal(lambda: approvals.send(device, approval, device.platform_time(), number=wrong)) == 22, "a wrong number")
    require(refusal(lambda: approvals.fetch(device, id)) == 18, "a wrong number has not ended the request")
    session = platform.session("second")
    require((session["sessionStatus"], session["declineReason"]) == ("refused", "wrongNumber"), f"a wrong number is {session}")


def check_transaction(platform, device):
    """A payment that the user approves after a list, because a rejection stops notifications for a while."""
    reply = platform.request_transaction(device.account, "payment", PAYMENT)
    (id, _, _, _, is_announced), = device.ask("approval.list", [])[0]
    require(not is_announced, "a request that was announced shortly after a rejection")
    approval = approvals.fetch(device, id)
    require(approval.kind == "transaction", "a transaction of another kind")
    require(approval.display == [
        ("amount", "1234.50"), ("currency", "EUR"), ("creditor", "Power and Light"),
        ("creditorAccount", "DE89370400440532013000"), ("field", "Reference", "Invoice 17")], f"the user sees {approval.display}")
    receipt = approvals.send(device, approval, device.platform_time(), number=reply["numberToMatch"])
    require(platform.session("payment")["sessionStatus"] == "accepted", "an approved payment that is not accepted")
    return receipt


def check_rejection(platform, device):
    """A login that the user did not start. After a rejection by the password, logins of unknown sources are refused."""
    platform.request_login(device.account, "stranger", sourceID="stranger")
    id, = approvals.pending(device)
    approval = approvals.fetch(device, id)
    receipt = approvals.send(device, approval, device.platform_time(), reason=approvals.NOT_ME, method=1, fallback=3)
    session = platform.session("stranger")
    require((session["sessionStatus"], session["declineReason"]) == ("refused", "notMe"), f"a rejected login is {session}")
    strict = platform.request_login(device.account, "again", sourceID="stranger")
    require((strict["sessionStatus"], strict["declineReason"]) == ("refused", "policy"), f"after notMe, a login is {strict}")
    return receipt
