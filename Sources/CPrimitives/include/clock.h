#ifndef CLOCK_H
#define CLOCK_H

/// Returns whether the kernel's clock is synchronized: 1 or 0, or -1 when the system does not report it.
///
/// The Glibc module of Swift has no `adjtimex`. The call changes nothing and needs no privilege.
int clock_is_synchronized(void);

#endif
