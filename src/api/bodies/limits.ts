// Limits of this folder: unit in the name, then reason and source.

/** A chat request is text; an isolate has 128 MB (Workers limits). */
export const REQUEST_BODY_MAX_BYTES = 1_048_576
/** A body that is silent for this long, or incomplete after the total time, is refused: 2.5 Mbit/s bring 32 MiB in time. */
export const BODY_SILENT_MS = 10_000
export const BODY_TOTAL_MS = 110_000
/**
 * Bytes required per BODY_SILENT_MS: 26 kbit/s, slower than any connection in use. Without it, one byte now and then would keep
 * a body alive.
 */
export const BODY_WINDOW_BYTES = 32_768
/**
 * Memory for bodies being read, of an isolate's 128 MB: small ones (up to BODY_SMALL_MAX_BYTES each, about 1,000 ordinary
 * messages), and larger ones (two of the largest, or 64 long messages).
 */
export const BODIES_SMALL_MAX_BYTES = 16_777_216
export const BODIES_LARGE_MAX_BYTES = 67_108_864
export const BODY_SMALL_MAX_BYTES = 65_536
/** Memory of a body before its first byte: the runtime's read buffer. */
export const BODY_LEAST_BYTES = 4_096
/** The weight of a hook's body while others need memory: its sender is authenticated only by the complete body. */
export const BODY_HOOK_WEIGHT = 3
/** If one sender holds all of it, its older and slower bodies give way to its new ones. */
export const BODY_DISPLACED_MS = 2_000
export const BODY_FULL_PACE_BYTES_S = 65_536
/**
 * A body read in a queue (publishes, files of a commit) while others wait: after this time its average must be 2.5 Mbit/s, or it
 * loses its slot.
 */
export const BODY_QUEUED_MS = 10_000
