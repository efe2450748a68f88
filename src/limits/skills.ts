// Numbers about skills that several folders share: unit in the name, then reason and source.

/** The largest real SKILL.md is 294 KB. */
export const SKILL_MD_MAX_BYTES = 1_048_576
/** Agent Skills specification. */
export const SKILL_NAME_MAX = 64
export const SKILL_DESCRIPTION_MAX = 1_024
/** Real maxima are 162 characters and 8 segments; an R2 key has 1,024 bytes. */
export const SKILL_PATH_MAX_CHARS = 255
/** `npx skills` takes 1,000 files; the largest real skill has 1,103 (a media set), the floor is 512. */
export const SKILL_FILES_MAX = 1_000
export const SKILL_FILE_MAX_BYTES = 8_388_608
export const SKILL_BYTES_MAX = 31_457_280
/** Chunks of a body are gathered into parts of this size: some come byte by byte, each in a buffer of its own. */
export const BODY_PART_BYTES = 65_536
/**
 * A body that is read in a queue (publishes, files of a commit) while others wait there: after this long it has to have
 * come with 2.5 Mbit/s, else it gives its place up.
 */
export const BODY_QUEUED_PACE_BYTES_S = 307_200
/** A JSON publish is held in memory as text, then as bytes. */
export const PUBLISH_BODY_MAX_BYTES = 16_777_216
/** An object has six outgoing connections (Workers limits); one is left for the catalog. */
export const STORE_CONCURRENCY = 5
/** A store that hiccups is asked this often before a reader hears of it. */
export const STORE_TRIES = 2
/** A change that finds the catalog moved under it is computed anew; changes queue, so one retry is already rare. */
export const CATALOG_CHANGE_TRIES = 5
/** Names shown of one catalog version's changes; the rest is counted. */
export const CHANGED_NAMES_LISTED = 100
/**
 * Comparing, in all files of one answer: units of about a microsecond (src/lib/steps.ts). A hundred files of 500 lines, in
 * each of which 100 differ, take a twentieth.
 */
export const DIFF_WORK_MAX = 1_000_000
/** Answers of one search, as deer-flow; a query, and its telling words that are looked for: a task in a sentence or two. */
export const SEARCH_RESULTS_MAX = 5
/** A text of which skills are suggested: a message, not a file. `select:` lists names within it. */
export const MATCH_TEXT_MAX_CHARS = 8_000
/** Skills that one message may call, by slash and by `skills.load` together: each may put 50,000 characters before the model. */
export const CALLED_SKILLS_MAX = 5
/** What is repeated of a request behind slash commands; the whole of it is in the message itself. */
export const CALLED_REQUEST_CHARS = 2_000
/** Names offered for one that is unknown. */
export const SUGGESTIONS_MAX = 3
/** How often one who waits in a line looks for itself; it is called when its turn comes. */
export const QUEUE_LOOK_MS = 250
/** Who did not look for this long was cut off. Far more than an isolate stands still. */
export const QUEUE_SEEN_MS = 5_000
/** Pieces overlap by this: longer than any pattern that must be seen whole. */
export const SCAN_OVERLAP_CHARS = 256
