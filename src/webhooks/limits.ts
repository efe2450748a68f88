// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/**
 * How long deliveries are remembered: a captured delivery without a signed time could be sent again until then. Senders retry for
 * a few days at most.
 */
export const DELIVERY_RETENTION_MS = 90 * 86_400_000
/** Within this time, equal bytes of a sender that gives no IDs are the same delivery. Such senders retry within minutes. */
export const DELIVERY_REPEAT_WINDOW_MS = 300_000
/** Number of attempts after which a delivery whose run cannot be started is dead. */
export const DELIVERY_ATTEMPTS_MAX = 12
export const HOOK_TEMPLATE_MAX_CHARS = 16_384
/**
 * Maximum number of placeholders in a template. Each may insert the entire body, so this limits the rendered
 * message.
 */
export const HOOK_PLACEHOLDERS_MAX = 100
/** Maximum length of a hook's name, which appears in lists. */
export const HOOK_NAME_MAX_CHARS = 100
/** Bounds of how long a replaced secret stays valid. The default gives an operator a day to change the sender. */
export const SECRET_OVERLAP_DEFAULT_S = 86_400
export const SECRET_OVERLAP_MAX_S = 604_800
/**
 * The first pause after a failure to start a delivery's run. It doubles up to DELIVERY_PAUSE_MAX_MS. Also the shortest
 * interval between alarms.
 */
export const DELIVERY_FIRST_PAUSE_MS = 5_000
/**
 * How often a delivery checks whether its thread, or its hook's limit on runs, has a free slot. Runs take
 * minutes.
 */
export const NO_SLOT_RECHECK_MS = 15_000
/**
 * How often a delivery checks whether the skills of its Worker have been pushed. A push takes seconds. This
 * is longer than the shortest interval, so that other deliveries are tried first.
 */
export const NOT_READY_RECHECK_MS = 15_000
/**
 * Skills that are still missing after this time were never pushed; from then on, each check counts as an
 * attempt.
 */
export const NOT_READY_TIMEOUT_MS = 3_600_000
export const DELIVERY_PAUSE_MAX_MS = 10 * 60_000
/**
 * Timeout for starting a run. A thread accepts a run in milliseconds. A thread that hangs must not delay later
 * deliveries.
 */
export const DELIVERY_START_TIMEOUT_MS = 30_000
/** Maximum length of the stored reason why a delivery failed. */
export const DELIVERY_PROBLEM_MAX_CHARS = 500
