// Compares the functions of CHashBlocks with vectors, in portable C and with the instructions of the processor. Called by
// hash-vectors, which writes one vector a line to the standard input. Bytes are in hexadecimal; "-" means no bytes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash_blocks.h"

enum { longest = 8192, window = 128 };

#ifdef WITHOUT_EXTENSION
/// Replaces the call that asks Linux for the processor's features: none is there.
unsigned long __wrap_getauxval(unsigned long type) { return (void)type, 0; }
#endif

/// Returns the next word of a line.
static const char *word(void) {
    const char *word = strtok(NULL, " \n");
    return word ? word : (fprintf(stderr, "a line ends early\n"), exit(2), word);
}

static uint64_t number(void) { return strtoull(word(), NULL, 10); }

static unsigned digit(char character) {
    return character <= '9' ? (unsigned)character - '0' : ((unsigned)character | 0x20) - 'a' + 10;
}

/// Reads the bytes of the next word and returns their count.
static size_t bytes(uint8_t *output) {
    const char *text = word();
    if (*text == '-') return 0;
    size_t count = strlen(text) / 2;
    if (count > longest) exit(2);
    for (size_t index = 0; index < count; index++) {
        output[index] = (uint8_t)(digit(text[2 * index]) << 4 | digit(text[2 * index + 1]));
    }
    return count;
}

/// hmac ALGORITHM KEY MESSAGE CODE, where the code may be cut.
static bool hmac(bool uses_instructions) {
    static uint8_t key_bytes[longest], message[longest], expected[longest], code[64];
    uint8_t algorithm = (uint8_t)number();
    struct hash_blocks_key key;
    hash_blocks_prepare(&key, algorithm, uses_instructions, key_bytes, bytes(key_bytes));
    hash_blocks_authenticate(&key, message, bytes(message), code);
    return memcmp(code, expected, bytes(expected)) == 0;
}

/// message ALGORITHM KEY MESSAGE NUMBER
static bool message(bool uses_instructions) {
    static uint8_t key_bytes[longest], message[longest + 256];
    uint8_t algorithm = (uint8_t)number();
    struct hash_blocks_key key;
    hash_blocks_prepare(&key, algorithm, uses_instructions, key_bytes, bytes(key_bytes));
    size_t count = bytes(message);
    hash_blocks_pad(algorithm, message, count);
    return hash_blocks_message_number(&key, message, hash_blocks_padded_count(algorithm, count)) == number();
}

/// window ALGORITHM KEY DIGITS FIRST COUNT NUMBER…: the numbers of the first counter and of those after it.
static bool window_of_codes(bool uses_instructions) {
    static uint8_t key_bytes[longest];
    uint8_t algorithm = (uint8_t)number();
    struct hash_blocks_key key;
    hash_blocks_prepare(&key, algorithm, uses_instructions, key_bytes, bytes(key_bytes));
    int digits = (int)number();
    uint64_t first = number(), count = number();
    uint32_t codes[window + 1] = {0};
    if (count > window) exit(2);
    codes[count] = 0x5a5a5a5a;
    hash_blocks_numbers(&key, first, count, digits, codes);
    bool is_right = codes[count] == 0x5a5a5a5a;
    for (uint64_t index = 0; index < count; index++) {
        uint32_t expected = (uint32_t)number(), alone = hash_blocks_number(&key, first + index);
        is_right &= alone == expected && codes[index] == hash_blocks_last_digits(expected, digits);
    }
    return is_right;
}

/// digits NUMBER DIGITS TEXT
static bool digits(bool uses_instructions) {
    (void)uses_instructions;
    uint32_t value = (uint32_t)number();
    int count = (int)number();
    uint8_t text[10];
    hash_blocks_write_digits(value, count, text);
    const char *expected = word();
    return memcmp(text, expected, (size_t)count) == 0
        && (count < 4 || hash_blocks_last_digits(value, count) == strtoull(expected, NULL, 10));
}

/// hexadecimal TEXT BYTES, with the bytes "-" for a text that is refused.
static bool hexadecimal(bool uses_instructions) {
    (void)uses_instructions;
    static uint8_t expected[longest], output[longest];
    const char *text = word();
    size_t length = strlen(text);
    bool is_read = hash_blocks_read_hexadecimal((const uint8_t *)text, length, output);
    size_t count = bytes(expected);
    return is_read == (count > 0) && (!is_read || memcmp(output, expected, count) == 0);
}

int main(void) {
    static const struct {
        const char *name;
        bool (*check)(bool);
    } kinds[] = {
        {"hmac", hmac}, {"message", message}, {"window", window_of_codes}, {"digits", digits},
        {"hexadecimal", hexadecimal},
    };
    static char line[4 * longest], copy[4 * longest];
    size_t count = 0, wrong = 0;
    bool has_instructions = hash_blocks_has_instructions();
    while (fgets(line, sizeof line, stdin)) {
        count++;
        for (int path = 0; path <= has_instructions; path++) {
            strcpy(copy, line);
            const char *name = strtok(copy, " ");
            size_t kind = 0;
            while (kind < sizeof kinds / sizeof *kinds && strcmp(name, kinds[kind].name) != 0) kind++;
            if (kind == sizeof kinds / sizeof *kinds) return fprintf(stderr, "unknown kind: %s\n", name), 2;
            if (kinds[kind].check(path)) continue;
            if (wrong++ < 3) printf("wrong %s: %.100s\n", path ? "with instructions" : "in portable C", line);
        }
    }
    printf("%zu vectors, %s, %zu wrong\n", count,
        has_instructions ? "in portable C and with instructions" : "in portable C", wrong);
    return wrong > 0;
}
