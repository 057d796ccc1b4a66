/// Eight SHA-1 at once, with a message in each lane of AVX2.
#if defined(__x86_64__)
#include <immintrin.h>

#include "functions.h"

#define AVX2 __attribute__((target("avx2")))
#define UNROLLED _Pragma("clang loop unroll(full)")

typedef uint32_t lanes __attribute__((vector_size(32)));

INLINE AVX2 lanes all(uint32_t word) { return (lanes){word, word, word, word, word, word, word, word}; }
INLINE AVX2 lanes rotate_left(lanes words, int count) { return words << count | words >> (32 - count); }

INLINE AVX2 lanes word(lanes words[16], int round) {
    if (round < 16) return words[round];
    lanes sum = words[(round - 3) & 15] ^ words[(round - 8) & 15] ^ words[(round - 14) & 15] ^ words[round & 15];
    return words[round & 15] = (sum + sum) | sum >> 31;
}

// The values that are known early are added first, so that a round waits for one rotation and one addition only.
#define ROUNDS(from, function, constant)                                                    \
    UNROLLED for (int round = from; round < from + 20; round++) {                           \
        lanes sum = e + (all(constant) + word(words, round));                               \
        sum = sum + (function);                                                             \
        __asm__("" : "+x"(sum));                                                            \
        sum = sum + rotate_left(a, 5);                                                      \
        e = d, d = c, c = rotate_left(b, 30), b = a, a = sum;                               \
    }

INLINE AVX2 void compress(lanes state[5], lanes words[16]) {
    lanes a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    ROUNDS(0, d ^ (b & (c ^ d)), 0x5a827999)
    ROUNDS(20, b ^ c ^ d, 0x6ed9eba1)
    ROUNDS(40, (b & c) + (d & (b ^ c)), 0x8f1bbcdc)
    ROUNDS(60, b ^ c ^ d, 0xca62c1d6)
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

AVX2 void hash_blocks_sha1_lanes(const struct hash_blocks_key *key, uint64_t first, uint32_t numbers[8]) {
    lanes state[5], words[16], lower = (uint32_t)first + (lanes){0, 1, 2, 3, 4, 5, 6, 7};
    for (int index = 0; index < 5; index++) state[index] = all(key->inner.words[index]);
    for (int index = 3; index < 15; index++) words[index] = all(0);
    // A comparison gives all ones, which is minus one, in the lanes in which the lower half has overflowed.
    words[0] = all((uint32_t)(first >> 32)) - (lanes)(lower < (uint32_t)first);
    words[1] = lower;
    words[2] = all(0x80000000);
    words[15] = all((64 + 8) * 8);
    compress(state, words);

    for (int index = 0; index < 5; index++) words[index] = state[index];
    for (int index = 0; index < 5; index++) state[index] = all(key->outer.words[index]);
    words[5] = all(0x80000000);
    for (int index = 6; index < 15; index++) words[index] = all(0);
    words[15] = all((64 + 20) * 8);
    compress(state, words);

    // The same as `truncated`, in all lanes. A shift by 32 gives 0 here.
    lanes place = state[4] & 15, high = state[0], low = state[1];
    UNROLLED for (int index = 1; index < 4; index++) {
        lanes chosen = (lanes)((place >> 2) == (uint32_t)index);
        high ^= (high ^ state[index]) & chosen;
        low ^= (low ^ state[index + 1]) & chosen;
    }
    lanes shift = (place & 3) << 3;
    __m256i upper = _mm256_sllv_epi32((__m256i)high, (__m256i)shift);
    __m256i rest = _mm256_srlv_epi32((__m256i)low, (__m256i)(32 - shift));
    lanes number = (lanes)_mm256_or_si256(upper, rest) & 0x7fffffff;
    memcpy(numbers, &number, sizeof number);
}
#endif
