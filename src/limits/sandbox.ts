// Limits of the sandbox that several folders share. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Time limit of one command, which is the platform's limit of one call. */
export const SANDBOX_WALL_MAX_MS = 300_000
/** How long after its time limit an isolate is abandoned. An isolate that still responds ends its job within half a second. */
export const SANDBOX_GRACE_MS = 5_000
/** Maximum length of a running command's output that is shown. The result contains the complete output. */
export const SANDBOX_PROGRESS_MAX_CHARS = 65_536
/**
 * How long one shell command may run. It cannot yield, so other requests wait for it: less than a
 * second, including one step. Sorting 300,000 lines takes half of this.
 */
export const BASH_STRETCH_MS = 700
