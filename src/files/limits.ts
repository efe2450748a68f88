// The limits of this folder. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

/** Length of a path. */
export const FILE_PATH_MAX_BYTES = 1_024
/** Number of names in a path, including that of the file. */
export const FILE_DEPTH_MAX = 32
/** Objects are copied in pieces of COPY_PIECE_BYTES with a pause of COPY_PAUSE_MS after each: at most 64 MB per second. */
export const COPY_PIECE_BYTES = 262_144
export const COPY_PAUSE_MS = 4
/**
 * Maximum number of bytes of a thread in R2 that no file needs. Above this limit, uploads are refused. It equals the default quota for a thread's files, so
 * the largest file can be replaced thirty times. Replacements by tools count too, but are never refused, because the limits of a run
 * bound them.
 */
export const FILE_LOOSE_MAX_BYTES = 1_073_741_824
/**
 * How much of the contents that a program changed is stored as rows, which are in memory until the call ends. The
 * rest is stored in R2.
 */
export const REWRITE_INLINE_TOTAL_MAX_BYTES = 16_777_216
/** Number of objects that one alarm sweeps. */
export const SWEPT_OBJECTS_MAX = 1_000
/** Number of keys that R2 deletes in one call (R2 limits). */
export const DELETED_KEYS_MAX = 1_000
/**
 * The queue for large files that tools in one isolate read. `capacity` is the memory in bytes: half of the isolate's 128 MB, because a
 * document is copied when it is sent to its reader. `reservedForOthers` is the size of the largest page, so that a key that holds
 * nothing need not wait for keys that hold much. `slotIdleMaxMs` is as long as read_file may take. A call waits for minutes before it
 * fails; its timeout does not run during the wait.
 */
export const FILE_READ_QUEUE = {
  capacity: 67_108_864,
  reservedForOthers: 16_777_216,
  waitMaxMs: 300_000,
  slotIdleMaxMs: 60_000,
}
