// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/**
 * The queue for parts of large files. A part takes a tenth of a second with a fast sender, and up to BODY_DURATION_MAX_MS with a slow one, so
 * a key gets only two of the four slots. `requestsMaxPerKey` lets a page send 20 files concurrently.
 */
export const UPLOAD_PART_QUEUE = {
  concurrency: 4,
  waitingMax: 512,
  requestsMaxPerKey: 64,
  waitMaxMs: 60_000,
  slotIdleMaxMs: 30_000,
  leavesSlotsFree: true,
}
/** Age from which a part may lose its slot to a key without one, if its average speed is below QUEUED_BODY_MIN_BYTES_PER_S. */
export const UPLOAD_PART_SLOW_AFTER_MS = 1_000
/** Maximum number of files in one form. */
export const FORM_FILES_MAX = 20
/** Maximum total size of the files in one form: the same as for a single file. */
export const FORM_FILES_TOTAL_MAX_BYTES = 33_554_432
/** Maximum size of everything in a form except its files: headers of 16 KB per file, which is the parser's limit. */
export const FORM_HEADERS_MAX_BYTES = 393_216
/** Maximum total size of a form's small files that stay in memory until all files have arrived. Larger files are sent to R2. */
export const FORM_INLINE_FILES_TOTAL_MAX_BYTES = 524_288
