// Limits of skills:publish, with unit and reason.

/** Concurrent uploads: as many connections as a browser opens to one host. */
export const SEND_CONCURRENCY = 6
/** A diff line is for people; longer ones are truncated. */
export const DIFF_LINE_MAX_CHARS = 400
