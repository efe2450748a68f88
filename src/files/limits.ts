// The numbers of this folder: unit in the name, then reason and source.

/** Bytes of a path, bytes of a name in it (as in most file systems), and folders above a file. */
export const FILE_PATH_MAX_BYTES = 1_024
export const FILE_DEPTH_MAX = 32
/** An object is copied in pieces of this size with a pause after each: at most 64 MB a second. */
export const COPY_PIECE_BYTES = 262_144
export const COPY_REST_MS = 4
/**
 * Bytes of a thread in R2 that no file needs, above which uploads are refused: as much as its files may have by
 * default. The largest file can be replaced thirty times within it. Replacements by tools count too, but the limits of
 * a run bound them.
 */
export const FILE_LOOSE_MAX_BYTES = 1_073_741_824
/** Objects swept in one alarm. R2 deletes as many in one call. */
export const SWEEP_OBJECTS = 1_000
export const DELETE_KEYS_MAX = 1_000
/**
 * Bytes of large files that an isolate's tools hold at once: half of its 128 MB, because a document is copied when it
 * is sent to its reader. A slot is held for as long as read_file may take. `reserve` is the largest page, so that a
 * caller that holds nothing need not wait for callers that hold much. A caller waits for minutes before it gets an
 * error. The timeout of its call does not run meanwhile.
 */
export const FILE_READ_QUEUE = {
  bytes: 67_108_864,
  reserve: 16_777_216,
  timeoutMs: 300_000,
  heldMs: 60_000,
}
