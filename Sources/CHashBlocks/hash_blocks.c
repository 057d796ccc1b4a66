#include "functions.h"

// MARK: The processor

#if defined(__x86_64__)
#include <cpuid.h>

static uint8_t found_features(void) {
    unsigned a, b, c, d, extended_b, extended_c;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
    bool has_sse41 = c >> 19 & 1, has_ssse3 = c >> 9 & 1, saves_registers = c >> 27 & 1;
    if (!__get_cpuid_count(7, 0, &a, &extended_b, &extended_c, &d)) return 0;
    uint8_t features = 0;
    if ((extended_b >> 29 & 1) && has_sse41 && has_ssse3) features |= HASH_BLOCKS_SHA;
    if ((extended_b >> 5 & 1) && saves_registers) {
        // The operating system has to save the upper halves of the registers as well.
        unsigned low, high;
        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        if ((low & 6) == 6) {
            features |= HASH_BLOCKS_LANES;
            bool has_bmi = (extended_b >> 3 & 1) && (extended_b >> 8 & 1);
            if (has_bmi) features |= HASH_BLOCKS_VECTORS;
        }
    }
    return features;
}
#elif defined(__aarch64__) && defined(__APPLE__)
static uint8_t found_features(void) { return HASH_BLOCKS_SHA; }  // all 64-bit processors of Apple have it
#elif defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>

static uint8_t found_features(void) {
    unsigned long needed = HWCAP_SHA1 | HWCAP_SHA2;
    return (getauxval(AT_HWCAP) & needed) == needed ? HASH_BLOCKS_SHA : 0;
}
#else
static uint8_t found_features(void) { return 0; }
#endif

uint8_t hash_blocks_features(void) {
    // Several threads may get here at once. They store the same value.
    static _Atomic(uint16_t) cached = 0;
    enum { known = 0x100 };
    uint16_t features = __c11_atomic_load(&cached, __ATOMIC_RELAXED);
    if (features == 0) {
        features = known | found_features();
        __c11_atomic_store(&cached, features, __ATOMIC_RELAXED);
    }
    return (uint8_t)features;
}

// MARK: Block functions

void hash_blocks_sha1(uint8_t features, uint32_t *state, const uint8_t *blocks, size_t count) {
#if HAS_SHA_INSTRUCTIONS
    if (features & HASH_BLOCKS_SHA) return hash_blocks_sha1_native(state, blocks, count);
#endif
    (void)features;
    hash_blocks_sha1_portable(state, blocks, count);
}

void hash_blocks_sha256(uint8_t features, uint32_t *state, const uint8_t *blocks, size_t count) {
#if HAS_SHA_INSTRUCTIONS
    if (features & HASH_BLOCKS_SHA) return hash_blocks_sha256_native(state, blocks, count);
#endif
    (void)features;
    hash_blocks_sha256_portable(state, blocks, count);
}

void hash_blocks_sha512(uint8_t features, uint64_t *state, const uint8_t *blocks, size_t count) {
#if defined(__x86_64__)
    if (features & HASH_BLOCKS_VECTORS) return hash_blocks_sha512_vectors(state, blocks, count);
#endif
    (void)features;
    hash_blocks_sha512_portable(state, blocks, count);
}

static const union hash_blocks_state starts[4] = {
    [HASH_BLOCKS_SHA1] = {.words = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}},
    [HASH_BLOCKS_SHA256] = SHA256_START,
    [HASH_BLOCKS_SHA512] =
        {.long_words =
             {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
              0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179}},
};

static size_t block_size(uint8_t algorithm) { return algorithm == HASH_BLOCKS_SHA512 ? 128 : 64; }

static size_t digest_size(uint8_t algorithm) {
    return algorithm == HASH_BLOCKS_SHA1 ? 20 : algorithm == HASH_BLOCKS_SHA256 ? 32 : 64;
}

#if HAS_SHA_INSTRUCTIONS
/// Returns whether the processor has instructions for a hash. Then functions make a whole code with them.
INLINE bool has_native(uint8_t algorithm, uint8_t features) {
    return (features & HASH_BLOCKS_SHA) && algorithm != HASH_BLOCKS_SHA512;
}
#endif

static void run(
    uint8_t algorithm, uint8_t features, union hash_blocks_state *state, const uint8_t *blocks, size_t count
) {
    if (algorithm == HASH_BLOCKS_SHA1) return hash_blocks_sha1(features, state->words, blocks, count);
    if (algorithm == HASH_BLOCKS_SHA256) return hash_blocks_sha256(features, state->words, blocks, count);
    hash_blocks_sha512(features, state->long_words, blocks, count);
}

