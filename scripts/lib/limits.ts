// Limits that several commands share, with unit and reason.

/** How often longer work reports progress. */
export const PROGRESS_MS = 2_000
/** Directories and files read at once while building: more gains nothing. */
export const SCAN_CONCURRENCY = 16
/** The port of a local server, unless PORT says otherwise. */
export const START_PORT = 8_787
/** The end of wrangler's error output, which names the cause. */
export const WRANGLER_OUTPUT_MAX_CHARS = 600
