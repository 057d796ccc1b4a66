/// The declarations that the files of this target share. Swift does not import them.
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include <string.h>

#include "hash_blocks.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "words are read from memory and written to it with the lowest byte first"
#endif

#define INLINE static inline __attribute__((always_inline))

INLINE uint32_t load32(const uint8_t *bytes) {
    uint32_t word;
    memcpy(&word, bytes, 4);
    return __builtin_bswap32(word);
}

INLINE uint64_t load64(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    return __builtin_bswap64(word);
}

INLINE void store32(uint8_t *bytes, uint32_t word) {
    word = __builtin_bswap32(word);
    memcpy(bytes, &word, 4);
}

INLINE void store64(uint8_t *bytes, uint64_t word) {
    word = __builtin_bswap64(word);
    memcpy(bytes, &word, 8);
}

/// Returns four of the first twenty bytes of an HMAC without the highest bit (RFC 4226 section 5.3). The last byte says
/// where they begin.
///
/// The bytes are selected from 64-bit words by masks and shifts that take the same time for all places. The barrier
/// prevents the compiler from turning the mask into a branch.
INLINE uint32_t truncated(uint64_t first, uint64_t second, uint64_t third, uint32_t last_byte) {
    uint64_t later = 0 - (uint64_t)((last_byte >> 3) & 1);
    __asm__("" : "+r"(later));
    uint64_t high = first ^ ((first ^ second) & later);
    uint64_t low = second ^ ((second ^ third) & later);
    unsigned shift = (last_byte & 7) * 8;
    uint64_t chosen = high << shift | low >> 1 >> (63 - shift);
    return (uint32_t)(chosen >> 32) & 0x7fffffff;
}

/// Fills a multiple of 64 bytes without a call. A call would leave registers on the stack; the first call of a library
/// function leaves those that the loader saves.
INLINE void fill(uint8_t *blocks, int byte, size_t count) {
    for (size_t start = 0; start < count; start += 64) {
        memset(blocks + start, byte, 64);
        __asm__ volatile("" : : "r"(blocks) : "memory");
    }
}

/// Overwrites the stack of functions that were called before. The message schedule of a block reveals the block, and
/// therefore the key. A state inside a known message reveals the state before it, and therefore the prepared key.
/// Tests/Scripts/key-traces.sh searches for what is left. The count is in bytes, with a margin.
#define WIPES_BELOW(name, count)                                                            \
    __attribute__((noinline, unused)) static void name(void) {                              \
        uint8_t used[count];                                                                \
        fill(used, 0, count);                                                               \
    }

/// Hash whole blocks in portable C.
void hash_blocks_sha1_portable(uint32_t *state, const uint8_t *blocks, size_t count);
void hash_blocks_sha256_portable(uint32_t *state, const uint8_t *blocks, size_t count);
void hash_blocks_sha512_portable(uint64_t *state, const uint8_t *blocks, size_t count);

#if defined(__x86_64__) || defined(__aarch64__)
#define HAS_SHA_INSTRUCTIONS 1
/// Hash whole blocks with the instructions of the processor.
void hash_blocks_sha1_native(uint32_t *state, const uint8_t *blocks, size_t count);
void hash_blocks_sha256_native(uint32_t *state, const uint8_t *blocks, size_t count);
/// Write the truncated numbers of `count` counters from `first` on. A state is in registers from the counter to the
/// number, which takes about half the time for one code with SHA-1 and two thirds with SHA-256.
void hash_blocks_sha1_native_numbers(
    const struct hash_blocks_key *key, uint64_t first, size_t count, uint32_t *numbers);
void hash_blocks_sha256_native_numbers(
    const struct hash_blocks_key *key, uint64_t first, size_t count, uint32_t *numbers);
#endif

#endif
