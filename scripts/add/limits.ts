// Limits of skills:add.

/**
 * Maximum size of a downloaded archive, which is stored on disk. The skills of 52 real repositories have 258
 * MB together.
 */
export const ADD_DOWNLOAD_MAX_BYTES = 536_870_912
/**
 * Maximum size of an unpacked archive, counted while it streams, because gzip can expand data a thousandfold.
 */
export const ADD_UNPACKED_MAX_BYTES = 4_294_967_296
/**
 * Maximum number of entries in a repository or folder. The largest known collection has 12,000 skill files,
 * and repositories also contain other files.
 */
export const ADD_ENTRIES_MAX = 250_000
/**
 * Maximum size of all chosen skills, which are held in memory: twice the size of the 7,171 skills of real
 * repositories.
 */
export const ADD_CHOSEN_SKILLS_MAX_BYTES = 536_870_912
/** Maximum size of a site's index; a thousand entries take less than 1 MB. */
export const ADD_INDEX_MAX_BYTES = 4_194_304
/** Maximum number of skills that a source may offer; the largest known collection has 2,451. */
export const ADD_SKILLS_MAX = 5_000
/** Number of problems shown before the user chooses; --list shows all of them. */
export const ADD_PROBLEMS_SHOWN_MAX = 10
/** Maximum number of redirects. Browsers follow 20; legitimate downloads need two. */
export const ADD_REDIRECTS_MAX = 5
/**
 * A download fails if the server sends nothing for the first time, or takes longer than the second in total.
 */
export const ADD_SILENCE_MAX_MS = 30_000
export const ADD_DOWNLOAD_MAX_MS = 600_000
/** Concurrent downloads from one site. */
export const ADD_CONCURRENT_DOWNLOADS_MAX = 6
