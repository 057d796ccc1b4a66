"""Seals without a network, and seals that the platform confirms (article "The messages", section "Seals")."""
import hashlib

import approvals
import cose
from cose import members, require
from device import OTHER, PASSWORD, refusal

TEXT = "I agree to the terms of Zoë’s shop."
NAME, DATA = "contract.pdf", bytes(range(256))


def check(platform, device):
    """Makes seals with one device. Returns the receipt by its name."""
    check_offline(platform, device)
    return {"seal": check_online(platform, device)}


def check_offline(platform, device):
    """A seal is accepted once, over its own data and name only, and not as a signature."""
    digest, text_digest = hashlib.sha256(DATA).hexdigest(), hashlib.sha256(TEXT.encode()).hexdigest()
    for fields, content in (([NAME, digest], {"name": NAME, "digest": digest}), ([text_digest], {"text": TEXT}),
                            ([text_digest], {"digest": text_digest})):
        seal, host_code = device.seal_offline(fields)
        for other in ({"digest": digest}, {"name": NAME, "digest": text_digest}, {"text": TEXT + " "}):
            if other != content:
                reply = platform.validate_seal(device.account, seal, **other)
                require(reply["sessionStatus"] == "failed", f"a seal over {content} was accepted for {other}: {reply}")
        reply = platform.validate_seal(device.account, seal, **content)
        require(reply["sessionStatus"] == "accepted" and reply.get("hostCode") == host_code, f"a seal over {content} got {reply}")
        require(reply["verifiedMethod"] == "password", f"a seal by the password is {reply}")
        again = platform.validate_seal(device.account, seal, **content)
        require(again["sessionStatus"] == "failed" and "hostCode" not in again, f"a used seal got {again}")
    seal, _ = device.seal_offline([text_digest], OTHER)
    reply = platform.validate_seal(device.account, seal, text=TEXT)
    require(reply["sessionStatus"] == "refused", f"a seal by possession got {reply}")
    device.synchronize()


def check_online(platform, device):
    """The device compares what it is asked to approve with what it has asked for. A later request replaces an earlier one."""
    digest = hashlib.sha256(TEXT.encode()).digest()
    replaced, = members(device.ask("seal.request", [NAME, hashlib.sha256(DATA).digest(), None, 1])[0], 1)
    approval = approvals.fetch(device, replaced)
    expected = [("field", "Name", NAME), ("field", "SHA-256", hashlib.sha256(DATA).hexdigest())]
    require(approval.display == expected, f"the user sees {approval.display}")
    id, = members(device.ask("seal.request", [None, digest, TEXT, 1])[0], 1)
    require(refusal(lambda: approvals.fetch(device, replaced)) == 19, "an earlier seal was not replaced")
    approval = approvals.fetch(device, id)
    expected = [("text", TEXT), ("field", "SHA-256", digest.hex())]
    require((approval.kind, approval.display) == ("seal", expected), f"the user sees {approval.kind} {approval.display}")
    asked = (approval.method, approval.rejection, approval.digits, approval.expiry - approval.created)
    require(asked == (1, 0, 0, 120_000), f"a seal asks for {asked}")
    principal = (approval.principal_id, approval.principal_name)
    require(principal == (device.id.hex(), device.tenant), f"a seal of {principal}")
    receipt = approvals.send(device, approval, device.platform_time())
    request, _, signatures = members(cose.decode(receipt), 3)
    require(hashlib.sha256(request).digest() == approval.digest, "a receipt of another request")
    payload, _ = device.platform_keys.payload_of(signatures, "receipt")
    require(members(cose.decode(payload), 12)[8] == 1, "a seal that is not approved")
    return receipt
