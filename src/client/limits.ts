// The numbers of this folder: unit in the name, then reason and source.

/** The longest wait before a dropped connection is opened again. */
export const CLIENT_RETRY_CAP_MS = 5_000
/** Tries to start a run before the server counts as not running: about two seconds, longer than a restart. */
export const CLIENT_START_TRIES = 4
/** A stream that cannot be opened again this many times in a row, without one new event, is given up (about a minute). */
export const CLIENT_RESUME_TRIES = 16
/** Tries of one request that a server was too busy for, and the longest wait between two, whatever it asks for. */
export const SEND_TRIES = 6
export const SEND_WAIT_CAP_MS = 60_000
