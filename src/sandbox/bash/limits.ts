// The numbers of this folder: unit in the name, then reason and source.

/** Between two looks at the clock inside a command: some 20 µs of work, 2 ms where each step handles a long text. */
export const BASH_SLICE_STEPS = 500
/** A shell lets others in this often; a hundredth of a second is not felt. */
export const BASH_REST_MS = 10
/** The same where the clock stands still while nothing is waited for: what takes some 50 ms. */
export const BASH_REST_STEPS = 1_000_000
/** While a shell waits it is seen that nobody waits for it: a tenth of the above. */
export const BASH_BEAT_MS = 70
/** A shell that gave no sign of life for so long was left by its caller; one command stops for a second at most. */
export const BASH_SILENT_MS = 3_000
/** What a shell that is told to end may still take; then it is ended wherever it is. */
export const BASH_GRACE_MS = 200
export const BASH_GRACE_STEPS = 2_000_000
/** A job that took so long may have left a hundred megabytes; to collect them takes a few milliseconds. */
export const BASH_COLLECT_MS = 250
/** Output is told on in pieces of this size, or at a rest. */
export const BASH_PROGRESS_BYTES = 16_384
/** Of the bytes that a job may hold: one text, or all that passes through one pipe. Copies of it exist at once. */
export const BASH_TEXT_SHARE = 0.125
/** Deeper ones, of calls and of shells in shells, come near the end of JavaScript's own stack. */
export const BASH_CALL_DEPTH = 400
/**
 * Scripts within scripts, by whatever way they are started. Each keeps a copy of the shell's state: of thousands the end
 * takes seconds in which nobody is let in. Honest ones that go down a tree of folders are 30 deep.
 */
export const BASH_SCRIPT_DEPTH = 100
/** Results of one `{1..n}`, of which each is a word of its own. */
export const BASH_BRACES_MAX = 1_000_000
/** Lines by which two files may differ for `diff`: its work grows with their square, to some 200 ms here. */
export const BASH_DIFF_EDITS_MAX = 1_500
