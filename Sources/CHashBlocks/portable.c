/// The block functions in portable C.
#include "constants.h"
#include "functions.h"

INLINE uint32_t rotate_left(uint32_t word, int count) { return word << count | word >> (32 - count); }
INLINE uint32_t rotate_right(uint32_t word, int count) { return word >> count | word << (32 - count); }
INLINE uint64_t rotate_right_long(uint64_t word, int count) { return word >> count | word << (64 - count); }

/// Unrolls all rounds, so that no word is moved between rounds.
#define UNROLLED _Pragma("clang loop unroll(full)")

INLINE uint32_t sha1_word(uint32_t words[16], int round) {
    if (round < 16) return words[round];
    uint32_t word = words[(round - 3) & 15] ^ words[(round - 8) & 15] ^ words[(round - 14) & 15] ^ words[round & 15];
    return words[round & 15] = rotate_left(word, 1);
}

#define SHA1_ROUNDS(from, function, constant)                                               \
    UNROLLED for (int round = from; round < from + 20; round++) {                           \
        uint32_t sum = e + (constant + sha1_word(words, round)) + (function);               \
        sum += rotate_left(a, 5);                                                           \
        e = d, d = c, c = rotate_left(b, 30), b = a, a = sum;                               \
    }

void hash_blocks_sha1_portable(uint32_t *state, const uint8_t *blocks, size_t count) {
    for (; count > 0; count--, blocks += 64) {
        uint32_t words[16];
        for (int index = 0; index < 16; index++) words[index] = load32(blocks + 4 * index);
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
        SHA1_ROUNDS(0, d ^ (b & (c ^ d)), 0x5a827999)
        SHA1_ROUNDS(20, b ^ c ^ d, 0x6ed9eba1)
        SHA1_ROUNDS(40, (b & c) | (d & (b | c)), 0x8f1bbcdc)
        SHA1_ROUNDS(60, b ^ c ^ d, 0xca62c1d6)
        state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
    }
}

INLINE uint32_t sha256_word(uint32_t words[16], int round) {
    if (round < 16) return words[round];
    uint32_t early = words[(round - 15) & 15], late = words[(round - 2) & 15];
    return words[round & 15] += (rotate_right(early, 7) ^ rotate_right(early, 18) ^ early >> 3)
        + words[(round - 7) & 15] + (rotate_right(late, 17) ^ rotate_right(late, 19) ^ late >> 10);
}

void hash_blocks_sha256_portable(uint32_t *state, const uint8_t *blocks, size_t count) {
    for (; count > 0; count--, blocks += 64) {
        uint32_t words[16];
        for (int index = 0; index < 16; index++) words[index] = load32(blocks + 4 * index);
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
        uint32_t e = state[4], f = state[5], g = state[6], h = state[7], differed = b ^ c;
        UNROLLED for (int round = 0; round < 64; round++) {
            // The values that are known early are added first. b ^ ((a ^ b) & (b ^ c)) is the majority, and a ^ b is
            // used twice.
            h += sha256_constants[round] + sha256_word(words, round);
            h += (g ^ (e & (f ^ g))) + rotate_right(rotate_right(rotate_right(e, 14) ^ e, 5) ^ e, 6);
            uint32_t moved = d + h, differs = a ^ b;
            uint32_t rotated = rotate_right(rotate_right(rotate_right(a, 9) ^ a, 11) ^ a, 2);
            uint32_t sum = h + (b ^ (differed & differs)) + rotated;
            differed = differs;
            h = g, g = f, f = e, e = moved, d = c, c = b, b = a, a = sum;
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d;
        state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    }
}

INLINE uint64_t sha512_word(uint64_t words[16], int round) {
    if (round < 16) return words[round];
    uint64_t early = words[(round - 15) & 15], late = words[(round - 2) & 15];
    return words[round & 15] += (rotate_right_long(early, 1) ^ rotate_right_long(early, 8) ^ early >> 7)
        + words[(round - 7) & 15] + (rotate_right_long(late, 19) ^ rotate_right_long(late, 61) ^ late >> 6);
}

void hash_blocks_sha512_portable(uint64_t *state, const uint8_t *blocks, size_t count) {
    for (; count > 0; count--, blocks += 128) {
        uint64_t words[16];
        for (int index = 0; index < 16; index++) words[index] = load64(blocks + 8 * index);
        uint64_t a = state[0], b = state[1], c = state[2], d = state[3];
        uint64_t e = state[4], f = state[5], g = state[6], h = state[7];
        UNROLLED for (int round = 0; round < 80; round++) {
            h += sha512_constants[round] + sha512_word(words, round) + (g ^ (e & (f ^ g)))
                + (rotate_right_long(e, 14) ^ rotate_right_long(e, 18) ^ rotate_right_long(e, 41));
            uint64_t sum = h + ((a & b) | (c & (a | b)))
                + (rotate_right_long(a, 28) ^ rotate_right_long(a, 34) ^ rotate_right_long(a, 39));
            uint64_t moved = d + h;
            h = g, g = f, f = e, e = moved, d = c, c = b, b = a, a = sum;
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d;
        state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    }
}
