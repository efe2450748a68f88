// The numbers of this folder: unit in the name, then reason and source.

/** Seconds a client waits before it retries while a Worker has no skills yet. `npm start` pushes them within two. */
export const NOT_READY_RETRY_S = 1
