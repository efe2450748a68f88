// The numbers of this folder: unit in the name, then reason and source.

/**
 * `each`: one page may send 20 files at once. A part comes in a tenth of a second, or as slowly as a body may: so a key gets
 * two of the four places, and two more keys find one whatever it does.
 */
export const UPLOAD_PART_QUEUE = {
  width: 4,
  room: 512,
  each: 64,
  timeoutMs: 60_000,
  heldMs: 30_000,
  leavesFree: true,
}
/** After this (ms) a part has to have come with BODY_QUEUED_PACE_BYTES_S, else it gives way to a key that has no place. */
export const UPLOAD_PART_SLOW_MS = 1_000
/** Files of one form, and what they may have together: as much as one file. */
export const FORM_FILES_MAX = 20
export const FORM_FILES_MAX_BYTES = 33_554_432
/** What a form's own lines may have besides: headers of 16 KB (the parser's limit) for each file. */
export const FORM_LINES_MAX_BYTES = 393_216
/** Small files of one form that are held in memory until all are there; past it they go to R2 as large ones do. */
export const FORM_INLINE_MAX_BYTES = 524_288
