// Limits of this folder: unit in the name, then reason and source.

/** The longest pause before reconnecting. */
export const CLIENT_RETRY_CAP_MS = 5_000
/** Tries to start a run before the server counts as down: about two seconds, longer than a restart. */
export const CLIENT_START_TRIES = 4
/** Failed reconnects in a row, without a new event, before a stream is abandoned (about a minute). */
export const CLIENT_RESUME_TRIES = 16
/** Tries of a request to an overloaded server, and the longest pause between two, whatever the server asks for. */
export const SEND_TRIES = 6
export const SEND_WAIT_CAP_MS = 60_000
