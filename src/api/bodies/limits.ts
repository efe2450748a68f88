// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum size of an ordinary JSON body. Chat requests are text, and an isolate has 128 MB of memory (Workers limits). */
export const REQUEST_BODY_MAX_BYTES = 1_048_576
/** How long no bytes of a body may arrive before it is refused. */
export const BODY_SILENCE_MAX_MS = 10_000
/** How long a body may take in total. At 2.5 Mbit/s, 32 MiB arrive in this time. */
export const BODY_DURATION_MAX_MS = 110_000
/**
 * Number of bytes that must arrive per BODY_SILENCE_MAX_MS: 26 kbit/s, which is slower than any connection in use. Without it, a single
 * byte now and then would be enough.
 */
export const BODY_WINDOW_MIN_BYTES = 32_768
/**
 * Memory of an isolate's 128 MB for small and for large bodies that are being read: about 1,000 ordinary messages of up to
 * SMALL_BODY_MAX_BYTES each, and two of the largest bodies or 64 long messages.
 */
export const SMALL_BODIES_TOTAL_MAX_BYTES = 16_777_216
export const LARGE_BODIES_TOTAL_MAX_BYTES = 67_108_864
export const SMALL_BODY_MAX_BYTES = 65_536
/** Memory that a body uses before its first byte arrives: the runtime's read buffer. */
export const BODY_MIN_MEMORY_BYTES = 4_096
/**
 * Factor by which the size of a hook's body is multiplied when memory is short, because only the entire body
 * authenticates its sender.
 */
export const HOOK_BODY_WEIGHT = 3
/**
 * Age and speed of a body that may lose its memory to another body of the same sender: at least this old, and slower than this.
 */
export const BODY_DISPLACEABLE_AFTER_MS = 2_000
export const BODY_DISPLACED_BELOW_BYTES_PER_S = 65_536
/**
 * Age from which a body that is read in a queue (publishes, files of a commit) may lose its slot to waiting requests, if its
 * average speed is below QUEUED_BODY_MIN_BYTES_PER_S.
 */
export const QUEUED_BODY_GRACE_MS = 10_000
