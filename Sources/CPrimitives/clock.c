#include "clock.h"

#if defined(__linux__)
#include <sys/timex.h>

int clock_is_synchronized(void) {
    struct timex state = {.modes = 0};
    int result = adjtimex(&state);
    if (result < 0) {
        return -1;
    }
    return result != TIME_ERROR && !(state.status & STA_UNSYNC);
}
#else
int clock_is_synchronized(void) { return -1; }
#endif
