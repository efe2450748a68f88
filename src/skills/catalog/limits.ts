// Limits of this folder. Names end in the unit; a name without a unit is a count. Comments give the reason and the source.

/** Characters of findings, as JSON, in one response of the catalog. RPC copies each response twice. */
export const CATALOG_RESPONSE_MAX_CHARS = 1_048_576
/** Tools that may be enabled in a workspace, with those of MCP servers. The index lists them, and a model searches them. */
export const TOOLS_ENABLED_MAX = 2_000
/** Bytes of all tool definitions of a workspace, as JSON: a search reads them all, once for each isolate. */
export const TOOLS_BYTES_MAX = 8_388_608
/** How long unreferenced bytes are kept after they were last staged. No upload takes that long. */
export const SWEEP_AFTER_MS = 24 * 3_600_000
/**
 * Blobs deleted in one batch. R2 deletes up to 1,000 keys a call, KV only one, and an alarm may make 1,000 calls to KV.
 * SWEEP_PAUSE_MS between batches lets other requests run; after an error, the next batch starts SWEEP_RETRY_MS later.
 */
export const SWEEP_BATCH_BLOBS_MAX = 500
export const SWEEP_PAUSE_MS = 1_000
export const SWEEP_RETRY_MS = 3_600_000
/**
 * Versions listed for one skill, newest first. Fewer are listed when they have very many findings. Older versions
 * remain in the history and can still be pinned.
 */
export const SKILL_VERSIONS_LISTED_MAX = 200
/** Days after which a use of a skill has half its weight, so that this month matters more than last quarter. */
export const SKILL_USE_HALF_LIFE_DAYS = 30
/** The weight that one use has left after a hundred days. Skills with a lower total are dropped. */
export const SKILL_USE_WEIGHT_MIN = 0.1
/** Skills for which use is stored: the size of the largest benchmark catalog. The least used are dropped first. */
export const SKILL_USE_ROWS_MAX = 10_000
/**
 * Pairs of owner and skill counted in one day, 200 bytes each. Once this number is reached, no more uses are
 * counted that day.
 */
export const SKILL_USE_DAY_ROWS_MAX = 50_000
/** Number of most-used skills listed by GET /admin/catalog. */
export const SKILL_USE_LISTED_MAX = 20
/**
 * Names in a ranking, which takes at most 67 KB. Level 1 shows fewer: about 350 names of 45 characters fit into 16,000.
 */
export const SKILL_USE_RANKED_MAX = 1_000
/** Minimum time between rankings. Each new one is sent to every isolate once, and level 1 is rendered again. */
export const SKILL_USE_RANKING_INTERVAL_MS = 3_600_000
