"""Deterministic CBOR (RFC 8949, section 4.2.1) for the programs that make vectors. It shares nothing with the package."""


class Raw(bytes):
    """Bytes that are encoded already."""


class Map(list):
    """A map as a list of pairs in the order in which they are written, for maps that a receiver must refuse."""


def head(major, n):
    if n < 24:
        return bytes([major << 5 | n])
    for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if n < 1 << (8 * size):
            return bytes([major << 5 | code]) + n.to_bytes(size, "big")
    raise ValueError(n)


def cbor(x):
    if isinstance(x, Raw):
        return bytes(x)
    if x is None:
        return b"\xf6"
    if isinstance(x, bool):
        return b"\xf5" if x else b"\xf4"
    if isinstance(x, int):
        return head(0, x) if x >= 0 else head(1, -1 - x)
    if isinstance(x, bytes):
        return head(2, len(x)) + x
    if isinstance(x, str):
        return head(3, len(x.encode())) + x.encode()
    if isinstance(x, Map):
        return head(5, len(x)) + b"".join(cbor(k) + cbor(v) for k, v in x)
    if isinstance(x, list):
        return head(4, len(x)) + b"".join(map(cbor, x))
    if isinstance(x, dict):
        pairs = sorted((cbor(k), cbor(v)) for k, v in x.items())
        return head(5, len(pairs)) + b"".join(k + v for k, v in pairs)
    raise TypeError(x)


def tagged(tag, x):
    return Raw(head(6, tag) + cbor(x))
