// The limits of this folder. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

/** How long a run waits for a server that has accepted a call. Jobs that take longer need a tool that starts and one that polls. */
export const SERVER_WAIT_MAX_MS = 24 * 3_600_000
/**
 * When a server that does not say when to poll again is polled: after the first pause, and then whenever the wait has grown by
 * this fraction, but at least as often as the longest pause. So a result is late by at most a third of the wait.
 */
export const SERVER_POLL_FIRST_MS = 2_000
export const SERVER_POLL_GROWTH_FRACTION = 0.5
export const SERVER_POLL_MAX_MS = 30 * 60_000
/**
 * The shortest pause that a server may ask for, and the same as a fraction of the wait so far. With both, a server that
 * always asks for a second is polled about 800 times in a day.
 */
export const SERVER_POLL_MIN_MS = 1_000
export const SERVER_POLL_MIN_FRACTION = 0.01
