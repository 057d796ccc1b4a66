/// SHA-1 and SHA-256 with SHA-NI. Several messages are interleaved: the instructions of one message wait for each
/// other, the instructions of different messages do not.
#if defined(__x86_64__)
#include <immintrin.h>

#include "constants.h"
#include "functions.h"

#define SHA_NI __attribute__((target("sha,sse4.1,ssse3")))
#define UNROLLED _Pragma("clang loop unroll(full)")
/// Repeats a statement for each message. The number of messages, 1 to 4, is a constant after inlining.
#define EACH UNROLLED for (int i = 0; i < streams; i++)

/// A block of a message. The first word is in the highest lane for SHA-1 and in the lowest for SHA-256.
struct block {
    __m128i words[4];
};

/// The state of SHA-1: a, b, c, d from the highest lane down, and e in the highest lane.
struct sha1 {
    __m128i abcd, e;
};

/// The state of SHA-256 in the form of the instructions: a, b, e, f and c, d, g, h from the highest lane down.
struct sha256 {
    __m128i abef, cdgh;
};

// MARK: SHA-1

INLINE SHA_NI __m128i sha1_four_rounds(__m128i abcd, __m128i sum, int part) {
    switch (part) {
    case 0: return _mm_sha1rnds4_epu32(abcd, sum, 0);
    case 1: return _mm_sha1rnds4_epu32(abcd, sum, 1);
    case 2: return _mm_sha1rnds4_epu32(abcd, sum, 2);
    default: return _mm_sha1rnds4_epu32(abcd, sum, 3);
    }
}

/// Returns the next four words of the message schedule from the sixteen before them.
INLINE SHA_NI __m128i sha1_next(const __m128i *words, int group) {
    __m128i early = _mm_sha1msg1_epu32(words[group & 3], words[(group + 1) & 3]);
    return _mm_sha1msg2_epu32(_mm_xor_si128(early, words[(group + 2) & 3]), words[(group + 3) & 3]);
}

INLINE SHA_NI void sha1_compress(int streams, struct sha1 *state, struct block *block) {
    struct sha1 before[4];
    __m128i previous[4];
    EACH before[i] = state[i];
    UNROLLED for (int group = 0; group < 20; group++) {
        EACH {
            __m128i *words = block[i].words, *word = &words[group & 3];
            if (group >= 4) *word = sha1_next(words, group);
            __m128i sum = group == 0 ? _mm_add_epi32(state[i].e, *word) : _mm_sha1nexte_epu32(previous[i], *word);
            previous[i] = state[i].abcd;
            state[i].abcd = sha1_four_rounds(state[i].abcd, sum, group / 5);
        }
    }
    EACH {
        state[i].abcd = _mm_add_epi32(state[i].abcd, before[i].abcd);
        state[i].e = _mm_sha1nexte_epu32(previous[i], before[i].e);
    }
}

INLINE SHA_NI struct sha1 sha1_load(const uint32_t *words) {
    __m128i abcd = _mm_loadu_si128((const __m128i_u *)words);
    return (struct sha1){_mm_shuffle_epi32(abcd, 0x1b), _mm_set_epi32((int)words[4], 0, 0, 0)};
}

INLINE SHA_NI void sha1_store(uint32_t *words, struct sha1 state) {
    _mm_storeu_si128((__m128i_u *)words, _mm_shuffle_epi32(state.abcd, 0x1b));
    words[4] = (uint32_t)_mm_extract_epi32(state.e, 3);
}

INLINE SHA_NI struct block sha1_block(const uint8_t *bytes) {
    const __m128i reversed = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
    struct block block;
    for (int index = 0; index < 4; index++) {
        block.words[index] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i_u *)(bytes + 16 * index)), reversed);
    }
    return block;
}

SHA_NI void hash_blocks_sha1_native(uint32_t *words, const uint8_t *blocks, size_t count) {
    struct sha1 state = sha1_load(words);
    for (; count > 0; count--, blocks += 64) {
        struct block block = sha1_block(blocks);
        sha1_compress(1, &state, &block);
    }
    sha1_store(words, state);
}

