#ifndef BASE64URL_H
#define BASE64URL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Writes the Base64URL form (RFC 4648 section 5, without padding) of bytes, a group at a time.
///
/// The running time depends on the number of bytes only: no branch depends on a byte, and there is no table in memory.
///
/// - Parameters:
///   - bytes: `count` bytes.
///   - text: Memory for (4 × `count` + 2) / 3 characters.
/// - Returns: Whether the processor can shuffle bytes. If it cannot, nothing is written.
bool base64url_encode(const uint8_t *bytes, size_t count, uint8_t *text);

#endif
