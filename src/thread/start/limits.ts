// The limits of this folder. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

/**
 * How long after its creation a thread is listed. If its first run has ended by then, one report covers both.
 */
export const LIST_DELAY_MS = 50
/**
 * How long to wait until the workspace grants a run slot. If it does not respond in time, the run continues.
 */
export const SLOT_TIMEOUT_MS = 1_000
/** How long the first request of a new thread is assumed to be when its run asks for a lease: Satchel's prompt and a message. */
export const FIRST_REQUEST_TOKENS = 6_000
/** How often a queued run of a hook or schedule asks again while a cap is reached: an admin may raise the cap meanwhile. */
export const CAP_RECHECK_MS = 60_000
/**
 * How long after its time limit an open run still counts as active, to allow for its last writes, a restart, or a slow
 * clock.
 */
export const RUN_LEASE_MARGIN_MS = 120_000
/** How long a queued run counts as queued: each run before it may take minutes. */
export const QUEUED_LEASE_MS = 24 * 3_600_000
/**
 * How long a deletion waits for the model call that it stopped, so that the call's price is known. Stopping
 * takes milliseconds.
 */
export const STOP_TIMEOUT_MS = 5_000
/** How long a client should wait before it asks again for a thread whose run waits for a server: jobs take minutes. */
export const SERVER_WAIT_RETRY_S = 30
/** Maximum number of runs that are queued for a busy thread (`on_busy: enqueue`). */
export const QUEUED_RUNS_MAX = 20
/**
 * Number of queued runs at which a hook or schedule learns that the thread has room again: early enough that the queue does
 * not run empty meanwhile, and late enough that it starts several runs each time.
 */
export const QUEUED_RUNS_ROOM = 10
/**
 * Maximum length of the messages that wait to join a run, as JSON: four of the longest. If it ends before, they become
 * the request of one run, which has to fit into a row.
 */
export const STEERED_MAX_CHARS = 1_048_576
/**
 * Maximum number of skills listed for the model when the catalog has changed. The remaining skills are only
 * counted.
 */
export const NOTICE_SKILLS_MAX = 100