/// Hashes the inner hashes with the outer state and writes the numbers.
INLINE SHA_NI void sha1_outer(int streams, const struct hash_blocks_key *key, struct sha1 *state, uint32_t *numbers) {
    struct block block[4];
    EACH {
        // The first word of the padding, and the length in bits of the block of HMAC's padding and the hash.
        block[i].words[0] = state[i].abcd;
        block[i].words[1] = _mm_or_si128(state[i].e, _mm_set_epi32(0, (int)0x80000000, 0, 0));
        block[i].words[2] = _mm_setzero_si128();
        block[i].words[3] = _mm_set_epi32(0, 0, 0, (64 + 20) * 8);
        state[i] = sha1_load(key->outer.words);
    }
    sha1_compress(streams, state, block);
    EACH {
        uint64_t third = (uint64_t)_mm_extract_epi64(state[i].e, 1);
        numbers[i] = truncated(
            (uint64_t)_mm_extract_epi64(state[i].abcd, 1), (uint64_t)_mm_cvtsi128_si64(state[i].abcd), third,
            (uint32_t)(third >> 32));
    }
}

INLINE SHA_NI void sha1_numbers(
    int streams, const struct hash_blocks_key *key, uint64_t first, uint32_t *numbers
) {
    struct sha1 state[4];
    struct block block[4];
    EACH {
        // The counter, the first word of the padding, and the length in bits of the block of HMAC's padding and the
        // counter.
        state[i] = sha1_load(key->inner.words);
        __m128i counter = _mm_shuffle_epi32(_mm_cvtsi64_si128((long long)(first + (uint64_t)i)), 0x4f);
        block[i].words[0] = _mm_or_si128(counter, _mm_set_epi32(0, 0, (int)0x80000000, 0));
        block[i].words[1] = block[i].words[2] = _mm_setzero_si128();
        block[i].words[3] = _mm_set_epi32(0, 0, 0, (64 + 8) * 8);
    }
    sha1_compress(streams, state, block);
    sha1_outer(streams, key, state, numbers);
}

SHA_NI void hash_blocks_sha1_native_numbers(
    const struct hash_blocks_key *key, uint64_t first, size_t count, uint32_t *numbers
) {
    for (; count >= 4; count -= 4, first += 4, numbers += 4) sha1_numbers(4, key, first, numbers);
    if (count == 3) sha1_numbers(3, key, first, numbers);
    if (count == 2) sha1_numbers(2, key, first, numbers);
    if (count == 1) sha1_numbers(1, key, first, numbers);
}

// MARK: SHA-256

/// Returns the next four words of the message schedule from the sixteen before them.
INLINE SHA_NI __m128i sha256_next(const __m128i *words, int group) {
    __m128i last = words[(group + 3) & 3], seventh = _mm_alignr_epi8(last, words[(group + 2) & 3], 4);
    __m128i early = _mm_sha256msg1_epu32(words[group & 3], words[(group + 1) & 3]);
    return _mm_sha256msg2_epu32(_mm_add_epi32(early, seventh), last);
}

INLINE SHA_NI void sha256_compress(int streams, struct sha256 *state, struct block *block) {
    struct sha256 before[3];
    EACH before[i] = state[i];
    UNROLLED for (int group = 0; group < 16; group++) {
        __m128i constants = _mm_loadu_si128((const __m128i_u *)(sha256_constants + 4 * group));
        EACH {
            __m128i *words = block[i].words, *word = &words[group & 3];
            if (group >= 4) *word = sha256_next(words, group);
            __m128i sum = _mm_add_epi32(*word, constants);
            state[i].cdgh = _mm_sha256rnds2_epu32(state[i].cdgh, state[i].abef, sum);
            state[i].abef = _mm_sha256rnds2_epu32(state[i].abef, state[i].cdgh, _mm_shuffle_epi32(sum, 0x0e));
        }
    }
    EACH {
        state[i].abef = _mm_add_epi32(state[i].abef, before[i].abef);
        state[i].cdgh = _mm_add_epi32(state[i].cdgh, before[i].cdgh);
    }
}

