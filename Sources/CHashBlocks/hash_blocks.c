#include "functions.h"

// MARK: The processor

#if defined(__x86_64__)
#include <cpuid.h>

static bool finds_instructions(void) {
    unsigned a, b, c, d, extended_b;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
    bool has_sse41 = c >> 19 & 1, has_ssse3 = c >> 9 & 1;
    return has_sse41 && has_ssse3 && __get_cpuid_count(7, 0, &a, &extended_b, &c, &d) && (extended_b >> 29 & 1);
}
#elif defined(__aarch64__) && defined(__APPLE__)
static bool finds_instructions(void) { return true; }  // all 64-bit processors of Apple have them
#elif defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>

static bool finds_instructions(void) {
    unsigned long needed = HWCAP_SHA1 | HWCAP_SHA2;
    return (getauxval(AT_HWCAP) & needed) == needed;
}
#else
static bool finds_instructions(void) { return false; }
#endif

bool hash_blocks_has_instructions(void) {
    // Several threads may get here at once. They store the same value.
    enum { unknown, no, yes };
    static _Atomic(uint8_t) cached = unknown;
    uint8_t found = __c11_atomic_load(&cached, __ATOMIC_RELAXED);
    if (found == unknown) {
        found = finds_instructions() ? yes : no;
        __c11_atomic_store(&cached, found, __ATOMIC_RELAXED);
    }
    return found == yes;
}

// MARK: Block functions

void hash_blocks_run(
    uint8_t algorithm, bool uses_instructions, union hash_blocks_state *state, const uint8_t *blocks, size_t count
) {
    if (algorithm == HASH_BLOCKS_SHA512) return hash_blocks_sha512_portable(state->long_words, blocks, count);
#if HAS_SHA_INSTRUCTIONS
    if (uses_instructions) {
        if (algorithm == HASH_BLOCKS_SHA1) return hash_blocks_sha1_native(state->words, blocks, count);
        return hash_blocks_sha256_native(state->words, blocks, count);
    }
#endif
    (void)uses_instructions;
    if (algorithm == HASH_BLOCKS_SHA1) return hash_blocks_sha1_portable(state->words, blocks, count);
    hash_blocks_sha256_portable(state->words, blocks, count);
}

static const union hash_blocks_state starts[4] = {
    [HASH_BLOCKS_SHA1] = {.words = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}},
    [HASH_BLOCKS_SHA256] =
        {.words =
             {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}},
    [HASH_BLOCKS_SHA512] =
        {.long_words =
             {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
              0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179}},
};

static size_t block_size(uint8_t algorithm) { return algorithm == HASH_BLOCKS_SHA512 ? 128 : 64; }

