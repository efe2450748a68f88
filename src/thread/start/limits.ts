// The numbers of this folder: unit in the name, then reason and source.

/** A thread is listed this long after its birth: one whose first run is over by then is reported with it, once. */
export const LIST_DELAY_MS = 50
/** A workspace that does not say in this time whether a key may have a run more is not waited for: the run goes on. */
export const SLOT_WAIT_MS = 1_000
/** What an open run may take beyond its wall time before it is no longer counted: its last writes, a restart, a slow clock. */
export const RUN_LEASE_MARGIN_MS = 120_000
/** The same of one that waits in line: those before it have minutes each. */
export const QUEUED_LEASE_MS = 24 * 3_600_000
/** A thread that is deleted waits this long for the call that it stopped, so that its price is known: a stop takes milliseconds. */
export const STOP_WAIT_MS = 5_000
/** Runs waiting behind a busy thread (`on_busy: enqueue`). */
export const QUEUE_MAX = 20
/** Uploads named to the model with one message; the rest is counted. */
export const UPLOADS_LISTED_MAX = 20
/** Skills told of one by one when the catalog changed under a thread; the rest is counted. */
export const NOTICE_SKILLS_MAX = 100
