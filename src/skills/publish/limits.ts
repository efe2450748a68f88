// The numbers of this folder: unit in the name, then reason and source.

/** Bytes that one request reads, hashes and scans: about ten seconds of CPU. */
export const COMMIT_BYTES_MAX = 268_435_456
/** Units of work to check one commit, about a minute. 500 real skills take under a tenth of it. */
export const COMMIT_WORK_MAX = 60_000_000
/**
 * Bytes passed to the catalog in one call. More are passed through R2, by address. RPC carries 32 MiB, and copies it
 * twice.
 */
export const CATALOG_CALL_MAX_BYTES = 524_288
/** Skills requested from the catalog in one call: an entry has 2.5 KB, plus findings. */
export const CATALOG_ENTRIES_MAX = 200
/** Findings stored with one version and shown. Authors with more fix these first. */
export const PUBLISH_FINDINGS_MAX = 200
/** Files shown with a diff, for people. Further files are only named. */
export const DIFF_FILES_MAX = 100
/** Bytes of all diffs in one answer. */
export const DIFF_ANSWER_MAX_BYTES = 2_097_152