static size_t digest_size(uint8_t algorithm) {
    return algorithm == HASH_BLOCKS_SHA1 ? 20 : algorithm == HASH_BLOCKS_SHA256 ? 32 : 64;
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
INLINE void finish(
    uint8_t algorithm, bool uses_instructions, union hash_blocks_state *state, size_t before, const uint8_t *message,
    size_t count
) {
    size_t size = block_size(algorithm), whole = count & ~(size - 1), rest = count - whole;
    if (whole > 0) hash_blocks_run(algorithm, uses_instructions, state, message, whole / size);
    uint8_t last[256];
    size_t padded = hash_blocks_padded_count(algorithm, rest);
    fill(last, 0, padded);
    memcpy(last, message + whole, rest);
    write_end(algorithm, last, rest, before + count);
    hash_blocks_run(algorithm, uses_instructions, state, last, padded / size);
    fill(last, 0, padded);
}

// MARK: HMAC

/// After instructions of the processor, which keep most of a message in registers.
WIPES_BELOW(wipe_spills_below, 512)
/// After schedules in memory.
WIPES_BELOW(wipe_schedules_below, 768)

INLINE void wipe_below(bool uses_instructions) {
    if (uses_instructions) return wipe_spills_below();
    wipe_schedules_below();
}

void hash_blocks_prepare(
    struct hash_blocks_key *key, uint8_t algorithm, bool uses_instructions, const void *secret, size_t count
) {
    uses_instructions = uses_instructions && algorithm != HASH_BLOCKS_SHA512 && hash_blocks_has_instructions();
    const uint8_t *bytes = secret;
    size_t size = block_size(algorithm);
    uint8_t block[128], hashed[64];
    if (count > size) {
        union hash_blocks_state state = starts[algorithm];
        finish(algorithm, uses_instructions, &state, 0, bytes, count);
        store(algorithm, &state, hashed);
        hash_blocks_wipe(&state, sizeof state);
        bytes = hashed;
        count = digest_size(algorithm);
    }
    key->algorithm = algorithm;
    key->uses_instructions = uses_instructions;
    key->inner = key->outer = starts[algorithm];
    fill(block, 0x36, size);
    for (size_t index = 0; index < count; index++) block[index] ^= bytes[index];
    hash_blocks_run(algorithm, uses_instructions, &key->inner, block, 1);
    for (size_t index = 0; index < size; index++) block[index] ^= 0x36 ^ 0x5c;
    hash_blocks_run(algorithm, uses_instructions, &key->outer, block, 1);
    wipe_below(uses_instructions);
    fill(block, 0, size);
    if (bytes == hashed) hash_blocks_wipe(hashed, sizeof hashed);
}

/// Hashes the inner hash, which is one block, with the outer state.
INLINE void finish_outer(const struct hash_blocks_key *key, union hash_blocks_state *state) {
    uint8_t block[128];
    size_t count = digest_size(key->algorithm), size = block_size(key->algorithm);
    fill(block, 0, size);
    // The three words of a state after those of SHA-1 are zero.
    store(key->algorithm, state, block);
    write_end(key->algorithm, block, count, size + count);
    *state = key->outer;
    hash_blocks_run(key->algorithm, key->uses_instructions, state, block, 1);
    fill(block, 0, size);
}

void hash_blocks_authenticate(
    const struct hash_blocks_key *key, const uint8_t *message, size_t count, uint8_t *code
) {
    union hash_blocks_state state = key->inner;
    finish(key->algorithm, key->uses_instructions, &state, block_size(key->algorithm), message, count);
    finish_outer(key, &state);
    uint8_t digest[64];
    store(key->algorithm, &state, digest);
    memcpy(code, digest, digest_size(key->algorithm));
    fill(digest, 0, sizeof digest);
    fill((uint8_t *)&state, 0, sizeof state);
    wipe_below(key->uses_instructions);
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
    union hash_blocks_state state = key->inner;
    hash_blocks_run(key->algorithm, key->uses_instructions, &state, message, padded_count / block_size(key->algorithm));
    finish_outer(key, &state);
    uint32_t number = truncated_state(key->algorithm, &state);
    fill((uint8_t *)&state, 0, sizeof state);
    wipe_below(key->uses_instructions);
    return number;
}

/// Writes the truncated numbers of successive counters.
INLINE void write_numbers(const struct hash_blocks_key *key, uint64_t first, size_t count, uint32_t *numbers) {
#if HAS_SHA_INSTRUCTIONS
    if (key->uses_instructions) {
        if (key->algorithm == HASH_BLOCKS_SHA1) {
            hash_blocks_sha1_native_numbers(key, first, count, numbers);
        } else {
            hash_blocks_sha256_native_numbers(key, first, count, numbers);
        }
        return wipe_spills_below();
    }
#endif
    size_t size = block_size(key->algorithm);
    for (size_t index = 0; index < count; index++) {
        uint8_t block[128] = {0};
        store64(block, first + index);
        write_end(key->algorithm, block, 8, size + 8);
        numbers[index] = hash_blocks_message_number(key, block, size);
    }
}

uint32_t hash_blocks_number(const struct hash_blocks_key *key, uint64_t counter) {
    uint32_t number;
    write_numbers(key, counter, 1, &number);
    uint32_t returned = number;
    hash_blocks_wipe_numbers(&number, 1);
    return returned;
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
    write_numbers(key, first, count, numbers);
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
