// Numbers of this folder, with unit and reason.

/** Skills that an empty thread shows as ideas: what is read at a glance. */
export const IDEAS = 4
