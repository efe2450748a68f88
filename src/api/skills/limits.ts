// The numbers of this folder: unit in the name, then reason and source.

/** Why an error is accepted: a sentence or two, kept with each finding of its rule. */
export const ACCEPT_REASON_MAX_CHARS = 500
/** Rules accepted for one skill; fewer than these can be. */
export const ACCEPT_MAX = 20
/** A packed skill: media hardly shrink, so it may be as large as the files; with them opened it fits an isolate (128 MB). */
export const ARCHIVE_BODY_MAX_BYTES = 33_554_432
