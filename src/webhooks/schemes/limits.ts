// Limits of signature schemes. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum difference between a timestamp and the current time, in both directions (Standard Webhooks: five minutes). */
export const WEBHOOK_TIMESTAMP_TOLERANCE_S = 300
/** Maximum number of signatures in a header. It is checked before any hash is computed. */
export const WEBHOOK_SIGNATURES_MAX = 10
/**
 * Bounds of a secret's length (Standard Webhooks: 24 to 64 bytes). Secrets that we create are as long as the
 * hash.
 */
export const WEBHOOK_SECRET_MIN_BYTES = 24
export const WEBHOOK_SECRET_MAX_BYTES = 64
export const NEW_WEBHOOK_SECRET_BYTES = 32
/** Bounds of a secret that is used as text. Senders that create secrets use 16 characters or more. */
export const TEXT_SECRET_MIN_CHARS = 8
export const TEXT_SECRET_MAX_CHARS = 256
/** Maximum length of a header's name, of the text before a signature, and of what is signed, in the scheme `hmac`. */
export const HMAC_OPTION_MAX_CHARS = 100
/** Largest tolerance of a timestamp, in the scheme `hmac`: senders that sign a time send within minutes. */
export const HMAC_TOLERANCE_MAX_S = 3_600
/**
 * Maximum length of a webhook-id, by which deliveries are deduplicated. Known senders use fewer than 64
 * characters.
 */
export const WEBHOOK_ID_MAX_CHARS = 255
