/// SHA-512 with the rotations of BMI2. AVX2 computes the words of the next rounds at the same time.
#if defined(__x86_64__)
#include "constants.h"
#include "functions.h"

#define AVX2 __attribute__((target("avx2,bmi,bmi2")))
#define UNROLLED _Pragma("clang loop unroll(full)")

/// Two words of the message schedule. They are independent: a word depends on words that are at least two before it.
typedef uint64_t pair __attribute__((vector_size(16)));

INLINE AVX2 uint64_t rotated(uint64_t word, int count) { return word >> count | word << (64 - count); }
INLINE AVX2 pair both_rotated(pair words, int count) { return words >> count | words << (64 - count); }

/// The second word of a pair and the first of the next pair.
INLINE AVX2 pair between(pair first, pair second) { return __builtin_shufflevector(first, second, 1, 2); }

INLINE AVX2 pair next(const pair words[8], int index) {
    pair early = between(words[index], words[(index + 1) & 7]), late = words[(index + 7) & 7];
    return words[index] + between(words[(index + 4) & 7], words[(index + 5) & 7])
        + (both_rotated(early, 1) ^ both_rotated(early, 8) ^ early >> 7)
        + (both_rotated(late, 19) ^ both_rotated(late, 61) ^ late >> 6);
}

// The values that are known early are added first. (a ^ b) & (b ^ c) ^ b is the majority, and the next round uses a ^ b
// again.
#define ROUND(sum_of_word)                                                                  \
    {                                                                                       \
        uint64_t mixed = rotated(e, 14) ^ rotated(e, 18) ^ rotated(e, 41);                  \
        h += sum_of_word;                                                                   \
        h += e & f;                                                                         \
        h += ~e & g;                                                                        \
        __asm__ volatile("" : "+r"(h));                                                     \
        h += mixed;                                                                         \
        uint64_t moved = d + h, differs = a ^ b;                                            \
        __asm__ volatile("" : "+r"(moved));                                                 \
        h += rotated(a, 28) ^ rotated(a, 34) ^ rotated(a, 39);                              \
        h += b ^ (differed & differs);                                                      \
        differed = differs;                                                                 \
        uint64_t sum = h;                                                                   \
        __asm__ volatile("" : "+r"(sum));                                                   \
        h = g, g = f, f = e, e = moved, d = c, c = b, b = a, a = sum;                       \
    }

AVX2 void hash_blocks_sha512_vectors(uint64_t *state, const uint8_t *blocks, size_t count) {
    for (; count > 0; count--, blocks += 128) {
        pair words[8];
        union { pair pairs[8]; uint64_t words[16]; } sums;
        UNROLLED for (int index = 0; index < 8; index++) {
            words[index] = (pair){load64(blocks + 16 * index), load64(blocks + 16 * index + 8)};
            sums.pairs[index] = words[index] + (pair){sha512_constants[2 * index], sha512_constants[2 * index + 1]};
        }
        uint64_t a = state[0], b = state[1], c = state[2], d = state[3];
        uint64_t e = state[4], f = state[5], g = state[6], h = state[7];
        uint64_t differed = b ^ c;
        for (int start = 16; start < 80; start += 16) {
            UNROLLED for (int round = 0; round < 16; round++) {
                ROUND(sums.words[round])
                if ((round & 1) == 0) continue;
                // Between the rounds, so that the processor executes both kinds of instructions at the same time.
                int index = round / 2;
                const uint64_t *constants = sha512_constants + start + 2 * index;
                words[index] = next(words, index);
                sums.pairs[index] = words[index] + (pair){constants[0], constants[1]};
                __asm__ volatile("" : "+x"(words[index]));
            }
        }
        UNROLLED for (int round = 0; round < 16; round++) ROUND(sums.words[round])
        state[0] += a, state[1] += b, state[2] += c, state[3] += d;
        state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    }
}
#endif
