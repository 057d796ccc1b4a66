// A target of C needs a source file. The function of the header is inline.
#include "constant_time.h"
