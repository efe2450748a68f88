// Limits of this folder. Names end in the unit; a name without a unit is a count. Comments give the reason and the source.

/** Seconds a client waits before it retries while a Worker has no skills yet. `npm start` pushes them within two. */
export const NOT_READY_RETRY_S = 1
