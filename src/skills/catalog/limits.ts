// The numbers of this folder: unit in the name, then reason and source.

/** Characters of findings as JSON in one answer of the catalog: RPC copies answers twice. */
export const CATALOG_ANSWER_MAX_CHARS = 1_048_576
/** HTTP tools that are enabled in a workspace: each new thread's requests carry all of them. */
export const TOOLS_ENABLED_MAX = 200
/** Bytes of all tool definitions of a workspace as JSON: the index contains them, and a cold run reads it first. */
export const TOOLS_BYTES_MAX = 2_097_152
/** Unreferenced bytes are swept this long after they were last staged. No upload takes that long. */
export const SWEEP_AFTER_MS = 24 * 3_600_000
/**
 * Blobs swept at once: R2 deletes 1,000 keys a call, KV one, and an alarm may make 1,000 calls to KV. A pause for other
 * requests follows.
 */
export const SWEEP_BATCH = 500
export const SWEEP_PAUSE_MS = 1_000
export const SWEEP_RETRY_MS = 3_600_000
/**
 * Versions listed for one skill, newest first; fewer when they have very many findings. Older versions are in the
 * history and can still be pinned.
 */
export const SKILL_VERSIONS_LISTED = 200
/** Days after which a use of a skill counts half, so that last quarter's uses matter less than this month's. */
export const SKILL_USE_HALF_LIFE_DAYS = 30
/** The weight of one use after a hundred days. A skill with less is dropped. */
export const SKILL_USE_FLOOR = 0.1
/** Skills whose use is stored, the least used are dropped first: as many as the largest catalog in the benchmarks. */
export const SKILL_USE_ROWS = 10_000
/** Rows of who used which skill today, 200 bytes each, kept for that day. Further uses of the day are not counted. */
export const SKILL_USE_DAY_ROWS = 50_000
/** Skills that GET /admin/catalog lists as the most used. */
export const SKILL_USE_SHOWN = 20
/**
 * Names in a ranking: level 1 shows fewer (45 characters each, of 16,000). With names of 64 characters it has 67 KB.
 */
export const SKILL_USE_RANKED = 1_000
/** The least time between two rankings: each new one is sent once to each isolate, and level 1 is rendered again. */
export const SKILL_USE_RANK_MS = 3_600_000
