// Limits of npm run check, with unit and reason.

/** The sum of all uploaded modules, each gzipped; assets are limited separately. A small Worker starts fast. */
export const UPLOAD_MAX_GZIP_BYTES = 700_000
/**
 * Minified bytes that the Worker evaluates before its first request: a tenth above the 1,190 KB of November 2026,
 * which took 166 ms of CPU time more than an empty Worker (`npm run bench -- --only start-worker`).
 */
export const START_MAX_BYTES = 1_310_000
