// Limits of this folder: unit in the name, then reason and source.

/** Size of an ordinary JSON body. Chat requests are text, and an isolate has 128 MB of memory (Workers limits). */
export const REQUEST_BODY_MAX_BYTES = 1_048_576
/** How long a body may be silent before it is refused. */
export const BODY_SILENT_MS = 10_000
/** How long a body may take in total. At 2.5 Mbit/s, 32 MiB arrive in this time. */
export const BODY_TOTAL_MS = 110_000
/**
 * Number of bytes that must arrive per BODY_SILENT_MS: 26 kbit/s, which is slower than any connection in use. Otherwise a single byte
 * now and then would keep a body alive.
 */
export const BODY_WINDOW_BYTES = 32_768
/**
 * Memory of an isolate's 128 MB for small and for large bodies that are being read: about 1,000 ordinary messages of up to
 * BODY_SMALL_MAX_BYTES each, and two of the largest bodies or 64 long messages.
 */
export const BODIES_SMALL_MAX_BYTES = 16_777_216
export const BODIES_LARGE_MAX_BYTES = 67_108_864
export const BODY_SMALL_MAX_BYTES = 65_536
/** Memory that a body uses before its first byte arrives: the runtime's read buffer. */
export const BODY_LEAST_BYTES = 4_096
/** Factor by which a hook's body counts when memory is short, because only the complete body authenticates its sender. */
export const BODY_HOOK_WEIGHT = 3
/** Age from which a body may give way to another body of the same sender, if it is slower than BODY_FULL_PACE_BYTES_S. */
export const BODY_DISPLACED_MS = 2_000
export const BODY_FULL_PACE_BYTES_S = 65_536
/**
 * Age from which a body that is read in a queue (publishes, files of a commit) loses its slot to waiting requests if its average
 * speed is below 2.5 Mbit/s.
 */
export const BODY_QUEUED_MS = 10_000
