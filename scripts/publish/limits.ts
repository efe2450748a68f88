// Every number of skills:publish, with unit and reason.

/** Uploads at once: as many connections as a browser opens to one host. */
export const SEND_CONCURRENCY = 6
/** A diff line is for people; a longer one is cut. */
export const DIFF_LINE_MAX_CHARS = 400