/// Writes all eight words of a state as bytes: 32 bytes, or 64 for SHA-512.
INLINE void store(uint8_t algorithm, const union hash_blocks_state *state, uint8_t *digest) {
    if (algorithm == HASH_BLOCKS_SHA512) {
        for (int index = 0; index < 8; index++) store64(digest + 8 * index, state->long_words[index]);
    } else {
        for (int index = 0; index < 8; index++) store32(digest + 4 * index, state->words[index]);
    }
}

size_t hash_blocks_padded_count(uint8_t algorithm, size_t count) {
    size_t size = block_size(algorithm);
    return (count + 1 + size / 8 + size - 1) & ~(size - 1);
}

/// Writes the padding after the last bytes of a message. The bytes there are zero.
static void write_end(uint8_t algorithm, uint8_t *message, size_t count, size_t whole_count) {
    message[count] = 0x80;
    store64(message + hash_blocks_padded_count(algorithm, count) - 8, (uint64_t)whole_count * 8);
}

void hash_blocks_pad(uint8_t algorithm, void *message, size_t count) {
    memset((uint8_t *)message + count, 0, hash_blocks_padded_count(algorithm, count) - count);
    write_end(algorithm, message, count, block_size(algorithm) + count);
}

/// Hashes the rest of a message and its padding, after `before` bytes that are hashed already.
static void finish(
    uint8_t algorithm, uint8_t features, union hash_blocks_state *state, size_t before, const uint8_t *message,
    size_t count
) {
    size_t size = block_size(algorithm), whole = count & ~(size - 1), rest = count - whole;
    if (whole > 0) run(algorithm, features, state, message, whole / size);
    uint8_t last[256];
    fill(last, 0, 2 * size);
    memcpy(last, message + whole, rest);
    write_end(algorithm, last, rest, before + count);
    run(algorithm, features, state, last, hash_blocks_padded_count(algorithm, rest) / size);
    fill(last, 0, 2 * size);
}

// MARK: HMAC

/// After one or two messages, which are in registers for the most part.
WIPES_BELOW(wipe_spills_below, 192)
/// After up to four messages.
WIPES_BELOW(wipe_window_spills_below, 512)
/// After schedules in memory and nested calls.
WIPES_BELOW(wipe_stack_below, 768)
/// After eight messages.
WIPES_BELOW(wipe_lanes_below, 1536)

void hash_blocks_prepare(
    struct hash_blocks_key *key, uint8_t algorithm, uint8_t features, const void *secret, size_t count
) {
    const uint8_t *bytes = secret;
    size_t size = block_size(algorithm);
    uint8_t blocks[2][128], hashed[64];
    if (count > size) {
        union hash_blocks_state state = starts[algorithm];
        finish(algorithm, features, &state, 0, bytes, count);
        store(algorithm, &state, hashed);
        hash_blocks_wipe(&state, sizeof state);
        wipe_stack_below();
        bytes = hashed;
        count = digest_size(algorithm);
    }
    fill(blocks[0], 0x36, size);
    fill(blocks[1], 0x5c, size);
    for (size_t index = 0; index < count; index++) {
        blocks[0][index] ^= bytes[index];
        blocks[1][index] ^= bytes[index];
    }
    key->algorithm = algorithm;
    key->features = features;
    key->inner = key->outer = starts[algorithm];
#if HAS_SHA_INSTRUCTIONS
    if (has_native(algorithm, features)) {
        if (algorithm == HASH_BLOCKS_SHA1) {
            hash_blocks_sha1_native_pair(key->inner.words, blocks[0], key->outer.words, blocks[1]);
        } else {
            hash_blocks_sha256_native_pair(key->inner.words, blocks[0], key->outer.words, blocks[1]);
        }
        wipe_spills_below();
    } else
#endif
    {
        run(algorithm, features, &key->inner, blocks[0], 1);
        run(algorithm, features, &key->outer, blocks[1], 1);
        wipe_stack_below();
    }
    fill(blocks[0], 0, size);
    fill(blocks[1], 0, size);
    if (bytes == hashed) hash_blocks_wipe(hashed, sizeof hashed);
}

