"""The platform's keys: statements, each signed by a key of the one before, with its hash (article "Key statements")."""
import hashlib

import cose
from cose import members, require

TOLERANCE = 86_400_000  # milliseconds
SIGNING, SEALING = 0, 1


class Statement:
    def __init__(self, payload):
        self.payload = payload
        self.fingerprint = hashlib.sha256(payload).digest()
        self.sequence, self.previous, self.time, keys, extensions = members(cose.decode(payload), 5)
        cose.extensions(extensions)
        require(self.sequence >= 1, "a statement without a number")
        require((self.previous is None) == (self.sequence == 1), "a hash that is missing or needless")
        keys = [members(key, 6) for key in keys]
        ids = [key[0] for key in keys]
        require(ids == sorted(set(ids)), "keys that are not in order")
        require(all(key[0] == hashlib.sha256(key[3]).digest()[:8] for key in keys), "a key id that is not that of its key")
        self.keys = {key[0]: key for key in keys}
        self.signing = {key[0]: key for key in keys if list(key[1:3]) == [SIGNING, cose.ED25519]}
        self.sealing = [key for key in keys if key[1] == SEALING]

    def sealing_key(self, suite, time):
        """The latest key of the suite that is in use, or the first one when none is."""
        keys = sorted((key for key in self.sealing if key[2] == suite), key=lambda key: key[4])
        require(keys, "a statement without a sealing key of the suite")
        return ([key for key in keys if key[4] <= time] or keys[:1])[-1]

    def payload_of(self, signatures, kind):
        """Returns the payload of a list of signatures, each of a known algorithm verified by a key of the statement."""
        require(isinstance(signatures, (list, tuple)) and 1 <= len(signatures) <= 4, "a list that is not of 1 to 4 signatures")
        payloads, signers = set(), []
        for sign1 in signatures:
            protected, _, payload, _ = cose.tagged(sign1, cose.SIGN1, 4)
            payloads.add(payload)
            header = cose.decode(protected)
            if header[1] not in (cose.ED25519, cose.ESP256):
                continue
            require(header.get(4) in self.signing, "a signer that the statement does not list")
            signers.append(self.signing[header[4]])
            cose.verified(sign1, kind, (header[4], signers[-1][3]))
        require(len(payloads) == 1 and signers, "different payloads, or no known algorithm")
        return payloads.pop(), signers

    def after(self, lists, suite):
        """Verifies the statements that follow this one, and returns the last."""
        latest, number = self, None
        for signatures in lists:
            _, _, payload, _ = cose.tagged(signatures[0], cose.SIGN1, 4)
            following = Statement(payload)
            expected = following.sequence <= self.sequence + 1 if number is None else following.sequence == number + 1
            require(expected, "a missing statement")
            number = following.sequence
            if number <= self.sequence:
                require(number < self.sequence or payload == self.payload, "another statement with the same number")
                continue
            latest.check_successor(following)
            for signer in (latest, following):
                _, signers = signer.payload_of(signatures, "key statement")
                if signer is latest:
                    require(all(covers(key, following.time) for key in signers), "a signer that was not in use")
            following.sealing_key(suite, 0)
            latest = following
        return latest

    def check_successor(self, following):
        require(following.previous == self.fingerprint, "a statement that follows another one")
        require(following.time > self.time, "a statement that is not later than the one before")
        for kid, before in self.keys.items():
            after = following.keys.get(kid, before)
            require(after[:5] == before[:5], "a known key with another use, algorithm or beginning")
            require(before[5] is None or (after[5] is not None and after[5] <= before[5]), "a known key with a later end")


def first(signatures, suite):
    """Verifies the statement of an activation: a key that it lists has signed it."""
    _, _, payload, _ = cose.tagged(signatures[0], cose.SIGN1, 4)
    statement = Statement(payload)
    _, signers = statement.payload_of(signatures, "key statement")
    require(statement.sequence > 1 or all(covers(key, statement.time) for key in signers), "a signer that was not in use")
    statement.sealing_key(suite, 0)
    return statement


def covers(key, time):
    return key[4] <= time and (key[5] is None or time <= key[5])


def is_valid(key, time):
    """Whether a time is within the validity, widened by a day."""
    return key[4] - TOLERANCE <= time and (key[5] is None or time <= key[5] + TOLERANCE)
