// Limits of skills that several folders share. Each name contains the unit; comments give the reason and the source.

/** Bytes of a SKILL.md. The largest real one has 294 KB. */
export const SKILL_MD_MAX_BYTES = 1_048_576
/** Characters of a name and of a description, as in the Agent Skills specification. */
export const SKILL_NAME_MAX = 64
export const SKILL_DESCRIPTION_MAX = 1_024
/** Characters of a path. The longest real one has 162. */
export const SKILL_PATH_MAX_CHARS = 255
/** Files of a skill, as in `npx skills`, bytes of one file, and bytes of all its files. */
export const SKILL_FILES_MAX = 1_000
export const SKILL_FILE_MAX_BYTES = 8_388_608
export const SKILL_BYTES_MAX = 31_457_280
/** Size of the parts into which chunks of a body are merged. Some arrive byte by byte, each in a separate buffer. */
export const BODY_PART_BYTES = 65_536
/** Minimum average speed of an upload that holds a slot while others wait: 2.5 Mbit/s. A slower one loses the slot. */
export const BODY_QUEUED_PACE_BYTES_S = 307_200
/** Bytes of a publish as JSON, which is in memory as text and then as bytes. */
export const PUBLISH_BODY_MAX_BYTES = 16_777_216
/** Concurrent requests to the stores. An object has six outgoing connections, of which the catalog needs one. */
export const STORE_CONCURRENCY = 5
/** Attempts to read from or write to a store. */
export const STORE_TRIES = 2
/** Attempts to make a change while other changes interfere. Changes are queued, so even one retry is rare. */
export const CATALOG_CHANGE_TRIES = 5
/** Names listed for the changes of one catalog version. The others are only counted. */
export const CHANGED_NAMES_LISTED = 100
/**
 * Work of one comparison, in units of about a microsecond (src/lib/steps.ts). A hundred files of 500 lines, of which
 * 100 differ in each, take a twentieth of this.
 */
export const DIFF_WORK_MAX = 1_000_000
/** Results of one search, same as in deer-flow. */
export const SEARCH_RESULTS_MAX = 5
/** Characters of a query that are read, which may be a complete message or a list of names after `select:`. */
export const MATCH_TEXT_MAX_CHARS = 8_000
/** Skills that one message may call, by slash and with `skills.load`. Each may add 50,000 characters to the prompt. */
export const CALLED_SKILLS_MAX = 5
/** Characters of a person's request that are repeated in a called skill. The message itself contains all of it. */
export const CALLED_REQUEST_CHARS = 2_000
/** Names suggested instead of an unknown one. */
export const SUGGESTIONS_MAX = 3
/** Interval at which a waiting request polls its queue. It is also woken when it may start. */
export const QUEUE_POLL_INTERVAL_MS = 250
/** Time without a poll after which a waiting request counts as cut off. No isolate is blocked for that long. */
export const QUEUE_ABANDONED_AFTER_MS = 5_000
/** Overlap between scanned pieces: longer than any pattern that must be matched completely. */
export const SCAN_OVERLAP_CHARS = 256
