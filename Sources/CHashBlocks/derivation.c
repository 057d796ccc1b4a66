/// HKDF-SHA256 of several keys at once.
#include "functions.h"

/// The number of messages that are hashed side by side. Four states and blocks do not fit into the registers.
enum { together = 3 };

/// Up to three HMACs that are computed in step.
struct batch {
    union hash_blocks_state states[together];
    /// The blocks that are hashed next.
    uint8_t blocks[together][64];
    size_t count;
    uint8_t features;
};

#define EACH(batch) for (size_t i = 0; i < (batch)->count; i++)

/// After the schedules of three blocks.
WIPES_BELOW(wipe_derivation_below, 1024)

INLINE void hash(struct batch *batch) {
#if HAS_SHA_INSTRUCTIONS
    if (batch->features & HASH_BLOCKS_SHA) {
        return hash_blocks_sha256_native_several(batch->states, (const uint8_t(*)[64])batch->blocks, batch->count);
    }
#endif
    EACH(batch) hash_blocks_sha256_portable(batch->states[i].words, batch->blocks[i], 1);
}

INLINE void start(struct batch *batch, const union hash_blocks_state *state) {
    EACH(batch) batch->states[i] = *state;
}

/// Writes the states to the first half of the blocks.
INLINE void store_states(struct batch *batch) {
    EACH(batch) for (int word = 0; word < 8; word++) store32(batch->blocks[i] + 4 * word, batch->states[i].words[word]);
}

/// Makes the blocks the padding of HMAC of the keys in their first half, with `byte`.
INLINE void pad_keys(struct batch *batch, uint8_t byte) {
    EACH(batch) {
        for (int place = 0; place < 32; place++) batch->blocks[i][place] ^= byte;
        memset(batch->blocks[i] + 32, byte, 32);
    }
}

/// Sets the blocks to those of a message that goes on at `from`: `info`, then 1, the number of the first output of
/// HKDF-Expand, then the padding of SHA-256.
INLINE void write_info(
    struct batch *batch, const uint8_t *infos, size_t info_count, size_t from, bool is_last
) {
    EACH(batch) {
        uint8_t *block = batch->blocks[i];
        const uint8_t *info = infos + info_count * i;
        memset(block, 0, 64);
        size_t rest = info_count > from ? info_count - from : 0;
        memcpy(block, info + (rest > 0 ? from : 0), rest < 64 ? rest : 64);
        if (info_count >= from && info_count < from + 64) block[info_count - from] = 1;
        if (info_count + 1 >= from && info_count + 1 < from + 64) block[info_count + 1 - from] = 0x80;
        if (is_last) store64(block + 56, (uint64_t)(64 + info_count + 1) * 8);
    }
}

/// Hashes the inner hashes with the outer states.
INLINE void finish(struct batch *batch, const union hash_blocks_state *outer, size_t stride) {
    store_states(batch);
    EACH(batch) {
        memset(batch->blocks[i] + 32, 0, 32);
        batch->blocks[i][32] = 0x80;
        store64(batch->blocks[i] + 56, (64 + 32) * 8);
        batch->states[i] = outer[i * stride];
    }
    hash(batch);
}

static void derive(
    struct batch *batch, const struct hash_blocks_key *salt, const uint8_t *materials, const uint8_t *infos,
    size_t info_count, uint8_t *keys
) {
    static const union hash_blocks_state sha256_start = SHA256_START;
    union hash_blocks_state outer[together];
    // Extract.
    start(batch, &salt->inner);
    EACH(batch) memcpy(batch->blocks[i], materials + 64 * i, 64);
    hash(batch);
    EACH(batch) {
        fill(batch->blocks[i], 0, 64);
        batch->blocks[i][0] = 0x80;
        store64(batch->blocks[i] + 56, (64 + 64) * 8);
    }
    hash(batch);
    finish(batch, &salt->outer, 0);
    // Prepare the extracted keys.
    store_states(batch);
    pad_keys(batch, 0x5c);
    start(batch, &sha256_start);
    hash(batch);
    EACH(batch) outer[i] = batch->states[i];
    EACH(batch) for (int place = 0; place < 64; place++) batch->blocks[i][place] ^= 0x5c ^ 0x36;
    start(batch, &sha256_start);
    hash(batch);
    // Expand.
    size_t padded = hash_blocks_padded_count(HASH_BLOCKS_SHA256, info_count + 1);
    for (size_t from = 0; from < padded; from += 64) {
        write_info(batch, infos, info_count, from, from + 64 == padded);
        hash(batch);
    }
    finish(batch, outer, 1);
    store_states(batch);
    EACH(batch) memcpy(keys + 32 * i, batch->blocks[i], 32);
    hash_blocks_wipe(outer, sizeof outer);
    hash_blocks_wipe(batch, sizeof *batch);
}

void hash_blocks_derive(
    uint8_t features, const uint8_t *materials, const uint8_t *infos, size_t info_count, size_t count, uint8_t *keys
) {
    // No salt is a salt of zeros (RFC 5869 section 2.2), which is what an empty key of HMAC is.
    struct hash_blocks_key salt;
    hash_blocks_prepare(&salt, HASH_BLOCKS_SHA256, features, "", 0);
    for (size_t done = 0; done < count; done += together) {
        struct batch batch;
        batch.count = count - done < together ? count - done : together;
        batch.features = features;
        derive(&batch, &salt, materials + 64 * done, infos + info_count * done, info_count, keys + 32 * done);
    }
    wipe_derivation_below();
}
