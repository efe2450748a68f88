// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum length of what an action names: a hook's ID with a delivery's, or a skill's name with a digest. */
export const AUDIT_TARGET_MAX_CHARS = 300
/** Maximum length of a field's value before and after, as JSON: a URL or a list of tools. Longer ones become their SHA-256. */
export const AUDIT_VALUE_MAX_CHARS = 300
