// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Size of the first buffer for a body. It doubles up to the requested maximum. */
export const BODY_FIRST_BUFFER_BYTES = 65_536
