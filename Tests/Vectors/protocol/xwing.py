"""X-Wing (draft-connolly-cfrg-xwing-kem-06) over ML-KEM-768 (FIPS 203), with the random bytes handed in.

Libraries do not take the random bytes of an encapsulation, and a vector needs them. It is slow, not constant in time, and
only for this purpose. `self_test` compares it with the vectors of hpke-xwing.
"""
import hashlib
import json
import os

Q, N, K = 3329, 256, 3
LABEL = b"\\.//^\\"


def reversed_bits(i):
    return int(f"{i:07b}"[::-1], 2)


ZETAS = [pow(17, reversed_bits(i), Q) for i in range(128)]
GAMMAS = [pow(17, 2 * reversed_bits(i) + 1, Q) for i in range(128)]


# FIPS 203, section 4.3
def ntt(f):
    f, i, length = list(f), 1, 128
    while length >= 2:
        for start in range(0, N, 2 * length):
            for j in range(start, start + length):
                t = ZETAS[i] * f[j + length] % Q
                f[j + length], f[j] = (f[j] - t) % Q, (f[j] + t) % Q
            i += 1
        length //= 2
    return f


def inverse_ntt(f):
    f, i, length = list(f), 127, 2
    while length <= 128:
        for start in range(0, N, 2 * length):
            for j in range(start, start + length):
                t = f[j]
                f[j] = (t + f[j + length]) % Q
                f[j + length] = ZETAS[i] * (f[j + length] - t) % Q
            i -= 1
        length *= 2
    return [x * 3303 % Q for x in f]


def product(f, g):
    h = []
    for i in range(128):
        a, b, c, d = f[2 * i], f[2 * i + 1], g[2 * i], g[2 * i + 1]
        h += [(a * c + b * d * GAMMAS[i]) % Q, (a * d + b * c) % Q]
    return h


def add(*polynomials):
    return [sum(values) % Q for values in zip(*polynomials)]


def inner(row, column):
    return add(*map(product, row, column))


# FIPS 203, section 4.2
def sample_uniform(rho, j, i):
    stream, values = hashlib.shake_128(rho + bytes([j, i])).digest(3 * 1024), []
    for at in range(0, len(stream), 3):
        a, b, c = stream[at:at + 3]
        values += [value for value in (a + 256 * (b % 16), b // 16 + 16 * c) if value < Q]
    return values[:N]


def sample_small(seed, number):
    bits = int.from_bytes(hashlib.shake_256(seed + bytes([number])).digest(128), "little")
    pairs = [(bits >> i & 1) + (bits >> i + 1 & 1) for i in range(0, 1024, 2)]
    return [(pairs[i] - pairs[i + 1]) % Q for i in range(0, 512, 2)]


def encode(f, bits):
    return sum(x << bits * i for i, x in enumerate(f)).to_bytes(N * bits // 8, "little")


def decode(data, bits):
    number = int.from_bytes(data, "little")
    return [(number >> bits * i & (1 << bits) - 1) % (Q if bits == 12 else 1 << bits) for i in range(N)]


def compress(f, bits):
    return [((x << bits) + Q // 2) // Q % (1 << bits) for x in f]


def matrix(rho):
    return [[sample_uniform(rho, j, i) for j in range(K)] for i in range(K)]


# FIPS 203, algorithms 13 and 16
def lattice_public_key(d):
    digest = hashlib.sha3_512(d + bytes([K])).digest()
    rho, sigma = digest[:32], digest[32:]
    s = [ntt(sample_small(sigma, i)) for i in range(K)]
    e = [ntt(sample_small(sigma, K + i)) for i in range(K)]
    return b"".join(encode(add(inner(row, s), e[i]), 12) for i, row in enumerate(matrix(rho))) + rho


# FIPS 203, algorithms 14 and 17
def lattice_encapsulate(public, m):
    digest = hashlib.sha3_512(m + hashlib.sha3_256(public).digest()).digest()
    secret, r = digest[:32], digest[32:]
    t, a = [decode(public[384 * i:384 * (i + 1)], 12) for i in range(K)], matrix(public[1152:])
    y = [ntt(sample_small(r, i)) for i in range(K)]
    e1, e2 = [sample_small(r, K + i) for i in range(K)], sample_small(r, 2 * K)
    u = [add(inverse_ntt(inner([a[j][i] for j in range(K)], y)), e1[i]) for i in range(K)]
    v = add(inverse_ntt(inner(t, y)), e2, [x * ((Q + 1) // 2) for x in decode(m, 1)])
    return secret, b"".join(encode(compress(f, 10), 10) for f in u) + encode(compress(v, 4), 4)


def public_key(seed, x25519, base):
    expanded = hashlib.shake_256(seed).digest(96)
    return lattice_public_key(expanded[:32]) + x25519(expanded[64:], base)


def encapsulate(public, random, x25519, base):
    """Returns the secret and the ciphertext for a public key and 64 random bytes."""
    lattice_secret, ciphertext = lattice_encapsulate(public[:1184], random[:32])
    point = x25519(random[32:], base)
    curve_secret = x25519(random[32:], public[1184:])
    secret = hashlib.sha3_256(lattice_secret + curve_secret + point + public[1184:] + LABEL).digest()
    return secret, ciphertext + point


def self_test(x25519, base):
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "..", "hpke-xwing", "xwing_kem_test-vectors.json")) as file:
        vectors = json.load(file)
    for vector in vectors:
        seed, random, public, secret, ciphertext = (
            bytes.fromhex(vector[name]) for name in ("seed", "eseed", "pk", "ss", "ct"))
        assert public_key(seed, x25519, base) == public, "the public key of a published X-Wing vector"
        assert encapsulate(public, random, x25519, base) == (secret, ciphertext), "a published encapsulation of X-Wing"