/// Hashes the inner hash, which is one block, with the outer state.
static void finish_outer(const struct hash_blocks_key *key, union hash_blocks_state *state) {
    uint8_t block[128] = {0};
    store(key->algorithm, state, block);
    size_t count = digest_size(key->algorithm), size = block_size(key->algorithm);
    if (key->algorithm == HASH_BLOCKS_SHA1) memset(block + count, 0, 32 - 20);
    block[count] = 0x80;
    store64(block + size - 8, (uint64_t)(size + count) * 8);
    *state = key->outer;
    run(key->algorithm, key->features, state, block, 1);
    hash_blocks_wipe(block, sizeof block);
}

void hash_blocks_authenticate(
    const struct hash_blocks_key *key, const uint8_t *message, size_t count, uint8_t *code
) {
    union hash_blocks_state state = key->inner;
    finish(key->algorithm, key->features, &state, block_size(key->algorithm), message, count);
    finish_outer(key, &state);
    uint8_t digest[64];
    store(key->algorithm, &state, digest);
    memcpy(code, digest, digest_size(key->algorithm));
    hash_blocks_wipe(digest, sizeof digest);
    hash_blocks_wipe(&state, sizeof state);
    wipe_stack_below();
}

// MARK: HOTP

static uint32_t truncated_state(uint8_t algorithm, const union hash_blocks_state *state) {
    if (algorithm == HASH_BLOCKS_SHA512) {
        const uint64_t *words = state->long_words;
        return truncated(words[0], words[1], words[2], (uint32_t)words[7]);
    }
    const uint32_t *words = state->words;
    return truncated(
        (uint64_t)words[0] << 32 | words[1], (uint64_t)words[2] << 32 | words[3], (uint64_t)words[4] << 32,
        words[algorithm == HASH_BLOCKS_SHA1 ? 4 : 7]);
}

uint32_t hash_blocks_message_number(const struct hash_blocks_key *key, const void *message, size_t padded_count) {
    size_t count = padded_count / block_size(key->algorithm);
#if HAS_SHA_INSTRUCTIONS
    if (has_native(key->algorithm, key->features)) {
        bool is_sha1 = key->algorithm == HASH_BLOCKS_SHA1;
        uint32_t number = is_sha1 ? hash_blocks_sha1_native_message_number(key, message, count)
                                  : hash_blocks_sha256_native_message_number(key, message, count);
        wipe_spills_below();
        return number;
    }
#endif
    union hash_blocks_state state = key->inner;
    run(key->algorithm, key->features, &state, message, count);
    finish_outer(key, &state);
    uint32_t number = truncated_state(key->algorithm, &state);
    hash_blocks_wipe(&state, sizeof state);
    wipe_stack_below();
    return number;
}

#if HAS_SHA_INSTRUCTIONS
INLINE uint32_t native_number(const struct hash_blocks_key *key, uint64_t counter) {
    if (key->algorithm == HASH_BLOCKS_SHA1) return hash_blocks_sha1_native_number(key, counter);
#if HAS_LANES
    if (key->features & HASH_BLOCKS_LANES) return hash_blocks_sha256_native_number_avx(key, counter);
#endif
    return hash_blocks_sha256_native_number(key, counter);
}
#endif

uint32_t hash_blocks_number(const struct hash_blocks_key *key, uint64_t counter) {
#if HAS_SHA_INSTRUCTIONS
    if (has_native(key->algorithm, key->features)) {
        uint32_t number = native_number(key, counter);
        wipe_spills_below();
        return number;
    }
#endif
    uint8_t block[128] = {0};
    store64(block, counter);
    size_t size = block_size(key->algorithm);
    write_end(key->algorithm, block, 8, size + 8);
    return hash_blocks_message_number(key, block, size);
}

/// A multiplier slightly above 2 to the shift, divided by 10 to the digits. It replaces a division, which takes a time
/// that depends on its operands. The quotients of all numbers below 2³¹ are exact.
struct divisor {
    uint64_t multiplier;
    uint32_t divisor;
    int shift;
};

/// Subtracts nothing for 10 digits.
INLINE struct divisor divisor(int digits) {
    static const struct divisor divisors[] = {
        {1759218605, 10000, 44},     {351843721, 100000, 45},     {1125899907, 1000000, 50},
        {1801439851, 10000000, 54},  {1441151881, 100000000, 57}, {1152921505, 1000000000, 60},
    };
    return digits < 4 || digits > 9 ? (struct divisor){0} : divisors[digits - 4];
}

