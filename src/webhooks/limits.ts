// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/**
 * How long deliveries are remembered: a captured delivery without a signed time could be sent again until then. Senders retry for
 * a few days at most.
 */
export const DELIVERY_RETENTION_MS = 90 * 86_400_000
/** Within this time, equal bytes of a sender that gives no IDs are the same delivery. Such senders retry within minutes. */
export const DELIVERY_REPEAT_WINDOW_MS = 300_000
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
