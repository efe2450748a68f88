// Limits of this folder.

/** Number of tools up to which a group is open, so that the next group is near. */
export const OPEN_TOOLS_MAX = 12
