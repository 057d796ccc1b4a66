#ifndef CONSTANT_TIME_H
#define CONSTANT_TIME_H

#include <stdint.h>

/// Returns its argument. The optimizer must treat the result as unknown.
///
/// The compiler knows nothing about the result. It therefore cannot move a decision that depends on the result, such as
/// an early exit from a loop, to a place before this call.
static inline uint64_t constant_time_opaque(uint64_t value) {
    __asm__ volatile("" : "+r"(value));
    return value;
}

#endif
