// Limits of the API client.

/** Maximum pause before a reconnect or a retry. */
export const CLIENT_RETRY_MAX_MS = 5_000
/** Attempts to start a run before the server is considered down. They take about two seconds, longer than a restart. */
export const CLIENT_START_ATTEMPTS_MAX = 4
/** Consecutive reconnects without a new event before the client stops following a run (about a minute). */
export const CLIENT_RECONNECTS_MAX = 16
/** Maximum number of attempts to send a request to an overloaded server. */
export const SEND_ATTEMPTS_MAX = 6
/** Maximum pause between two attempts to send a request, even if the server asks for a longer pause. */
export const SEND_RETRY_MAX_MS = 60_000
