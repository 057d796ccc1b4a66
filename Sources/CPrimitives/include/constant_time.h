#ifndef CONSTANT_TIME_H
#define CONSTANT_TIME_H

#include <stdint.h>

/// Returns its argument, in a way that the optimizer cannot see through.
///
/// What is computed from the result depends on a value that the compiler knows nothing about. It therefore cannot move
/// a decision about the result to a place before this call, such as an early exit from a loop.
static inline uint64_t constant_time_opaque(uint64_t value) {
    __asm__ volatile("" : "+r"(value));
    return value;
}

#endif
