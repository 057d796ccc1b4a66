#include "hash_blocks.h"
