// The limits of this folder: unit in the name, then reason and source.

/** Size of the first buffer for a body. It doubles up to the requested maximum. */
export const BODY_FIRST_BYTES = 65_536
