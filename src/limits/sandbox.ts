// Numbers about sandbox that several folders share: unit in the name, then reason and source.

/** The longest that one command may take: what the platform gives one call. */
export const SANDBOX_WALL_MAX_MS = 300_000
/** An isolate ends its job by itself within half a second of the limit; one that says nothing for this long is given up. */
export const SANDBOX_GRACE_MS = 5_000
/** What is shown of a command's output while it runs; all of it is in the result. */
export const SANDBOX_PROGRESS_CHARS = 65_536
/**
 * One command of a shell cannot pause; others wait for it. Sorting 300,000 lines takes half of this. With what a step may
 * take it stays under a second.
 */
export const BASH_STRETCH_MS = 700
