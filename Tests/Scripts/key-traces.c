// What the block functions leave of a key on the stack. Called by key-traces.sh.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash_blocks.h"

enum { looked_at = 8192 };

static struct hash_blocks_key key;  // not on the stack, where it would be found
static char secret[200];
static uint8_t message[256], code[64];
static uint32_t numbers[128], seen[looked_at / 4];

static void prepare(size_t count) { hash_blocks_prepare(&key, key.algorithm, key.features, secret, count); }
static void number(size_t count) { numbers[0] = hash_blocks_number(&key, count); }
static void message_number(size_t count) { numbers[0] = hash_blocks_message_number(&key, message, count); }
static void window(size_t count) { hash_blocks_numbers(&key, 7, count, 6, numbers); }
static void authenticate(size_t count) { hash_blocks_authenticate(&key, message, count, code); }

/// What does not wipe: shows that the search finds something.
static void careless(size_t count) {
    union hash_blocks_state copy = count > 0 ? key.outer : key.inner;
    __asm__ volatile("" : : "r"(&copy) : "memory");
}

__attribute__((noinline)) static void clean(void) {
    char below[2 * looked_at];
    memset(below, 0, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}

/// Whether a word of the stack is one of the secret, as it is or as the padding of HMAC changes it, or of a state.
static int is_secret(uint32_t word) {
    static const uint32_t changes[] = {0, 0x36363636, 0x5c5c5c5c};
    size_t state_count = key.algorithm == HASH_BLOCKS_SHA1 ? 5 : key.algorithm == HASH_BLOCKS_SHA256 ? 8 : 16;
    const uint32_t *inner = (const uint32_t *)&key.inner, *outer = (const uint32_t *)&key.outer;
    for (size_t index = 0; index < state_count; index++) {
        if (word == inner[index] || word == outer[index]) return 1;
    }
    for (size_t index = 0; index < sizeof secret / 4; index++) {
        uint32_t part;
        memcpy(&part, secret + 4 * index, 4);
        for (size_t change = 0; change < 3; change++) {
            if (word == (part ^ changes[change]) || word == (__builtin_bswap32(part) ^ changes[change])) return 1;
        }
    }
    return 0;
}

static size_t traces(void (*call)(size_t), size_t count) {
    clean();
    call(count);
    // Without a call, which would overwrite what is looked for.
    const volatile uint32_t *below = (const volatile uint32_t *)__builtin_frame_address(0) - looked_at / 4;
    for (size_t index = 0; index < looked_at / 4; index++) seen[index] = below[index];
    size_t found = 0;
    for (size_t index = 0; index < looked_at / 4; index++) found += is_secret(seen[index]);
    return found;
}

static const struct work {
    const char *name;
    void (*call)(size_t);
    size_t counts[6];
} works[] = {
    {"prepare", prepare, {20, 32, 64, 65, 200}},
    {"number", number, {7}},
    {"message number", message_number, {64, 128, 256}},
    {"window", window, {1, 2, 3, 4, 11, 101}},
    {"authenticate", authenticate, {1, 20, 64, 188}},
};

int main(void) {
    static const char *names[] = {"", "1", "256", "512"};
    size_t found = 0, done = 0;
    for (int algorithm = HASH_BLOCKS_SHA1; algorithm <= HASH_BLOCKS_SHA512; algorithm++) {
        for (int features = 0; features < 8; features++) {
            if ((features & hash_blocks_features()) != features) continue;
            for (size_t index = 0; index < sizeof works / sizeof *works; index++) {
                for (const size_t *count = works[index].counts; count < works[index].counts + 6 && *count; count++) {
                    for (size_t byte = 0; byte < sizeof secret; byte++) secret[byte] = (char)(rand() >> 7);
                    key.algorithm = (uint8_t)algorithm;
                    key.features = (uint8_t)features;
                    prepare(32);
                    size_t words = traces(works[index].call, *count);
                    if (words > 0) {
                        printf("SHA-%s, features %d, %s of %zu: %zu words\n", names[algorithm], features,
                            works[index].name, *count, words);
                    }
                    found += words;
                    done++;
                }
            }
        }
    }
    if (traces(careless, 1) == 0) {
        puts("the search does not find what it has to find");
        return 2;
    }
    printf("%zu calls, %zu words of keys left on the stack\n", done, found);
    return found > 0;
}
