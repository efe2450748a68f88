// Limits of skills that several folders share. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum size of a SKILL.md file. The largest real file has 294 KB. */
export const SKILL_MD_MAX_BYTES = 1_048_576
/** Maximum lengths of a skill's name and description, as in the Agent Skills specification. */
export const SKILL_NAME_MAX_CHARS = 64
export const SKILL_DESCRIPTION_MAX_CHARS = 1_024
/** Maximum length of a path in a skill. The longest real path has 162 characters. */
export const SKILL_PATH_MAX_CHARS = 255
/** Limits of a skill: the number of its files (as in `npx skills`), the size of one file, and the total size of all files. */
export const SKILL_FILES_MAX = 1_000
export const SKILL_FILE_MAX_BYTES = 8_388_608
export const SKILL_MAX_BYTES = 31_457_280
/** Size of the parts into which chunks of a body are merged. Some bodies arrive byte by byte, each byte in a separate buffer. */
export const BODY_PART_BYTES = 65_536
/** Minimum average speed of an upload that holds a slot while others wait: 2.5 Mbit/s. A slower upload loses its slot. */
export const QUEUED_BODY_MIN_BYTES_PER_S = 307_200
/** Maximum size of a publish request as JSON. It is in memory as bytes and as text. */
export const PUBLISH_BODY_MAX_BYTES = 16_777_216
/** Maximum number of concurrent requests to the stores. An object has six outgoing connections, and the catalog needs one of them. */
export const STORE_CONCURRENCY = 5
/** Maximum number of attempts to read from or write to a store. */
export const STORE_ATTEMPTS_MAX = 2
/** Maximum number of attempts to make a change while other changes interfere. Changes are queued, so retries are rare. */
export const CATALOG_CHANGE_ATTEMPTS_MAX = 5
/**
 * Maximum number of skill names listed for the changes of one catalog version. The remaining names are only
 * counted.
 */
export const CHANGED_NAMES_LISTED_MAX = 100
/**
 * Maximum work of one comparison, in units of about a microsecond (src/lib/steps.ts). A hundred files of 500 lines, with
 * 100 differing lines in each, take a twentieth of this.
 */
export const DIFF_WORK_MAX_UNITS = 1_000_000
/** Maximum number of results of one search, the same as in deer-flow. */
export const SEARCH_RESULTS_MAX = 5
/** Length to which a query is cut. It may be a complete message, or a list of names after `select:`. */
export const MATCH_QUERY_MAX_CHARS = 8_000
/** Maximum number of skills that one message may call, by slash or with `skills.load`. Each may add 50,000 characters to the prompt. */
export const CALLED_SKILLS_MAX = 5
/** Length to which a person's request is cut when it is repeated in a called skill. The message itself contains all of it. */
export const CALLED_REQUEST_MAX_CHARS = 2_000
/** Maximum number of names suggested in place of an unknown name. */
export const SUGGESTIONS_MAX = 3
/** Interval at which a waiting request polls its queue. It is also woken when it may start. */
export const QUEUE_POLL_INTERVAL_MS = 250
/** How many waiting requests poll at that interval. With twice as many it is twice as long, up to the maximum. */
export const QUEUE_POLLING_MANY = 100
export const QUEUE_POLL_INTERVAL_MAX_MS = 2_000
/** Time without a poll after which a waiting request counts as cut off. No isolate is blocked for that long. */
export const QUEUE_ABANDONED_AFTER_MS = 5_000
/** Overlap of the pieces in which text is scanned: longer than any text that must be matched completely. */
export const SCAN_OVERLAP_CHARS = 256
