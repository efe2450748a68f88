// Limits of this folder: unit in the name, then reason and source.

/** Why an error is accepted: a sentence or two, stored with each finding of its rule. */
export const ACCEPT_REASON_MAX_CHARS = 500
/** Rules accepted for one skill. Fewer rules can be accepted. */
export const ACCEPT_MAX = 20
/**
 * An archive of a skill: media hardly compress, so it may be as large as the files. Archive and files together fit an isolate
 * (128 MB).
 */
export const ARCHIVE_BODY_MAX_BYTES = 33_554_432
