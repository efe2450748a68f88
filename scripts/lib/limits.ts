// Numbers that several commands share, with unit and reason.

/** What takes longer says how far it is, this often. */
export const PROGRESS_MS = 2_000
/** Directories and files read at once while building: past this the disk gains nothing. */
export const SCAN_CONCURRENCY = 16
/** Where a server of this machine listens unless PORT says otherwise. */
export const START_PORT = 8_787
/** Of what wrangler complains of: its last words, which say what was wrong. */
export const WRANGLER_OUTPUT_MAX_CHARS = 600
