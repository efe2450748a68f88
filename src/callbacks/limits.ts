// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Endpoints of one workspace. The Workspace object compares each run that ends with all of them. */
export const ENDPOINTS_MAX = 20
/**
 * The pauses before the second and later attempts, in milliseconds: 11 attempts in 72 hours, so that a receiver that is
 * down for a weekend still gets its events. Each pause is up to CALLBACK_JITTER longer.
 */
export const CALLBACK_PAUSES_MS: readonly number[] = [
  5_000,
  60_000,
  ...[5 / 60, 0.5, 2, 5, 10, 14, 20, 20.4].map((hours) => Math.round(hours * 3_600_000)),
]
/** The share by which a pause may grow, so that events that failed together are not all sent again together. */
export const CALLBACK_JITTER = 0.1
/** A receiver that needs longer should answer first and work later. Standard Webhooks recommends 15 to 30 s. */
export const CALLBACK_TIMEOUT_MS = 15_000
/** How much of a response is read; only its status matters. */
export const CALLBACK_RESPONSE_MAX_BYTES = 1_024
/** How many events of one endpoint are sent at the same time. The platform allows an object 6 open requests. */
export const CALLBACKS_AT_ONCE = 4
/** How long one alarm sends before the next one continues. The platform ends an alarm after 15 minutes. */
export const CALLBACK_PASS_MAX_MS = 120_000
/** The shortest pause between two alarms of an endpoint. */
export const CALLBACK_ALARM_PAUSE_MS = 1_000
/** An endpoint that has only failed for this long is disabled. It is longer than the attempts of one event. */
export const ENDPOINT_FAILING_MAX_MS = 5 * 86_400_000
/** How long the log keeps an event that is no longer sent, and how many of them. Each takes about 3 KB. */
export const CALLBACK_LOG_RETENTION_MS = 30 * 86_400_000
export const CALLBACK_LOG_MAX = 5_000
/** Events that wait for one endpoint. Further ones are only logged, so that a receiver that is down cannot fill the disk. */
export const CALLBACKS_WAITING_MAX = 10_000
/** Maximum length of the stored reason why an attempt failed. */
export const CALLBACK_PROBLEM_MAX_CHARS = 300
/**
 * Pause before an event is tried again whose signing secret cannot be read, in milliseconds: an operator sets another key
 * within minutes.
 */
export const UNREADABLE_RECHECK_MS = 300_000
