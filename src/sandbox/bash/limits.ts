// Limits of this folder: the unit is in the name; the comment has the reason and the source.

/** Steps between two readings of the clock: some 20 µs of work, 2 ms where each step handles a long text. */
export const BASH_SLICE_STEPS = 500
/** How often a shell yields; nobody notices a hundredth of a second. */
export const BASH_REST_MS = 10
/** The same on platforms whose clock stops during computation: what takes some 50 ms. */
export const BASH_REST_STEPS = 1_000_000
/** How often a waiting shell reports activity: a tenth of the above. */
export const BASH_BEAT_MS = 70
/**
 * A shell without activity for this long was abandoned by its caller; one command blocks for a second at
 * most.
 */
export const BASH_SILENT_MS = 3_000
/** Time that a stopped shell may take to end; then it is ended by force. */
export const BASH_GRACE_MS = 200
export const BASH_GRACE_STEPS = 2_000_000
/** A job that ran this long may have left a hundred megabytes; collecting them takes a few milliseconds. */
export const BASH_COLLECT_MS = 250
/** Output is streamed in pieces of this size, or whenever the shell yields. */
export const BASH_PROGRESS_BYTES = 16_384
/** Share of a job's memory for one text, or for all data in one pipe. Several copies exist at once. */
export const BASH_TEXT_SHARE = 0.125
/** Deeper nesting of calls and shells comes close to the end of JavaScript's own stack. */
export const BASH_CALL_DEPTH = 400
/**
 * Nested scripts, however they are started. Each keeps a copy of the shell's state: unwinding thousands
 * blocks the isolate for seconds. Scripts that walk a folder tree reach a depth of about 30.
 */
export const BASH_SCRIPT_DEPTH = 100
/** Results of one `{1..n}`; each is a separate word. */
export const BASH_BRACES_MAX = 1_000_000
/** Lines by which two files may differ for `diff`: its work grows with their square, to some 200 ms here. */
export const BASH_DIFF_EDITS_MAX = 1_500
