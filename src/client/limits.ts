// Limits of the API client.

/** Maximum pause before a reconnect or a retry. */
export const CLIENT_RETRY_CAP_MS = 5_000
/** Attempts to start a run before the server is considered down. They take about two seconds, longer than a restart. */
export const CLIENT_START_TRIES = 4
/** Consecutive reconnects without a new event before the client stops following a run (about a minute). */
export const CLIENT_RESUME_TRIES = 16
/** Maximum number of attempts to send a request to an overloaded server. */
export const SEND_TRIES = 6
/** Maximum pause between two of these attempts, even if the server asks for a longer one. */
export const SEND_WAIT_CAP_MS = 60_000
