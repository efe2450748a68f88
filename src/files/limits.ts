// The numbers of this folder: unit in the name, then reason and source.

/** Of a path, a name in it (as most file systems), and folders above a file. */
export const FILE_PATH_MAX_BYTES = 1_024
export const FILE_DEPTH_MAX = 32
/** An object is copied in pieces of this size, with a rest after each: 64 MB a second at most. */
export const COPY_PIECE_BYTES = 262_144
export const COPY_REST_MS = 4
/**
 * What a thread has in R2 that no file needs, before it takes an upload: as much as its files by default. So the largest
 * can be replaced thirty times in that while. What tools replace counts, too, but is bounded by what a run may do.
 */
export const FILE_LOOSE_MAX_BYTES = 1_073_741_824
/** Objects swept in one alarm; R2 deletes as many in one call. */
export const SWEEP_OBJECTS = 1_000
export const DELETE_KEYS_MAX = 1_000
/**
 * Bytes of large files that an isolate's tools hold at once: half of its 128 MB, as a document is copied when it is sent to
 * its reader. A place is held for as long as read_file may take. `reserve`: the largest page, so that whoever holds nothing
 * need not wait for those who hold much. One waits for minutes before it is told so: its call's timeout does not run meanwhile.
 */
export const FILE_READ_QUEUE = {
  bytes: 67_108_864,
  reserve: 16_777_216,
  timeoutMs: 300_000,
  heldMs: 60_000,
}
