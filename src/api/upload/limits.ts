// Limits of this folder: unit in the name, then reason and source.

/**
 * `each`: a page may send 20 files at once. A part takes a tenth of a second, or as long as a body may. So a key gets two of the
 * four slots, which leaves slots for two more keys.
 */
export const UPLOAD_PART_QUEUE = {
  width: 4,
  room: 512,
  each: 64,
  timeoutMs: 60_000,
  heldMs: 30_000,
  leavesFree: true,
}
/** After this time (ms) the average pace of a part must be BODY_QUEUED_PACE_BYTES_S, or it gives way to a key without a slot. */
export const UPLOAD_PART_SLOW_MS = 1_000
/** Files of one form; together they may be as large as one file. */
export const FORM_FILES_MAX = 20
export const FORM_FILES_MAX_BYTES = 33_554_432
/** Bytes of a form beyond its files: headers of 16 KB (the parser's limit) per file. */
export const FORM_LINES_MAX_BYTES = 393_216
/** Small files of a form that stay in memory until all have arrived. Beyond this they go to R2 like large ones. */
export const FORM_INLINE_MAX_BYTES = 524_288
