// Every number of skills:add, with unit and reason.

/** A repository's archive as it is sent: skills of 52 real repositories have 258 MB together. It lies on disk, not in memory. */
export const ADD_DOWNLOAD_MAX_BYTES = 536_870_912
/** The same unpacked, counted as it streams: gzip can grow a thousandfold. */
export const ADD_UNPACKED_MAX_BYTES = 4_294_967_296
/** Entries of a repository or folder looked at; the largest collection has 12,000 files of skills, others much else beside. */
export const ADD_ENTRIES_MAX = 250_000
/** Bytes of the chosen skills, in memory at once: twice those of all 7,171 real skills. */
export const ADD_KEPT_MAX_BYTES = 536_870_912
/** A site's index: a thousand entries have under 1 MB. */
export const ADD_INDEX_MAX_BYTES = 4_194_304
/** Skills of one source that are looked at; the largest known collection has 2,451. */
export const ADD_SKILLS_MAX = 5_000
/** Lines on what a source has and does not offer, before the choice; --list shows all of them. */
export const ADD_PROBLEMS_SHOWN = 10
/** Browsers follow 20; honest downloads need two. */
export const ADD_REDIRECTS_MAX = 5
/** A server that is silent this long is given up; a whole download has ten minutes. */
export const ADD_SILENCE_MS = 30_000
export const ADD_TOTAL_MS = 600_000
/** Downloads of one site at once. */
export const ADD_CONCURRENCY = 6
