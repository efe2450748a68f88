// Every number of npm start, with unit and reason.

/** A new `npm start` waits this long for one whose npm was just killed: it takes half a second to notice. */
export const START_HANDOVER_MS = 3_000
/** How often the server is asked, and looked at while it owes an answer. */
export const HEALTH_POLL_MS = 500
/** Own time of a server that owes an answer: so long while it computes (a commit of 500 skills takes seconds) … */
export const HEALTH_BUSY_SILENCE_MS = 20_000
/** … and so long while it does nothing: then there is nothing to wait for. */
export const HEALTH_IDLE_SILENCE_MS = 3_000
/** Share of its own time between two looks that a process runs to count as computing; a hung one stays under 1 %. */
export const HEALTH_BUSY_SHARE = 0.1
/** A look that comes this late was missed by who looks: what went on meanwhile counts for nobody. */
export const HEALTH_LATE_MS = 2_000
/** An announced call into an isolate may be this late in workerd's own time: its end has to be told … */
export const CALL_GRACE_MS = 500
/** … and so late when workerd waited for a processor meanwhile: a second more for the restart, and 5 s are kept. */
export const CALL_STARVED_MAX_MS = 3_000
/** Own time without a sign of life before a late call is what holds it up: honest crowds keep /healthz for 0.6 s at most. */
export const CALL_SILENCE_MS = 1_500
/** A call that is so late while workerd answers waits for something, or its end was not told. */
export const CALL_LATE_KEPT_MS = 30_000
/**
 * Memory of workerd at which it is started again: what its engine holds for all isolates together ends at 4 GB. Shells and
 * what they leave stay far below (docs/benchmarks/soak.md).
 */
export const WORKERD_MEMORY_MB = 3_000
/** Calls into isolates that are under way then have so long to end: most take less, and a full engine lasts about that long. */
export const MEMORY_DRAIN_MS = 10_000
/** How long a call that was stopped is not tried again: longer than any run and its recoveries. */
export const STOPPED_CALL_MS = 4 * 3_600_000
/** Names of them that are remembered; each costs its server a restart, so few are ever there. */
export const STOPPED_CALLS_MAX = 1_000
/** Of a call's name in a line of the terminal. */
export const CALL_KEY_SHOWN_CHARS = 100
/** One request of `npm start` to its own Worker; a busy one is asked again. */
export const REGISTER_TIMEOUT_MS = 2_000
/** Silence of a server process on its first start: each skill built and each batch pushed is a word. */
export const START_DEADLINE_MS = 60_000
/** The same when it is started again and finds everything in place: about a second, a few on a busy machine. */
export const RESTART_DEADLINE_MS = 15_000
/** The runtime restarts itself in under a second; past this the whole server process is replaced. */
export const RECOVER_DEADLINE_MS = 2_500
/** A thousand unfinished runs are read and begun again in a few seconds. */
export const WAKE_TIMEOUT_MS = 60_000
export const STOP_DEADLINE_MS = 3_000
/** Waits between deaths without one answer in between: they double from the first up to the cap, without end. */
export const RESTART_BACKOFF_MS = 250
export const RESTART_BACKOFF_CAP_MS = 30_000
/** Server processes that end by themselves without a word before one ever answered: after so many it is no accident. */
export const START_ENDS_MAX = 5
/** A killed workerd breaks what needs it a moment before its end is known. */
export const WORKERD_GONE_MS = 500
/** Editors write a file in several steps; still far below the promised second. */
export const WATCH_DEBOUNCE_MS = 100
/** File watchers miss changes on some file systems: a look at sizes and times, of a bounded number of files. */
export const RESCAN_MS = 2_000
export const RESCAN_MAX_FILES = 20_000
/** Threads that were written to in the last minute before that are asked, too: a run may be theirs that nobody wrote down yet. */
export const WAKE_CHANGED_MS = 60_000
