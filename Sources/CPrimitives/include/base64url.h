#ifndef BASE64URL_H
#define BASE64URL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Writes the Base64URL form (RFC 4648 §5, no padding) of bytes, where the processor can do so a group at a time.
///
/// The time depends on the number of bytes alone: there is no branch on them, and no table in memory.
///
/// - Parameters:
///   - bytes: `count` bytes.
///   - text: room for the (4 × `count` + 2) / 3 characters.
/// - Returns: `false`, with nothing written, on a processor that cannot shuffle bytes.
bool base64url_encode(const uint8_t *bytes, size_t count, uint8_t *text);

#endif
