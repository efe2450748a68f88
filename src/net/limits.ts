// Limits of this folder: unit in the name, then reason and source.

/** First buffer of a body; it doubles up to what the reader wants. */
export const BODY_FIRST_BYTES = 65_536
