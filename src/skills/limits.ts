// The limits of this folder. Each name contains the unit; comments give the reason and the source.

/** Seconds a client waits before it retries while a Worker has no skills yet. `npm start` pushes them within two. */
export const NOT_READY_RETRY_S = 1
