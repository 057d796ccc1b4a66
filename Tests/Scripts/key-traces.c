// Finds the words of the stack that depend on a key or on a message after a call. Called by key-traces.sh.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash_blocks.h"

enum { looked_at = 8192, window = 101 };

/// The arguments and results of a call. They are not on the stack, where the search would find them.
static struct hash_blocks_key key;
static uint8_t secret[200], message[256], code[64];
static uint32_t numbers[window];
static bool instructions;

static void prepare(size_t count) { hash_blocks_prepare(&key, key.algorithm, instructions, secret, count); }
static void number(size_t count) { numbers[0] = hash_blocks_number(&key, count); }
static void message_number(size_t count) { numbers[0] = hash_blocks_message_number(&key, message, count); }
static void numbers_from(size_t count) { hash_blocks_numbers(&key, 7, count, 6, numbers); }
static void authenticate(size_t count) { hash_blocks_authenticate(&key, message, count, code); }

/// A function that does not wipe the stack. The search must find it.
__attribute__((noinline)) static void careless(size_t depth) {
    uint8_t used[looked_at];
    memcpy(used + sizeof used - depth, &key.inner, 4);
    __asm__ volatile("" : : "r"(used) : "memory");
}

__attribute__((noinline)) static void clean(void) {
    uint8_t below[2 * looked_at];
    memset(below, 0, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}

static void draw(uint8_t *bytes, size_t count) {
    for (size_t index = 0; index < count; index++) bytes[index] = (uint8_t)(rand() >> 7);
}

/// Copies the stack of the function that was called before. It calls no function and stores nothing on the stack, which
/// would overwrite the words to find.
__attribute__((noinline)) static void copy_stack(uint32_t *words) {
    const volatile uint32_t *below = (const volatile uint32_t *)__builtin_frame_address(0) - looked_at / 4;
    for (size_t index = 0; index < looked_at / 4; index++) words[index] = below[index];
}

/// Counts the words that differ between two calls that differ in key and message only.
static size_t traces(void (*call)(size_t), size_t count) {
    static uint32_t stacks[2][looked_at / 4];
    // Not in a register, which the calls would save on the stack.
    static volatile size_t run;
    for (run = 0; run < 2; run++) {
        draw(secret, sizeof secret);
        draw(message, sizeof message);
        prepare(32);
        clean();
        call(count);
        copy_stack(stacks[run]);
    }
    size_t found = 0;
    for (size_t index = 0; index < looked_at / 4; index++) found += stacks[0][index] != stacks[1][index];
    return found;
}

static const struct work {
    const char *name;
    void (*call)(size_t);
    size_t counts[6];
} works[] = {
    {"prepare", prepare, {20, 32, 64, 65, 129, 200}},
    {"number", number, {7}},
    {"message number", message_number, {64, 128, 256}},
    {"window", numbers_from, {1, 2, 3, 4, 11, window}},
    {"authenticate", authenticate, {1, 20, 64, 188}},
};

static size_t search(const struct work *work, size_t *calls) {
    static const char *names[] = {"", "1", "256", "512"};
    size_t found = 0;
    for (const size_t *count = work->counts; count < work->counts + 6 && *count > 0; count++) {
        // A 512-bit block is half a block of SHA-512.
        if (work->call == message_number && key.algorithm == HASH_BLOCKS_SHA512 && *count < 128) continue;
        size_t words = traces(work->call, *count);
        if (words > 0) {
            printf("SHA-%s, %s, %s of %zu: %zu words\n",
                names[key.algorithm], instructions ? "with instructions" : "portable", work->name, *count, words);
        }
        found += words;
        ++*calls;
    }
    return found;
}

int main(void) {
    size_t found = 0, calls = 0;
    for (uint8_t algorithm = HASH_BLOCKS_SHA1; algorithm <= HASH_BLOCKS_SHA512; algorithm++) {
        for (int path = 0; path <= hash_blocks_has_instructions(); path++) {
            key.algorithm = algorithm;
            instructions = path;
            for (size_t index = 0; index < sizeof works / sizeof *works; index++) {
                found += search(&works[index], &calls);
            }
        }
    }
    for (size_t depth = 64; depth <= 4096; depth *= 2) {
        if (traces(careless, depth) != 1) return puts("the search does not find what was left for it"), 2;
    }
    printf("%zu calls, %zu words on the stack that depend on a key or a message\n", calls, found);
    return found > 0;
}
