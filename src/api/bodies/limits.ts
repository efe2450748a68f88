// The numbers of this folder: unit in the name, then reason and source.

/** A chat request is text; an isolate has 128 MB (Workers limits). */
export const REQUEST_BODY_MAX_BYTES = 1_048_576
/** A body that sends nothing for this long, or is not whole by then, is refused: a line of 2.5 Mbit/s brings 32 MiB in time. */
export const BODY_SILENT_MS = 10_000
export const BODY_TOTAL_MS = 110_000
/** Bytes that each BODY_SILENT_MS has to bring: 26 kbit/s, less than any line that is in use. Else a byte now and then keeps it. */
export const BODY_WINDOW_BYTES = 32_768
/**
 * What bodies that an isolate of 128 MB is reading may hold at once: small ones (each up to BODY_SMALL_MAX_BYTES, some 1,000
 * ordinary messages), and larger ones (two of the largest, or 64 long messages).
 */
export const BODIES_SMALL_MAX_BYTES = 16_777_216
export const BODIES_LARGE_MAX_BYTES = 67_108_864
export const BODY_SMALL_MAX_BYTES = 65_536
/** What a body holds before anything of it came: the buffer that the runtime reads into. */
export const BODY_LEAST_BYTES = 4_096
/** Who sends to a hook is known only once the body is there: while others need the room, it counts this many times. */
export const BODY_HOOK_WEIGHT = 3
/** Where all of that is one sender's, its own bodies that are older and came more slowly make room for its new ones. */
export const BODY_DISPLACED_MS = 2_000
export const BODY_FULL_PACE_BYTES_S = 65_536
/**
 * A body that is read in a queue (publishes, files of a commit) while others wait there: after this long it has to have
 * come with 2.5 Mbit/s, else it gives its place up.
 */
export const BODY_QUEUED_MS = 10_000
