// Limits of this folder. Names end in the unit; a name without a unit is a count. Comments give the reason and the source.

/** Bytes of files in one commit: reading, hashing and scanning them takes about ten seconds of CPU. */
export const COMMIT_BYTES_MAX = 268_435_456
/** Units of work for checking one commit: about a minute. 500 real skills take less than a tenth of that. */
export const COMMIT_WORK_MAX = 60_000_000
/**
 * Bytes of a batch that are passed to the catalog directly. A larger batch is stored in R2 and passed by its address,
 * because RPC carries at most 32 MiB and copies it twice.
 */
export const CATALOG_CALL_MAX_BYTES = 524_288
/** Skills requested from the catalog in one call. An entry has 2.5 KB, plus findings. */
export const CATALOG_ENTRIES_MAX = 200
/** Findings that are stored with a version and returned. An author who has more can fix these first. */
export const PUBLISH_FINDINGS_MAX = 200
/** Files whose diffs are shown, since people read them. The remaining files are only named. */
export const DIFF_FILES_MAX = 100
/** Bytes of all diffs in one response. */
export const DIFF_RESPONSE_MAX_BYTES = 2_097_152
