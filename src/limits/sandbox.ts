// Limits of the sandbox that several folders share. Each name contains the unit; comments give the reason and the
// source.

/** Time limit of one command, which is the platform's limit of one call. */
export const SANDBOX_WALL_MAX_MS = 300_000
/** How long after its time limit an isolate is abandoned. One that works ends its job within half a second. */
export const SANDBOX_GRACE_MS = 5_000
/** Characters of a running command's output that are shown. The result contains all of it. */
export const SANDBOX_PROGRESS_CHARS = 65_536
/**
 * How long one shell command may run. It cannot yield, so other requests wait: together with one step, for less than a
 * second. Sorting 300,000 lines takes half of this.
 */
export const BASH_STRETCH_MS = 700
