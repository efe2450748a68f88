// The numbers of this folder: unit in the name, then reason and source.

/** Findings that one answer of the catalog carries, as JSON: answers cross between objects, which copies them twice. */
export const CATALOG_ANSWER_MAX_CHARS = 1_048_576
/** Tools from settings that are on in a workspace: each new thread's requests carry all of them. */
export const TOOLS_ENABLED_MAX = 200
/** All definitions of a workspace as JSON: they stand in the index, which is read before a cold run's first word. */
export const TOOLS_BYTES_MAX = 2_097_152
/** Bytes that nothing refers to are swept this long after they were last promised: no upload takes that long. */
export const SWEEP_AFTER_MS = 24 * 3_600_000
/** Swept at once: R2 deletes 1,000 keys a call, KV one, and an alarm has 1,000 calls to KV. Then a pause for others. */
export const SWEEP_BATCH = 500
export const SWEEP_PAUSE_MS = 1_000
export const SWEEP_RETRY_MS = 3_600_000
/** Versions listed for one skill, newest first, or fewer with very many findings; older ones stay in the history and can still be pinned. */
export const SKILL_VERSIONS_LISTED = 200
/** A use of a skill counts half as much after each of these: last quarter's fades behind this month's. */
export const SKILL_USE_HALF_LIFE_DAYS = 30
/** What is left of one use after a hundred days; a skill with less is forgotten. */
export const SKILL_USE_FLOOR = 0.1
/** Skills whose use is remembered, the least used go first: as many as the largest catalog that is measured. */
export const SKILL_USE_ROWS = 10_000
/** Who used which skill today, as rows of 200 bytes, kept for that day: what is more is not counted on it. */
export const SKILL_USE_DAY_ROWS = 50_000
/** Skills that GET /admin/catalog names as the most used. */
export const SKILL_USE_SHOWN = 20
/** Names in a ranking: level 1 shows fewer (45 characters each, of 16,000). With names of 64 characters it has 67 KB. */
export const SKILL_USE_RANKED = 1_000
/** A ranking is made anew no more often: each new one is sent once to each isolate, and level 1 is rendered again. */
export const SKILL_USE_RANK_MS = 3_600_000
