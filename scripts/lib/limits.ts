// Limits and defaults that several commands share. Names of durations and sizes end with the unit.

/** Interval at which long tasks report progress. */
export const PROGRESS_INTERVAL_MS = 2_000
/** Number of directories or files that a build reads concurrently. Higher values are not faster. */
export const SCAN_CONCURRENCY = 16
/** The default port of a local server. */
export const DEFAULT_PORT = 8_787
/** Maximum length of the shown part of wrangler's error output: its end, which names the cause. */
export const WRANGLER_OUTPUT_MAX_CHARS = 600
/** Number of attempts for a request to Cloudflare's API after temporary failures, the same as wrangler's. */
export const API_ATTEMPTS = 3
/** Pause in ms before the second attempt; before the third it is twice as long. */
export const API_RETRY_MS = 500
/** Timeout in ms for one request: an object of 25 MB over a slow connection takes minutes. */
export const API_TIMEOUT_MS = 300_000
/** Number of objects that are sent to R2 concurrently, the same as wrangler's. */
export const R2_CONCURRENCY = 20
