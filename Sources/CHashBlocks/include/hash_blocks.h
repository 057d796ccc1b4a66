/// The block functions of SHA-1, SHA-256 and SHA-512, and the parts of HMAC that one-time passwords need.
///
/// For the targets OneTimePassword and OrchestrationProtocol only. No branch, address or divisor depends on a key, a
/// message, a digest or a code.
/// Lengths, counters, numbers of digits and algorithms are not secret.
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

/// The state of a hash: five 32-bit words for SHA-1, eight for SHA-256, eight 64-bit words for SHA-512.
union hash_blocks_state {
    uint32_t words[8];
    uint64_t long_words[8];
};

/// A prepared HMAC key (RFC 2104): the hash states after the blocks of the inner and of the outer padding. It is as
/// secret as the key.
struct hash_blocks_key {
    union hash_blocks_state inner;
    union hash_blocks_state outer;
    uint8_t algorithm;
    /// Whether the processor's instructions for the hash function are used.
    bool uses_instructions;
};

/// Whether this processor has instructions for SHA-1 and SHA-256: SHA-NI of x86-64, the cryptographic extension of
/// ARMv8. After the first call, it loads one byte.
bool hash_blocks_has_instructions(void);

/// Prepares a key of any length, including 0. A key that is longer than a block is hashed first.
///
/// If `uses_instructions` is true, the processor's instructions for the hash function are used where it has them. SHA-512
/// is portable C on every processor.
void hash_blocks_prepare(
    struct hash_blocks_key *key, uint8_t algorithm, bool uses_instructions, const void *bytes, size_t count);

/// Writes the HMAC of a message: 20, 32 or 64 bytes.
void hash_blocks_authenticate(
    const struct hash_blocks_key *key, const uint8_t *message, size_t count, uint8_t *code);

/// Returns the number below 2³¹ with the HOTP code of a counter as its last digits (RFC 4226 section 5.3).
uint32_t hash_blocks_number(const struct hash_blocks_key *key, uint64_t counter);

/// Returns the number of bytes of a message with its padding, which is a number of whole blocks.
size_t hash_blocks_padded_count(uint8_t algorithm, size_t count);

/// Writes the padding of a message: a one bit, zeros, and the length in bits including the block of HMAC's padding.
void hash_blocks_pad(uint8_t algorithm, void *message, size_t count);

/// Returns the number below 2³¹ with the code of a padded message as its last digits.
uint32_t hash_blocks_message_number(const struct hash_blocks_key *key, const void *message, size_t padded_count);

/// Writes the last digits of the numbers of `count` counters from `first` on. The counter after the last 64-bit number
/// is 0.
///
/// `digits` is 4 to 10.
void hash_blocks_numbers(
    const struct hash_blocks_key *key, uint64_t first, size_t count, int digits, uint32_t *numbers);

/// Returns the last 4 to 10 digits of a number below 2³¹. With 10 digits, it is the number itself.
uint32_t hash_blocks_last_digits(uint32_t number, int digits);

/// Writes the last 1 to 10 digits of a number below 2³¹ in ASCII. `text` has space for 10 bytes.
void hash_blocks_write_digits(uint32_t number, int digits, uint8_t *text);

/// Returns all ones when two numbers are equal, and otherwise zero. The barrier prevents the compiler from making a
/// branch of it.
static inline uint64_t hash_blocks_mask(uint64_t one, uint64_t other) {
    uint64_t difference = one ^ other;
    uint64_t differs = (difference | (0 - difference)) >> 63;
    __asm__("" : "+r"(differs));
    return differs - 1;
}

/// Reads hexadecimal digits in upper or lower case, two per byte, padded with zeros to a multiple of sixteen. Returns
/// whether all characters were digits. `bytes` has space for half the count, rounded up to a multiple of eight.
bool hash_blocks_read_hexadecimal(const uint8_t *text, size_t count, uint8_t *bytes);

/// Hashes whole blocks, with the instructions of the processor or without. `state` is the state before and after them.
///
/// For the functions above, and for benchmarks that compare them with it.
void hash_blocks_run(
    uint8_t algorithm, bool uses_instructions, union hash_blocks_state *state, const uint8_t *blocks, size_t count);

/// Overwrites memory with zeros. The optimizer may not remove the call.
void hash_blocks_wipe(void *memory, size_t count);

/// Overwrites a few numbers with zeros, without a call.
static inline void hash_blocks_wipe_numbers(uint32_t *numbers, size_t count) {
    for (volatile uint32_t *number = numbers; count > 0; count--) *number++ = 0;
}

#endif
