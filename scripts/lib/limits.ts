// Limits and defaults that several commands share. Names of durations and sizes end with the unit.

/** Interval at which long tasks report progress. */
export const PROGRESS_INTERVAL_MS = 2_000
/** Number of directories or files that a build reads concurrently. Higher values are not faster. */
export const SCAN_CONCURRENCY = 16
/** The default port of a local server. */
export const DEFAULT_PORT = 8_787
/** Maximum length of the shown part of wrangler's error output: its end, which names the cause. */
export const WRANGLER_OUTPUT_MAX_CHARS = 600
