#ifndef HASH_BLOCKS_H
#define HASH_BLOCKS_H
#endif
