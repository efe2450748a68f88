// The limits of this folder: unit in the name, then reason and source.

/** A thread is listed this long after its creation. If its first run has ended by then, one report covers both. */
export const LIST_DELAY_MS = 50
/** How long to wait for the workspace to grant a run slot. Without an answer by then, the run continues. */
export const SLOT_WAIT_MS = 1_000
/** How long past its wall time an open run still counts: its last writes, a restart, a slow clock. */
export const RUN_LEASE_MARGIN_MS = 120_000
/** The same for a queued run: each run before it may take minutes. */
export const QUEUED_LEASE_MS = 24 * 3_600_000
/**
 * How long a deletion waits for the model call that it stopped, so that its price is known. A stop takes milliseconds.
 */
export const STOP_WAIT_MS = 5_000
/** Runs queued for a busy thread (`on_busy: enqueue`). */
export const QUEUE_MAX = 20
/** Uploads named to the model with one message; the rest are counted. */
export const UPLOADS_LISTED_MAX = 20
/** Skills listed one by one when the catalog changed under a thread; the rest are counted. */
export const NOTICE_SKILLS_MAX = 100
