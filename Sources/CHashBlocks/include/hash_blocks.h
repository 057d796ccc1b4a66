/// The block functions of SHA-1, SHA-256 and SHA-512, and what one-time passwords need of HMAC over them.
///
/// A private part of the target OneTimePassword. Nothing here branches on, or takes an address or a divisor from, a
/// key, a message, a digest or a code; lengths, counters, numbers of digits and algorithms are not secret.
#ifndef HASH_BLOCKS_H
#define HASH_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The hash functions.
enum hash_blocks_algorithm {
    HASH_BLOCKS_SHA1 = 1,
    HASH_BLOCKS_SHA256 = 2,
    HASH_BLOCKS_SHA512 = 3,
};

/// What a processor can do beyond portable C. A set: portable C is 0.
enum hash_blocks_features {
    /// Instructions for SHA-1 and SHA-256: SHA-NI of x86-64, the cryptographic extension of ARMv8.
    HASH_BLOCKS_SHA = 1,
    /// AVX2: eight SHA-1 side by side where there are no instructions for it; shorter code around those for SHA-256.
    HASH_BLOCKS_LANES = 2,
    /// SHA-512 with the words of its rounds made in AVX2, and with the rotations of BMI2.
    HASH_BLOCKS_VECTORS = 4,
};

/// The state of a hash: five 32-bit words for SHA-1, eight for SHA-256, eight 64-bit words for SHA-512.
union hash_blocks_state {
    uint32_t words[8];
    uint64_t long_words[8];
};

/// A prepared HMAC key (RFC 2104): the states of the hash after the block of the inner and that of the outer padding.
/// It makes every code that the key makes, so that it is kept and wiped like the key.
struct hash_blocks_key {
    union hash_blocks_state inner;
    union hash_blocks_state outer;
    uint8_t algorithm;
    /// Which paths are taken: a set of `hash_blocks_features`.
    uint8_t features;
};

/// What this processor can do. Found out once; each further call is a load.
uint8_t hash_blocks_features(void);

/// Prepares a key of any length, 0 included; one that is longer than a block is hashed first.
///
/// `features` has to be a part of what `hash_blocks_features()` says.
void hash_blocks_prepare(
    struct hash_blocks_key *key, uint8_t algorithm, uint8_t features, const void *bytes, size_t count);

/// Writes the HMAC of a message: 20, 32 or 64 bytes.
void hash_blocks_authenticate(
    const struct hash_blocks_key *key, const uint8_t *message, size_t count, uint8_t *code);

/// The number below 2³¹ whose last digits are the HOTP code of a counter (RFC 4226 section 5.3).
uint32_t hash_blocks_number(const struct hash_blocks_key *key, uint64_t counter);

/// The number of bytes of a message with its end: whole blocks.
size_t hash_blocks_padded_count(uint8_t algorithm, size_t count);

/// Writes the end of a message: a one bit, zeros, and the length in bits together with the block of HMAC's padding.
void hash_blocks_pad(uint8_t algorithm, void *message, size_t count);

/// The number below 2³¹ whose last digits are the code of a message that has its end.
uint32_t hash_blocks_message_number(const struct hash_blocks_key *key, const void *message, size_t padded_count);

/// The last digits of the numbers of `count` counters from `first` on; the one after the last 64-bit number is 0.
///
/// `digits`: 4 to 10, as below.
void hash_blocks_numbers(
    const struct hash_blocks_key *key, uint64_t first, size_t count, int digits, uint32_t *numbers);

/// The last digits of a number below 2³¹, as a number: 4 to 10 of them. With 10 it is the number itself.
uint32_t hash_blocks_last_digits(uint32_t number, int digits);

/// Writes the last digits of a number below 2³¹ in ASCII: 1 to 10 of them. There has to be room for 10 bytes.
void hash_blocks_write_digits(uint32_t number, int digits, uint8_t *text);

/// All ones when two numbers are equal, else zero. The barrier keeps the compiler from making a branch of it.
static inline uint64_t hash_blocks_mask(uint64_t one, uint64_t other) {
    uint64_t difference = one ^ other;
    uint64_t differs = (difference | (0 - difference)) >> 63;
    __asm__("" : "+r"(differs));
    return differs - 1;
}

/// Reads hexadecimal digits in either case, two a byte; what is missing of the last sixteen are zeros. Returns whether
/// all characters were digits. `bytes` needs room for half the count, rounded up to eight.
bool hash_blocks_read_hexadecimal(const uint8_t *text, size_t count, uint8_t *bytes);

/// Runs the block function over whole blocks: `state` has five 32-bit words for SHA-1, eight for SHA-256 and eight
/// 64-bit words for SHA-512. What everything above is measured against.
void hash_blocks_sha1(uint8_t features, uint32_t *state, const uint8_t *blocks, size_t count);
void hash_blocks_sha256(uint8_t features, uint32_t *state, const uint8_t *blocks, size_t count);
void hash_blocks_sha512(uint8_t features, uint64_t *state, const uint8_t *blocks, size_t count);

/// Overwrites memory in a way that the optimiser may not remove.
void hash_blocks_wipe(void *memory, size_t count);

/// The same for a few numbers, without a call.
static inline void hash_blocks_wipe_numbers(uint32_t *numbers, size_t count) {
    for (volatile uint32_t *number = numbers; count > 0; count--) *number++ = 0;
}

#endif
