// Limits of this folder.

/** Skills suggested in an empty thread: as many as one glance takes in. */
export const IDEAS = 4
