// Limits of skills that several folders share: unit in the name, then reason and source.

/** The largest real SKILL.md is 294 KB. */
export const SKILL_MD_MAX_BYTES = 1_048_576
/** Agent Skills specification. */
export const SKILL_NAME_MAX = 64
export const SKILL_DESCRIPTION_MAX = 1_024
/** Real maxima are 162 characters and 8 segments; an R2 key has 1,024 bytes. */
export const SKILL_PATH_MAX_CHARS = 255
/** `npx skills` accepts 1,000 files; the largest real skill has 1,103 (a media set), the floor is 512. */
export const SKILL_FILES_MAX = 1_000
export const SKILL_FILE_MAX_BYTES = 8_388_608
export const SKILL_BYTES_MAX = 31_457_280
/** Chunks of a body are collected into parts of this size: some arrive byte by byte, each in its own buffer. */
export const BODY_PART_BYTES = 65_536
/**
 * A body read in a queue (publishes, files of a commit) while others wait: after this time its average must be 2.5 Mbit/s, or it
 * loses its slot.
 */
export const BODY_QUEUED_PACE_BYTES_S = 307_200
/** A JSON publish is in memory as text, then as bytes. */
export const PUBLISH_BODY_MAX_BYTES = 16_777_216
/** An object has six outgoing connections (Workers limits); one is left for the catalog. */
export const STORE_CONCURRENCY = 5
/** Tries of a store before its reader gets the failure. */
export const STORE_TRIES = 2
/** Tries of a change whose catalog version moved. Changes queue, so one retry is already rare. */
export const CATALOG_CHANGE_TRIES = 5
/** Names listed of one catalog version's changes; the rest is a count. */
export const CHANGED_NAMES_LISTED = 100
/**
 * Work of one comparison: units of about a microsecond (src/lib/steps.ts). A hundred files of 500 lines, each with 100 changed,
 * take a twentieth.
 */
export const DIFF_WORK_MAX = 1_000_000
/** Results of one search, as in deer-flow; characters of a query, and its search terms: a task in a sentence or two. */
export const SEARCH_RESULTS_MAX = 5
/** A text for skill suggestions: a message, not a file. `select:` lists names within it. */
export const MATCH_TEXT_MAX_CHARS = 8_000
/** Skills that one message may call, by slash and by `skills.load` together: each may add 50,000 characters to the prompt. */
export const CALLED_SKILLS_MAX = 5
/** Characters of a request repeated after slash commands; the message itself has all of it. */
export const CALLED_REQUEST_CHARS = 2_000
/** Names suggested for an unknown one. */
export const SUGGESTIONS_MAX = 3
/** How often a waiting request polls; it is also notified when its turn comes. */
export const QUEUE_LOOK_MS = 250
/** A request that did not poll for this long was cut off. Far longer than an isolate blocks. */
export const QUEUE_SEEN_MS = 5_000
/** Overlap of pieces: longer than any pattern that must be seen whole. */
export const SCAN_OVERLAP_CHARS = 256
