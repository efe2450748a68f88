// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** How often an isolate reports its error responses at most: a flood of errors costs six calls a minute, and a scrape is a minute late at most. */
export const ERRORS_REPORT_INTERVAL_MS = 10_000
