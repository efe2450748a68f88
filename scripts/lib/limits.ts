// Limits that several commands share. Each name contains the unit; comments give the reason.

/** How often long tasks report progress. */
export const PROGRESS_INTERVAL_MS = 2_000
/** Directories and files that a build reads concurrently. Higher values are not faster. */
export const SCAN_CONCURRENCY = 16
/** The default port of a local server. */
export const DEFAULT_PORT = 8_787
/** Characters of wrangler's error output that are shown, from its end, which names the cause. */
export const WRANGLER_OUTPUT_MAX_CHARS = 600