INLINE uint32_t rest(uint32_t number, struct divisor by) {
    return number - (uint32_t)(number * by.multiplier >> by.shift) * by.divisor;
}

void hash_blocks_numbers(
    const struct hash_blocks_key *key, uint64_t first, size_t count, int digits, uint32_t *numbers
) {
    size_t done = 0;
#if HAS_SHA_INSTRUCTIONS
    if (has_native(key->algorithm, key->features)) {
        // Four interleaved messages take no longer than eight lanes, of which half would be unused.
        if (key->algorithm == HASH_BLOCKS_SHA1) hash_blocks_sha1_native_numbers(key, first, done = count, numbers);
        if (key->algorithm == HASH_BLOCKS_SHA256) hash_blocks_sha256_native_numbers(key, first, done = count, numbers);
        wipe_window_spills_below();
    }
#endif
#if HAS_LANES
    if (key->algorithm == HASH_BLOCKS_SHA1 && (key->features & HASH_BLOCKS_LANES) && done < count) {
        for (; count - done >= 8; done += 8) hash_blocks_sha1_lanes(key, first + done, numbers + done);
        if (count - done >= 2) {
            uint32_t eight[8];
            hash_blocks_sha1_lanes(key, first + done, eight);
            for (size_t index = 0; done < count; index++, done++) numbers[done] = eight[index];
            hash_blocks_wipe_numbers(eight, 8);
        }
        wipe_lanes_below();
    }
#endif
    for (; done < count; done++) numbers[done] = hash_blocks_number(key, first + done);
    struct divisor by = divisor(digits);
    for (size_t index = 0; index < count; index++) numbers[index] = rest(numbers[index], by);
}

// MARK: Digits

uint32_t hash_blocks_last_digits(uint32_t number, int digits) { return rest(number, divisor(digits)); }

void hash_blocks_write_digits(uint32_t number, int digits, uint8_t *text) {
    // Multiplications instead of divisions, which split eight digits into two times four, then four pairs, then digits.
    // One subtraction in each step moves the quotients to the lower part and the remainders to the upper part. The
    // first digit is in the lowest byte at the end.
    uint64_t left = (uint64_t)number * 3518437209 >> 45, top = (uint64_t)number * 1441151881 >> 57;
    uint64_t fours = (left - top * 10000) | (number - left * 10000) << 32;
    uint64_t hundreds = (fours * 10486 >> 20) & 0x0000007f0000007f;
    uint64_t pairs = (fours << 16) - hundreds * ((100 << 16) - 1);
    uint64_t tens = (pairs * 103 >> 10) & 0x000f000f000f000f;
    uint64_t low = ((pairs << 8) - tens * ((10 << 8) - 1)) | 0x3030303030303030;
    if (digits > 8) {
        uint64_t ten = top * 103 >> 10;
        *text = (uint8_t)('0' + ten);
        text += digits - 9;
        *text++ = (uint8_t)('0' + (top - ten * 10));
        digits = 8;
    }
    low >>= 8 * (8 - digits);
    memcpy(text, &low, 8);
}

bool hash_blocks_read_hexadecimal(const uint8_t *text, size_t count, uint8_t *bytes) {
    typedef uint8_t characters __attribute__((vector_size(16)));
    typedef uint8_t halves __attribute__((vector_size(8)));
    characters refused = {0};
    for (size_t start = 0; start < count; start += 16) {
        characters sixteen = '0' - (characters){0};
        if (count - start >= 16) {
            memcpy(&sixteen, text + start, 16);
        } else {
            memcpy(&sixteen, text + start, count - start);
        }
        characters digits = sixteen - '0', letters = (sixteen | 0x20) - 'a';
        characters is_digit = (characters)(digits < 10), is_letter = (characters)(letters < 6);
        refused |= ~(is_digit | is_letter);
        characters values = (digits & is_digit) | ((letters + 10) & is_letter);
        halves pairs = __builtin_shufflevector(values, values, 0, 2, 4, 6, 8, 10, 12, 14) << 4
            | __builtin_shufflevector(values, values, 1, 3, 5, 7, 9, 11, 13, 15);
        memcpy(bytes + start / 2, &pairs, 8);
    }
    uint64_t rest[2];
    memcpy(rest, &refused, sizeof rest);
    return (rest[0] | rest[1]) == 0;
}

void hash_blocks_wipe(void *memory, size_t count) {
    memset(memory, 0, count);
    __asm__ volatile("" : : "r"(memory) : "memory");
}
