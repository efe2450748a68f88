// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum number of schedules of a workspace. A list shows them, and each costs at least a model call per time. */
export const SCHEDULES_MAX = 200
/** Maximum length of a schedule's name, which appears in lists. */
export const SCHEDULE_NAME_MAX_CHARS = 100
/** Maximum length of a schedule's message: what a person writes by hand, as for a webhook's template. */
export const SCHEDULE_MESSAGE_MAX_CHARS = 16_384
/**
 * The shortest time between two planned times of a schedule. A run may take longer, and a slip such as `* * * * *` would
 * otherwise cost 1,440 runs a day. What must be faster is an event, for which there are webhooks.
 */
export const SCHEDULE_INTERVAL_MIN_MS = 300_000
/**
 * Runs of a cron schedule start up to this long after the planned time, so that the schedules of one minute do not all
 * start in the same second. Shorter than SCHEDULE_INTERVAL_MIN_MS, so that the order of planned times is kept.
 */
export const SCHEDULE_JITTER_MAX_MS = 60_000
/**
 * A time that is handled later than this after its run should have started was missed. Restarts and deploys take
 * seconds, and late alarms are rarely a minute late.
 */
export const SCHEDULE_MISSED_AFTER_MS = 600_000
/** Maximum number of missed times that are counted one by one; a schedule every 5 minutes exceeds it after 8 hours. */
export const SCHEDULE_MISSED_COUNTED_MAX = 100
/** Maximum number of occurrences of a schedule that wait for their runs. More would only be older reports. */
export const SCHEDULE_WAITING_MAX = 10
/** Number of future times that a schedule shows. */
export const SCHEDULE_NEXT_SHOWN = 5
/** Maximum length of a cron expression or time zone. Real ones have at most a few dozen characters. */
export const SCHEDULE_RULE_MAX_CHARS = 200
