// The limits of this folder: unit in the name, then reason and source.

/** Standard Webhooks: five minutes in both directions. */
export const WEBHOOK_TOLERANCE_S = 300
/** Longer than any sender retries (Standard Webhooks: about three days). */
export const DELIVERY_RETENTION_MS = 14 * 86_400_000
/** Signatures tried in one header, before any hashing. */
export const WEBHOOK_SIGNATURES_MAX = 10
/** Tries before a delivery whose run cannot be started is dead. */
export const DELIVERY_TRIES_MAX = 12
export const HOOK_TEMPLATE_MAX_CHARS = 16_384
/** Limits the copies of one rendering: each placeholder may contain the whole body. */
export const HOOK_PLACEHOLDERS_MAX = 100
/** Characters of a hook's name, which appears in lists. */
export const HOOK_NAME_MAX_CHARS = 100
/** Standard Webhooks: a secret has 24 to 64 bytes; ours have the length of the hash. */
export const WEBHOOK_SECRET_MIN_BYTES = 24
export const WEBHOOK_SECRET_MAX_BYTES = 64
export const WEBHOOK_SECRET_BYTES = 32
/** Visible ASCII; the deduplication key of a delivery. Known senders stay under 64. */
export const WEBHOOK_ID_MAX_CHARS = 255
/**
 * First wait after a delivery's run could not be started; doubles up to the cap. Also the shortest interval of the
 * alarm.
 */
export const DELIVERY_BACKOFF_MS = 5_000
/** How often a delivery checks whether its thread, or its hook's limit on runs, has room: runs take minutes. */
export const NO_ROOM_WAIT_MS = 15_000
/**
 * The same for the skills of its Worker: a push takes seconds. Longer than the shortest interval, so that other
 * deliveries come first.
 */
export const NOT_READY_WAIT_MS = 15_000
/** Skills that are missing after this time were never pushed; from then on each check counts as a try. */
export const NOT_READY_TIMEOUT_MS = 3_600_000
export const DELIVERY_BACKOFF_CAP_MS = 10 * 60_000
/** A thread accepts in milliseconds; one that hangs must not delay later deliveries. */
export const DELIVERY_START_TIMEOUT_MS = 30_000
/** Length of the stored reason why a delivery failed. */
export const DELIVERY_PROBLEM_MAX_CHARS = 500
