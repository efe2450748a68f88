// The numbers of this folder: unit in the name, then reason and source.

/** Read, hashed and scanned in one request: about ten seconds of CPU. */
export const COMMIT_BYTES_MAX = 268_435_456
/** Units of work in the checks of one commit, about a minute: 500 real skills take under a tenth of it. */
export const COMMIT_WORK_MAX = 60_000_000
/** What is handed to the catalog in one call; more goes through R2 by its address. Calls carry 32 MiB, and copy it twice. */
export const CATALOG_CALL_MAX_BYTES = 524_288
/** Skills asked of the catalog in one call: entries have 2.5 KB each, and their findings come on top. */
export const CATALOG_ENTRIES_MAX = 200
/** Findings kept with one version and shown: whoever has more fixes these first. */
export const PUBLISH_FINDINGS_MAX = 200
/** Files shown with a diff: it is for people, more of them are named without one. */
export const DIFF_FILES_MAX = 100
/** All diffs of one answer together. */
export const DIFF_ANSWER_MAX_BYTES = 2_097_152
