// The numbers of this folder: unit in the name, then reason and source.

/** Seconds before a retry while a Worker has no skills yet: `npm start` pushes them in a second or two. */
export const NOT_READY_RETRY_S = 1
