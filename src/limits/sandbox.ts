// Limits of the sandbox that several folders share: unit in the name, then reason and source.

/** The time limit of one command: the platform's limit of one call. */
export const SANDBOX_WALL_MAX_MS = 300_000
/** An isolate ends its job within half a second of the limit. After this silence it is abandoned. */
export const SANDBOX_GRACE_MS = 5_000
/** Characters of a running command's output that are shown; the result has all of it. */
export const SANDBOX_PROGRESS_CHARS = 65_536
/**
 * A shell command cannot yield, so other requests wait. Sorting 300,000 lines takes half of this. Together with one step it
 * stays under a second.
 */
export const BASH_STRETCH_MS = 700
