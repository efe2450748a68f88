// Every number of the commands, with unit and reason; those of the Worker stand in src/limits.ts.

/** Bounds of the walk that looks for skills: real collections nest to 5 and hold under 10,000 folders of skills. */
export const SCAN_MAX_DEPTH = 8
/** Folders visited in one walk, or files of one skill looked at. */
export const SCAN_MAX_ENTRIES = 20_000
/** Folders looked through in one that is left out, to count the skills in it: what is hidden there is most often not ours. */
export const UNSEEN_MAX_FOLDERS = 2_000
/** What takes longer says how far it is, this often. */
export const PROGRESS_MS = 2_000
/** A file changed less than this before it was read is read again next time: clocks of file systems tick up to 2 s. */
export const BUILD_CACHE_SETTLE_MS = 2_000
/** Scripts of a skill that would not run, and what one of them lacks: so many are shown, for hundreds of skills are checked at once. */
export const CHECK_SCRIPTS_SHOWN = 3
export const CHECK_LACKS_SHOWN = 4
/** Directories and files read at once while building: past this the disk gains nothing. */
export const SCAN_CONCURRENCY = 16
/** One bulk call when pushing a build: KV takes 10,000 entries or 100 MB; less, so that progress shows. */
export const PUSH_BATCH_ENTRIES = 500
export const PUSH_BATCH_BYTES = 20_971_520
/** Writes to the local stores at once: workerd gains nothing past this (measured: 4 → 297 a second, 32 → 528, 128 → 513). */
export const PUSH_CONCURRENCY = 32

// --- skills:add and skills:publish ------------------------------------------------------------------------------
/** A repository's archive as it is sent: skills of 52 real repositories have 258 MB together. It lies on disk, not in memory. */
export const ADD_DOWNLOAD_MAX_BYTES = 536_870_912
/** The same unpacked, counted as it streams: gzip can grow a thousandfold. */
export const ADD_UNPACKED_MAX_BYTES = 4_294_967_296
/** Entries of a repository or folder looked at; the largest collection has 12,000 files of skills, others much else beside. */
export const ADD_ENTRIES_MAX = 250_000
/** Bytes of the chosen skills, in memory at once: twice those of all 7,171 real skills. */
export const ADD_KEPT_MAX_BYTES = 536_870_912
/** A site's index: a thousand entries have under 1 MB. */
export const ADD_INDEX_MAX_BYTES = 4_194_304
/** Skills of one source that are looked at; the largest known collection has 2,451. */
export const ADD_SKILLS_MAX = 5_000
/** Lines on what a source has and does not offer, before the choice; --list shows all of them. */
export const ADD_PROBLEMS_SHOWN = 10
/** Browsers follow 20; honest downloads need two. */
export const ADD_REDIRECTS_MAX = 5
/** A server that is silent this long is given up; a whole download has ten minutes. */
export const ADD_SILENCE_MS = 30_000
export const ADD_TOTAL_MS = 600_000
/** Downloads of one site at once. */
export const ADD_CONCURRENCY = 6
/** Uploads at once: as many connections as a browser opens to one host. */
export const SEND_CONCURRENCY = 6
/** A diff line is for people; a longer one is cut. */
export const DIFF_LINE_MAX_CHARS = 400
// --- chat -----------------------------------------------------------------------------------------------------
/** Of an answer, what is held back until its block is complete; past this it is shown as it stands. Paragraphs have hundreds. */
export const CHAT_BLOCK_MAX_CHARS = 16_384
/** Columns of text: longer lines are hard to read, however wide the window. */
export const CHAT_WIDTH_MAX = 100
/** Messages that arrow up brings back, and the file they lie in between: weeks of work. */
export const CHAT_HISTORY_MAX = 500
export const CHAT_HISTORY_MAX_BYTES = 1_048_576
/** Skills and threads listed at once: a screenful; more are found by a word. */
export const CHAT_LIST_MAX = 20
/** npm hands on the signal that the terminal sent already: both within this are one Ctrl-C. */
export const CHAT_SIGNAL_MS = 250
/** Names of saved files: every disk takes 255 bytes, and a number must find room. */
export const SAVE_NAME_MAX_BYTES = 200
/** A name that is taken gets a number, up to this: more like it are a mistake. */
export const SAVE_NAMES_MAX = 1_000
// --- npm start ------------------------------------------------------------------------------------------------
export const START_PORT = 8_787
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
 * what they leave stay far below (docs/benchmarks.md).
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
/**
 * V8's half-space for young objects of one isolate. The local workerd bounds no isolate, and V8 would let each of the dozens
 * that commands and local stores are take 3 × 16 MB before it collects: 8 busy shells and both pools hold 1.0 GB instead of 1.5.
 */
export const WORKERD_YOUNG_MB = 2
// --- size -----------------------------------------------------------------------------------------------------
/** All uploaded modules, each gzipped, summed; assets are counted apart. A small Worker starts fast. */
export const UPLOAD_MAX_GZIP_BYTES = 700_000
// --- deploy ---------------------------------------------------------------------------------------------------
/** Of what wrangler complains of: its last words, which say what was wrong. */
export const WRANGLER_WORDS_MAX_CHARS = 600
/** A new workers.dev name resolves after a minute or two; a new version of a Worker is everywhere within seconds. */
export const READY_DEADLINE_MS = 240_000
/** How often the deployed Worker is asked, and how long one answer is waited for. */
export const READY_POLL_MS = 1_000
export const READY_REQUEST_MS = 10_000