INLINE SHA_NI struct sha256 sha256_load(const uint32_t *words) {
    __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i_u *)words), 0xb1);
    __m128i fehg = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i_u *)(words + 4)), 0xb1);
    return (struct sha256){_mm_unpacklo_epi64(fehg, badc), _mm_unpackhi_epi64(fehg, badc)};
}

/// a to d and e to h from the lowest lane up, the order in memory and in a message.
INLINE SHA_NI __m128i sha256_abcd(struct sha256 state) {
    return _mm_shuffle_epi32(_mm_unpackhi_epi64(state.abef, state.cdgh), 0xb1);
}
INLINE SHA_NI __m128i sha256_efgh(struct sha256 state) {
    return _mm_shuffle_epi32(_mm_unpacklo_epi64(state.abef, state.cdgh), 0xb1);
}

INLINE SHA_NI void sha256_store(uint32_t *words, struct sha256 state) {
    _mm_storeu_si128((__m128i_u *)words, sha256_abcd(state));
    _mm_storeu_si128((__m128i_u *)(words + 4), sha256_efgh(state));
}

INLINE SHA_NI struct block sha256_block(const uint8_t *bytes) {
    const __m128i swapped = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    struct block block;
    for (int index = 0; index < 4; index++) {
        block.words[index] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i_u *)(bytes + 16 * index)), swapped);
    }
    return block;
}

SHA_NI void hash_blocks_sha256_native(uint32_t *words, const uint8_t *blocks, size_t count) {
    struct sha256 state = sha256_load(words);
    for (; count > 0; count--, blocks += 64) {
        struct block block = sha256_block(blocks);
        sha256_compress(1, &state, &block);
    }
    sha256_store(words, state);
}

INLINE SHA_NI void sha256_outer(
    int streams, const struct hash_blocks_key *key, struct sha256 *state, uint32_t *numbers
) {
    struct block block[3];
    EACH {
        block[i].words[0] = sha256_abcd(state[i]);
        block[i].words[1] = sha256_efgh(state[i]);
        block[i].words[2] = _mm_set_epi32(0, 0, 0, (int)0x80000000);
        block[i].words[3] = _mm_set_epi32((64 + 32) * 8, 0, 0, 0);
        state[i] = sha256_load(key->outer.words);
    }
    sha256_compress(streams, state, block);
    EACH {
        numbers[i] = truncated(
            (uint64_t)_mm_extract_epi64(state[i].abef, 1), (uint64_t)_mm_extract_epi64(state[i].cdgh, 1),
            (uint64_t)_mm_cvtsi128_si64(state[i].abef), (uint32_t)_mm_cvtsi128_si32(state[i].cdgh));
    }
}

INLINE SHA_NI void sha256_numbers(
    int streams, const struct hash_blocks_key *key, uint64_t first, uint32_t *numbers
) {
    struct sha256 state[3];
    struct block block[3];
    EACH {
        state[i] = sha256_load(key->inner.words);
        __m128i counter = _mm_shuffle_epi32(_mm_cvtsi64_si128((long long)(first + (uint64_t)i)), 0xe1);
        block[i].words[0] = _mm_or_si128(counter, _mm_set_epi32(0, (int)0x80000000, 0, 0));
        block[i].words[1] = block[i].words[2] = _mm_setzero_si128();
        block[i].words[3] = _mm_set_epi32((64 + 8) * 8, 0, 0, 0);
    }
    sha256_compress(streams, state, block);
    sha256_outer(streams, key, state, numbers);
}

SHA_NI void hash_blocks_sha256_native_numbers(
    const struct hash_blocks_key *key, uint64_t first, size_t count, uint32_t *numbers
) {
    for (; count >= 3; count -= 3, first += 3, numbers += 3) sha256_numbers(3, key, first, numbers);
    if (count == 2) sha256_numbers(2, key, first, numbers);
    if (count == 1) sha256_numbers(1, key, first, numbers);
}
#endif
