// The numbers of this folder: unit in the name, then reason and source.

/** A body grows in memory from this size, doubling up to what its reader takes. */
export const BODY_FIRST_BYTES = 65_536
