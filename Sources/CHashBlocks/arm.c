/// SHA-1 and SHA-256 with the cryptographic extension of ARMv8. Messages are not interleaved: no benchmark was run on
/// such a processor. Tests/Scripts/hash-vectors runs this code in an emulator.
#if defined(__aarch64__)
#include <arm_neon.h>

#include "constants.h"
#include "functions.h"

#define SHA __attribute__((target("sha2")))
#define UNROLLED _Pragma("clang loop unroll(full)")

/// A block of a message, with the first word in the lowest lane.
struct block {
    uint32x4_t words[4];
};

struct sha1 {
    uint32x4_t abcd;
    uint32_t e;
};

struct sha256 {
    uint32x4_t abcd, efgh;
};

INLINE SHA struct block block_of(const uint8_t *bytes) {
    struct block block;
    for (int index = 0; index < 4; index++) {
        block.words[index] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes + 16 * index)));
    }
    return block;
}

/// The block of a counter: eight bytes, the padding, and the length in bits with the block of HMAC's padding.
INLINE SHA struct block block_of_counter(uint64_t counter) {
    const uint32_t words[8] = {(uint32_t)(counter >> 32), (uint32_t)counter, 0x80000000, 0, 0, 0, 0, (64 + 8) * 8};
    return (struct block){{vld1q_u32(words), vdupq_n_u32(0), vdupq_n_u32(0), vld1q_u32(words + 4)}};
}

// MARK: SHA-1

INLINE SHA struct sha1 sha1_compressed(struct sha1 before, struct block block) {
    static const uint32_t constants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    struct sha1 state = before;
    UNROLLED for (int group = 0; group < 20; group++) {
        uint32x4_t *words = block.words, *word = &words[group & 3];
        if (group >= 4) {
            *word = vsha1su0q_u32(*word, words[(group + 1) & 3], words[(group + 2) & 3]);
            *word = vsha1su1q_u32(*word, words[(group + 3) & 3]);
        }
        uint32x4_t sum = vaddq_u32(*word, vdupq_n_u32(constants[group / 5]));
        uint32_t e = vsha1h_u32(vgetq_lane_u32(state.abcd, 0));
        if (group < 5) {
            state.abcd = vsha1cq_u32(state.abcd, state.e, sum);
        } else if (group < 10 || group >= 15) {
            state.abcd = vsha1pq_u32(state.abcd, state.e, sum);
        } else {
            state.abcd = vsha1mq_u32(state.abcd, state.e, sum);
        }
        state.e = e;
    }
    return (struct sha1){vaddq_u32(state.abcd, before.abcd), state.e + before.e};
}

INLINE SHA struct sha1 sha1_load(const uint32_t *words) { return (struct sha1){vld1q_u32(words), words[4]}; }

INLINE SHA void sha1_store(uint32_t *words, struct sha1 state) {
    vst1q_u32(words, state.abcd);
    words[4] = state.e;
}

SHA void hash_blocks_sha1_native(uint32_t *words, const uint8_t *blocks, size_t count) {
    struct sha1 state = sha1_load(words);
    for (; count > 0; count--, blocks += 64) state = sha1_compressed(state, block_of(blocks));
    sha1_store(words, state);
}

/// Hashes the inner hash with the outer state and returns the number.
INLINE SHA uint32_t sha1_number(const struct hash_blocks_key *key, struct sha1 state) {
    const uint32_t end[8] = {state.e, 0x80000000, 0, 0, 0, 0, 0, (64 + 20) * 8};
    struct block block = {{state.abcd, vld1q_u32(end), vdupq_n_u32(0), vld1q_u32(end + 4)}};
    state = sha1_compressed(sha1_load(key->outer.words), block);
    uint64x2_t words = vreinterpretq_u64_u32(vrev64q_u32(state.abcd));
    return truncated(vgetq_lane_u64(words, 0), vgetq_lane_u64(words, 1), (uint64_t)state.e << 32, state.e);
}

SHA void hash_blocks_sha1_native_numbers(
    const struct hash_blocks_key *key, uint64_t first, size_t count, uint32_t *numbers
) {
    for (size_t index = 0; index < count; index++) {
        numbers[index] =
            sha1_number(key, sha1_compressed(sha1_load(key->inner.words), block_of_counter(first + index)));
    }
}

// MARK: SHA-256

INLINE SHA struct sha256 sha256_compressed(struct sha256 before, struct block block) {
    struct sha256 state = before;
    UNROLLED for (int group = 0; group < 16; group++) {
        uint32x4_t *words = block.words, *word = &words[group & 3];
        if (group >= 4) {
            *word = vsha256su0q_u32(*word, words[(group + 1) & 3]);
            *word = vsha256su1q_u32(*word, words[(group + 2) & 3], words[(group + 3) & 3]);
        }
        uint32x4_t sum = vaddq_u32(*word, vld1q_u32(sha256_constants + 4 * group)), abcd = state.abcd;
        state.abcd = vsha256hq_u32(abcd, state.efgh, sum);
        state.efgh = vsha256h2q_u32(state.efgh, abcd, sum);
    }
    return (struct sha256){vaddq_u32(state.abcd, before.abcd), vaddq_u32(state.efgh, before.efgh)};
}

INLINE SHA struct sha256 sha256_load(const uint32_t *words) {
    return (struct sha256){vld1q_u32(words), vld1q_u32(words + 4)};
}

INLINE SHA void sha256_store(uint32_t *words, struct sha256 state) {
    vst1q_u32(words, state.abcd);
    vst1q_u32(words + 4, state.efgh);
}

SHA void hash_blocks_sha256_native(uint32_t *words, const uint8_t *blocks, size_t count) {
    struct sha256 state = sha256_load(words);
    for (; count > 0; count--, blocks += 64) state = sha256_compressed(state, block_of(blocks));
    sha256_store(words, state);
}

INLINE SHA uint32_t sha256_number(const struct hash_blocks_key *key, struct sha256 state) {
    const uint32_t end[8] = {0x80000000, 0, 0, 0, 0, 0, 0, (64 + 32) * 8};
    struct block block = {{state.abcd, state.efgh, vld1q_u32(end), vld1q_u32(end + 4)}};
    state = sha256_compressed(sha256_load(key->outer.words), block);
    uint64x2_t words = vreinterpretq_u64_u32(vrev64q_u32(state.abcd));
    return truncated(
        vgetq_lane_u64(words, 0), vgetq_lane_u64(words, 1), (uint64_t)vgetq_lane_u32(state.efgh, 0) << 32,
        vgetq_lane_u32(state.efgh, 3));
}

SHA void hash_blocks_sha256_native_numbers(
    const struct hash_blocks_key *key, uint64_t first, size_t count, uint32_t *numbers
) {
    for (size_t index = 0; index < count; index++) {
        numbers[index] =
            sha256_number(key, sha256_compressed(sha256_load(key->inner.words), block_of_counter(first + index)));
    }
}
#endif
