// Limits of this folder: unit in the name, then reason and source.

/**
 * The queue for parts of large files. A part takes a tenth of a second with a fast sender, and up to BODY_TOTAL_MS with a slow one, so
 * a key gets only two of the four slots. `each` lets a page send 20 files concurrently.
 */
export const UPLOAD_PART_QUEUE = {
  width: 4,
  room: 512,
  each: 64,
  timeoutMs: 60_000,
  heldMs: 30_000,
  leavesFree: true,
}
/** Age from which a part gives way to a key without a slot if its average speed is below BODY_QUEUED_PACE_BYTES_S. */
export const UPLOAD_PART_SLOW_MS = 1_000
/** Number of files in one form. */
export const FORM_FILES_MAX = 20
/** Total size of the files in one form, which is the same as that of the largest file. */
export const FORM_FILES_MAX_BYTES = 33_554_432
/** Bytes of a form in addition to its files: headers of 16 KB per file, which is the parser's limit. */
export const FORM_LINES_MAX_BYTES = 393_216
/** Total size of the small files of a form that are kept in memory until all files have arrived. The others are sent to R2. */
export const FORM_INLINE_MAX_BYTES = 524_288
