// Limits of skills:publish.

/** Number of concurrent uploads; browsers also open six connections to a host. */
export const SEND_CONCURRENT_UPLOADS_MAX = 6
/** Maximum length of a diff line, which people read; longer lines are truncated. */
export const DIFF_LINE_MAX_CHARS = 400
