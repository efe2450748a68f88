// Limits of skills:add, with unit and reason.

/**
 * A repository's archive as sent: the skills of 52 real repositories have 258 MB together. Stored on disk, not in
 * memory.
 */
export const ADD_DOWNLOAD_MAX_BYTES = 536_870_912
/** The unpacked archive, counted while it streams: gzip can expand a thousandfold. */
export const ADD_UNPACKED_MAX_BYTES = 4_294_967_296
/**
 * Entries of a repository or folder; the largest collection has 12,000 skill files, and repositories contain other
 * files, too.
 */
export const ADD_ENTRIES_MAX = 250_000
/** The chosen skills in memory at once: twice the size of all 7,171 real skills. */
export const ADD_KEPT_MAX_BYTES = 536_870_912
/** A site's index: a thousand entries take less than 1 MB. */
export const ADD_INDEX_MAX_BYTES = 4_194_304
/** Skills that one source may offer; the largest known collection has 2,451. */
export const ADD_SKILLS_MAX = 5_000
/** Problems of a source that are shown before the choice; --list shows all. */
export const ADD_PROBLEMS_SHOWN = 10
/** Browsers follow 20; legitimate downloads need two. */
export const ADD_REDIRECTS_MAX = 5
/** A server that sends nothing for this long is abandoned; a whole download has ten minutes. */
export const ADD_SILENCE_MS = 30_000
export const ADD_TOTAL_MS = 600_000
/** Concurrent downloads from one site. */
export const ADD_CONCURRENCY = 6
