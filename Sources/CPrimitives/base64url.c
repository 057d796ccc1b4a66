#include "base64url.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#define SHUFFLES __attribute__((target("ssse3")))
#define WIDE_SHUFFLES __attribute__((target("avx2")))

enum { known = 1, has_shuffles = 2, has_wide_shuffles = 4 };

static uint8_t found_features(void) {
    unsigned a, b, c, d, extended_b;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 9 & 1)) return 0;
    bool saves_registers = c >> 27 & 1;
    if (!saves_registers || !__get_cpuid_count(7, 0, &a, &extended_b, &c, &d)) return has_shuffles;
    // The operating system has to save the upper halves of the registers as well.
    unsigned low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & 6) == 6 && (extended_b >> 5 & 1) ? has_shuffles | has_wide_shuffles : has_shuffles;
}

static uint8_t features(void) {
    // Several threads may get here at once. They store the same value.
    static _Atomic(uint8_t) cached = 0;
    uint8_t features = __c11_atomic_load(&cached, __ATOMIC_RELAXED);
    if (features == 0) {
        features = known | found_features();
        __c11_atomic_store(&cached, features, __ATOMIC_RELAXED);
    }
    return features;
}

/// Returns the values of six bits of the first twelve bytes, each in a byte, in order.
SHUFFLES static inline __m128i sextets(__m128i bytes) {
    // The lanes b a c b of three bytes a, b, c. The first two values are in the first word, the others in the second.
    __m128i lanes = _mm_shuffle_epi8(bytes, _mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10));
    // A multiplication by a power of two shifts each word by its own count. The upper half of the product is a shift to
    // the right.
    __m128i even = _mm_mulhi_epu16(_mm_and_si128(lanes, _mm_set1_epi32(0x0FC0FC00)), _mm_set1_epi32(0x04000040));
    __m128i odd = _mm_mullo_epi16(_mm_and_si128(lanes, _mm_set1_epi32(0x003F03F0)), _mm_set1_epi32(0x01000010));
    return _mm_or_si128(even, odd);
}

/// Returns the characters of sixteen values.
SHUFFLES static inline __m128i characters(__m128i values) {
    // The number to add for each kind of character: 0 for small letters, 1 to 10 for digits, 11 and 12 for the two
    // other characters, 13 for capital letters. It is looked up in a register.
    const __m128i added =
        _mm_setr_epi8('a' - 26, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, '-' - 62, '_' - 63, 'A', 0, 0);
    __m128i is_capital = _mm_cmpgt_epi8(_mm_set1_epi8(26), values);
    __m128i kind = _mm_or_si128(
        _mm_subs_epu8(values, _mm_set1_epi8(51)), _mm_and_si128(is_capital, _mm_set1_epi8(13)));
    return _mm_add_epi8(values, _mm_shuffle_epi8(added, kind));
}

/// Returns the character of a value, without vector registers.
static uint8_t character(unsigned value) {
    return (uint8_t)('A' + value + ((25 - value) >> 8 & 6) - ((51 - value) >> 8 & 75) - ((61 - value) >> 8 & 13)
        + ((62 - value) >> 8 & 49));
}

/// Writes the characters of up to three bytes.
static void encode_few(const uint8_t *bytes, size_t count, uint8_t *text) {
    unsigned bits = 0;
    for (size_t index = 0; index < 3; index++) bits = bits << 8 | (index < count ? bytes[index] : 0);
    for (size_t index = 0; index <= count; index++) text[index] = character(bits >> (18 - 6 * index) & 0x3F);
}

SHUFFLES static void encode(const uint8_t *bytes, size_t start, size_t count, uint8_t *text) {
    for (; start + 16 <= count; start += 12) {
        __m128i group = _mm_loadu_si128((const __m128i_u *)(bytes + start));
        _mm_storeu_si128((__m128i_u *)(text + start / 3 * 4), characters(sextets(group)));
    }
    size_t whole = count - count % 3;
    if (start < whole && whole >= 16) {
        // Up to five times three bytes are left: the first three alone, then a group up to the last byte, which writes
        // some of the characters again.
        if (whole - start > 12) encode_few(bytes + start, 3, text + start / 3 * 4);
        start = whole - 12;
        __m128i group = _mm_srli_si128(_mm_loadu_si128((const __m128i_u *)(bytes + start - 4)), 4);
        _mm_storeu_si128((__m128i_u *)(text + start / 3 * 4), characters(sextets(group)));
        start = whole;
    }
    for (; start < count; start += 3) {
        encode_few(bytes + start, count - start < 3 ? count - start : 3, text + start / 3 * 4);
    }
}

/// Writes the characters of two groups at a time, in the same steps.
/// - Returns: the number of bytes that were converted.
WIDE_SHUFFLES static size_t encode_wide(const uint8_t *bytes, size_t count, uint8_t *text) {
#define BOTH(vector) _mm256_broadcastsi128_si256(vector)
    const __m256i order = BOTH(_mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10));
    const __m256i added =
        BOTH(_mm_setr_epi8('a' - 26, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, '-' - 62, '_' - 63, 'A', 0, 0));
    size_t start = 0;
    for (; start + 28 <= count; start += 24, text += 32) {
        __m256i groups = _mm256_inserti128_si256(
            _mm256_castsi128_si256(_mm_loadu_si128((const __m128i_u *)(bytes + start))),
            _mm_loadu_si128((const __m128i_u *)(bytes + start + 12)), 1);
        __m256i lanes = _mm256_shuffle_epi8(groups, order);
        __m256i even = _mm256_mulhi_epu16(
            _mm256_and_si256(lanes, _mm256_set1_epi32(0x0FC0FC00)), _mm256_set1_epi32(0x04000040));
        __m256i odd = _mm256_mullo_epi16(
            _mm256_and_si256(lanes, _mm256_set1_epi32(0x003F03F0)), _mm256_set1_epi32(0x01000010));
        __m256i values = _mm256_or_si256(even, odd);
        __m256i is_capital = _mm256_cmpgt_epi8(_mm256_set1_epi8(26), values);
        __m256i kind = _mm256_or_si256(
            _mm256_subs_epu8(values, _mm256_set1_epi8(51)), _mm256_and_si256(is_capital, _mm256_set1_epi8(13)));
        _mm256_storeu_si256((__m256i_u *)text, _mm256_add_epi8(values, _mm256_shuffle_epi8(added, kind)));
    }
    return start;
}

bool base64url_encode(const uint8_t *bytes, size_t count, uint8_t *text) {
    uint8_t found = features();
    if (!(found & has_shuffles)) return false;
    encode(bytes, found & has_wide_shuffles ? encode_wide(bytes, count, text) : 0, count, text);
    return true;
}
#else
bool base64url_encode(const uint8_t *bytes, size_t count, uint8_t *text) {
    (void)bytes, (void)count, (void)text;
    return false;
}
#endif
