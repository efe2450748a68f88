// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Number of attempts after which a run that cannot be started has failed. */
export const START_ATTEMPTS_MAX = 12
/** The first pause after a failed attempt. It doubles up to START_PAUSE_MAX_MS. Also the shortest interval between alarms. */
export const START_FIRST_PAUSE_MS = 5_000
export const START_PAUSE_MAX_MS = 10 * 60_000
/** How often to check whether the thread, or the limit on runs, has a free slot. Runs take minutes. */
export const NO_SLOT_RECHECK_MS = 15_000
/**
 * How often to check whether the skills of the Worker have been pushed. A push takes seconds. This is longer than the
 * shortest interval, so that other runs are tried first.
 */
export const NOT_READY_RECHECK_MS = 15_000
/** Skills that are still missing after this time were never pushed; from then on, each check counts as an attempt. */
export const NOT_READY_TIMEOUT_MS = 3_600_000
/** Timeout for starting a run. A thread accepts a run in milliseconds. A thread that hangs must not delay later runs. */
export const START_TIMEOUT_MS = 30_000
/** Maximum length of the stored reason why a run could not be started. */
export const START_PROBLEM_MAX_CHARS = 500
/** How long the limits of the workspace are used before they are read again: as long as its settings. */
export const ALLOWANCE_MAX_AGE_MS = 30_000
/** The same while caps apply, which runs use up: a second of deliveries is promised at most after a cap is reached. */
export const CAPPED_ALLOWANCE_MAX_AGE_MS = 1_000
/** How long a delivery waits for the limits. Senders wait 5 to 30 s, and the run's start decides again. */
export const ALLOWANCE_TIMEOUT_MS = 2_000
/** Longest wait until a run that a cap stopped is tried again, in case an admin raises the cap. */
export const CAP_RETRY_MAX_MS = 5 * 60_000
