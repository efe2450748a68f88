// Every number Satchel enforces: unit in the name, then reason and source.

// --- requests -------------------------------------------------------------------------------------------------
/** A chat request is text; an isolate has 128 MB (Workers limits). */
export const REQUEST_BODY_MAX_BYTES = 1_048_576
/** JSON.stringify and zod overflow far above this; honest bodies stay far below. */
export const JSON_MAX_DEPTH = 32
/** One user message; with JSON growth it stays under the 2 MB row limit of Durable Object SQLite. */
export const MESSAGE_MAX_BYTES = 262_144
/** Contract: visible ASCII. */
export const IDEMPOTENCY_KEY_MAX_CHARS = 255
/** Contract: a retried request finds its first run this long. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 3_600_000
/** Contract: pairs of metadata on a thread or request. */
export const METADATA_MAX_PAIRS = 16
export const METADATA_MAX_CHARS = 512
/** All pairs of a thread's metadata, as JSON: the workspace holds it for each of its threads, and lists pages of them. */
export const METADATA_MAX_BYTES = 4_096
/** Keys of metadata and context: names, not texts. */
export const PAIR_KEY_MAX_CHARS = 64
/** One entry of a request's context: a page's worth of text; more belongs into the message. */
export const CONTEXT_MAX_CHARS = 16_384
/** Names of tools and groups: the API's own limit on a tool's name. */
export const TOOL_NAME_MAX = 64
/** Tools and groups that a request chooses; more than a workspace can have switched on. */
export const TOOLS_NAMED_MAX = 300
/** Skills that one thread's allow-list names; above any real catalog's size. */
export const ALLOW_MAX_NAMES = 1_000
/** A title is one line in a list. */
export const TITLE_MAX_CHARS = 200
/** The user a key or a hook acts for: an id or an address of the team's own system. */
export const USER_MAX_CHARS = 200
/** Notes on keys and on published versions are read in lists. */
export const KEY_NOTE_MAX_CHARS = 500
export const PUBLISH_NOTE_MAX_CHARS = 2_000
/** Why an error is accepted: a sentence or two, kept with each finding of its rule. */
export const ACCEPT_REASON_MAX_CHARS = 500
/** Rules accepted for one skill; fewer than these can be. */
export const ACCEPT_MAX = 20
/** A model's name; the longest known have under 64. */
export const MODEL_NAME_MAX_CHARS = 128
/** Live versions that one rollback may go back; more are pinned by digest. */
export const ROLLBACK_MAX_STEPS = 1_000
/** Fields named in one refusal; whoever has more wrong fixes these first. */
export const FIELD_ERRORS_MAX = 20
/** Findings named in one refusal of skills: whoever publishes wants them all at once. One skill has under 350, in 100 KB or so. */
export const REFUSAL_FINDINGS_MAX = 500
/** A credential in one header; ours have under 200. */
export const BEARER_MAX_CHARS = 512
/** JSON mode answers 202 past this (contract); edges drop silent responses after about five minutes. */
export const JSON_WAIT_MS = 280_000
/** How long a key that went over its limit on requests is refused; the limit itself is in wrangler.toml. */
export const RATE_BLOCK_MS = 10_000
export const RATE_BLOCKED_KEYS = 10_000
/** Browsers ask this seldom whether pages may ask; what they may is as good as fixed. Chrome keeps at most two hours. */
export const PREFLIGHT_S = 7_200
export const PAGE_DEFAULT = 20
export const PAGE_MAX = 100
/** A watcher of this process answers in a millisecond or two; one that is away holds nobody up for longer than this. */
export const WATCHER_ANSWER_MS = 1_000
/** A verified key is trusted this long in one isolate before it is looked up again: the bound on revocation. */
export const KEY_CACHE_MS = 30_000
export const KEY_CACHE_ENTRIES = 1_000
/**
 * Deleted threads that a workspace remembers, the newest: a report that is overtaken by so many deletions is not on its way
 * any more. With REPORTS_UNDER_WAY_MS alone one key could leave sixty million rows in a week.
 */
export const FORGOTTEN_THREADS_MAX = 100_000
/** Counted runs of one thread that a workspace remembers, the newest: a thread reports one run after the other. */
export const COUNTED_RUNS_MAX = 16
/**
 * Calls of one owner that a workspace lists as waiting, the first that asked: more than a person decides in a week. Each is
 * some kilobytes; those past it are shown by their threads.
 */
export const APPROVALS_LISTED_MAX = 1_000
/** Revoked keys that stay listed: more than any team makes by hand; a script that turns keys over must not fill a list. */
export const REVOKED_KEYS_MAX = 10_000
/** The longest retention that can be set: ten years, past which "keep" is what is meant. */
export const RETENTION_DAYS_MAX = 3_650
/**
 * A report of a thread that was sent twice arrives within this: no call lives so long, and a machine that died between
 * two of them is seldom off for longer. Until then the workspace remembers which runs it counted and which threads are
 * deleted.
 */
export const REPORTS_UNDER_WAY_MS = 7 * 24 * 3_600_000
/** A message is counted this long after it was let through: counting must not stand before its answer. */
export const RATE_COUNT_DELAY_MS = 50

/**
 * First messages that are on their way at once in an isolate: each makes a database, 4 ms during which nothing else is
 * served. Eight keep it busy; 500 at once made it stand still for two seconds. Each that waits holds its body, mostly small,
 * in memory; 500 begin in ten seconds of a processor, and edges wait 100.
 */
export const BIRTH_LINE = { width: 8, room: 2_000, each: 500, patienceMs: 60_000, heldMs: 10_000 }
/** Long work rests after so many units of about a microsecond, as counted: others wait a few hundredths of a second. */
export const STEPS_UNITS_AT_ONCE = 20_000

// --- events ---------------------------------------------------------------------------------------------------
/** Event numbers promised durably at a time; after a crash `step.restarted` covers what is left of the block. */
export const SEQ_BLOCK = 4_096
/** Edges drop a silent response after minutes; readers see life well before. */
export const SSE_PING_MS = 15_000
/** Bounds how long a revoked key keeps reading and lets deploys drain (contract: 15 minutes). */
export const SSE_LIFE_MS = 15 * 60_000
/** A reader this far behind is cut off and resumes from the log. */
export const SSE_QUEUE_MAX_BYTES = 1_048_576
/** The same for all readers of an isolate together, which has 128 MB; past it whoever is the most behind is cut off. */
export const READERS_QUEUED_MAX_BYTES = 67_108_864
/** Handed over at once to whoever reads: a few hundred frames, and nothing that one would notice to be copied. */
export const SSE_CHUNK_BYTES = 65_536
export const SSE_READERS_MAX = 256
/**
 * Streams of one key that an isolate serves: five times the runs that a key may have going (RUNS_PER_KEY). Each takes some
 * 100 KB, and two of the descriptors of a local server, which ends when it has none left.
 */
export const SSE_KEY_STREAMS_MAX = 1_000
export const SSE_RETRY_MS = 2_000
/** Reading page of the event log: rows pulled into memory at once. */
export const EVENT_PAGE_ROWS = 100

// --- runs -----------------------------------------------------------------------------------------------------
/** Default limits of a run (promise 10); a request may lower or, up to the MAX, raise them. */
export const RUN_STEPS = 25
export const RUN_STEPS_MAX = 200
export const RUN_TOKENS = 1_000_000
export const RUN_TOKENS_MAX = 20_000_000
export const RUN_USD = 2
export const RUN_USD_MAX = 100
export const RUN_TOOL_CALLS = 100
export const RUN_TOOL_CALLS_MAX = 1_000
export const RUN_WALL_S = 600
export const RUN_WALL_S_MAX = 7_200
/** Bounds a run that kills its object each time it wakes; never reset by progress. */
export const RUN_RECOVERIES = 10
/** Deaths while a run merely waited for the model: deploys and others' crashes, not its doing; each costs what it may have used by then. */
export const RUN_INTERRUPTED_WAITS = 100
/** Model calls that failed in a row and may be tried again within one step. */
export const STEP_RETRIES = 4
/** Tool calls of one model message that are executed; the rest get an error result. */
export const STEP_TOOL_CALLS = 32
/** `pause_turn` continuations in a row. */
export const PAUSE_TURN_MAX = 5
/** Same tool and same input in one run: a warning at the first number, the end of the loop at the second. */
export const REPEAT_WARN = 3
export const REPEAT_STOP = 5
/** Alarm that looks after an unfinished run; objects are evicted after 70–140 s without one. */
export const WATCHDOG_MS = 30_000
/**
 * A model call whose object died was over this long after it was last known to go on: alive, the object would have said so at
 * its next alarm. A busy machine fires one seconds late.
 */
export const DEATH_NOTICED_MS = WATCHDOG_MS + 5_000
/** A row of Durable Object SQLite holds 2 MB; a UTF-16 unit is at most 3 bytes of UTF-8. Longer contents are split. */
export const MESSAGE_ROW_MAX_CHARS = 500_000
/** JSON in a thread's rows: above any honest input, far below the depth at which what comes after parsing overflows. */
export const STORED_MAX_DEPTH = 512
/** Names of tools that a receipt lists: more than any thread is given; calls of made-up names are answered and counted, too. */
export const RECEIPT_TOOLS_MAX = 100
/** What is kept of the reason of a run whose whole last event cannot be written. */
export const SHORT_DETAIL_CHARS = 500
/** What could not be told to the workspace, or not begun, is tried again after this. */
export const REPORT_RETRY_MS = 5_000
/** A thread is listed this long after its birth: one whose first run is over by then is reported with it, once. */
export const LIST_DELAY_MS = 50
/** Runs of one key at once and waiting, unless the Worker's variables of that name say otherwise: one key fills no machine. */
export const RUNS_PER_KEY = 200
export const QUEUED_PER_KEY = 1_000
/** A run ends within minutes: soon enough to try again, too late to hammer. */
export const TOO_MANY_RUNS_RETRY_S = 5
/** An approved or queued run asks this often for its place among its key's runs, those far behind less often ... */
export const RESUME_RETRY_MS = 1_000
export const RESUME_RETRY_CAP_MS = 30_000
/** ... and one that did not ask for this long waits no more: three times the longest gap between two asks. */
export const RESUME_SEEN_MS = 90_000
/** A workspace that does not say in this time whether a key may have a run more is not waited for: the run goes on. */
export const PLACE_WAIT_MS = 1_000
/** What an open run may take beyond its wall time before it is no longer counted: its last writes, a restart, a slow clock. */
export const RUN_LEASE_MARGIN_MS = 120_000
/** The same of one that waits in line: those before it have minutes each. */
export const QUEUED_LEASE_MS = 24 * 3_600_000
/** Rows of open runs are written this long behind, many in one transaction: no answer waits for them. */
export const OPEN_RUNS_WRITE_MS = 50
/** How often open runs are looked through for those whose lease is over. */
export const OPEN_RUNS_SWEEP_MS = 60_000
/** More than any workspace should hold in the memory of one object. */
export const PER_KEY_MAX = 100_000
/** Threads woken at once after a restart of a local server: each of them reads its rows and calls the model. */
export const WAKE_AT_ONCE = 16
/** Threads that were written to in the last minute before that are asked, too: a run may be theirs that nobody wrote down yet. */
export const WAKE_TOUCHED_MS = 60_000
export const WAKE_TOUCHED_MAX = 1_000
/** A thread that is deleted waits this long for the call that it stopped, so that its price is known: a stop takes milliseconds. */
export const STOP_WAIT_MS = 5_000
/** Rows deleted at once, then others have their turn: a thread may have millions. */
export const PURGE_ROWS = 1_000
/** Forks that a thread tells of, the newest; more were tried out by a script. */
export const BRANCHES_LISTED = 100
/** Rows of a thread that is forked go from object to object in pages of this size: a call takes 32 MiB (Workers limits). */
export const FORK_PAGE_BYTES = 4_194_304
/** Large files of it that are copied at once: a Worker has six connections open (Workers limits). */
export const FORK_COPIES = 4
/**
 * Bytes of large files that forks copy at once in an isolate. `reserve` stays free of keys that copy already: the largest file
 * of a key that copies nothing yet need not wait. A file's turn comes within seconds, however many forks wait.
 */
export const FORK_COPY_QUEUE = { bytes: 67_108_864, reserve: 33_554_432, patienceMs: 30_000, heldMs: 30_000 }
/** How often a copy or a read in a thread looks whether its turn came (ms): small files wait, too, and each takes about that long. */
export const LANE_LOOK_MS = 20
/** A small file counts as this much there: opening and closing it costs as much as some megabytes. So a key copies four at once. */
export const FORK_COPY_LEAST_BYTES = 8_388_608
/** A fork that its object died of is cleared away after this at the latest; one that goes on is looked at again then. */
export const FORK_ALARM_MS = 30_000
/**
 * How long a fork waits for one answer of the thread it is made from, and for one file's copy: a few megabytes, and 32 MiB.
 * A thread that is busy answers in seconds; after this the fork breaks off, and may be asked for again.
 */
export const FORK_CALL_MS = 30_000
/**
 * A fork reads and writes all that a thread has. `each`: a page forks one at a time. Two of a key run at once, others have the
 * other places; two of a gigabyte each take a minute.
 */
export const FORK_LINE = {
  width: 4,
  room: 256,
  each: 8,
  patienceMs: 30_000,
  heldMs: 120_000,
  leavesFree: true,
}
/** Of each message, what a search for threads finds it by: a page of text, so that no message costs more than a few rows. */
export const THREAD_TEXT_BYTES = 4_096
/** Texts of messages that a thread reports at once: a fork begins with all of its own. */
export const THREAD_TEXTS_A_REPORT = 200
/**
 * Search texts that one report may drop when there are too many. A report brings THREAD_TEXTS_A_REPORT at most, so the
 * workspace gets below a limit that was lowered within some reports, and no report holds it up for long.
 */
export const THREAD_TEXTS_DROPPED = 1_000
/** What people type into a field of search. */
export const THREAD_SEARCH_MAX_CHARS = 200
/** Messages that a search looks at, the newest that have its words: it holds up all of a workspace for some milliseconds. */
export const THREAD_HITS_MAX = 1_000
/** Letters from which on a word may be the beginning of another: fewer begin so many that all of the index is read. */
export const THREAD_PREFIX_MIN = 3
/** What is shown around a word that was found: a line or two. */
export const EXCERPT_BEFORE_CHARS = 60
export const EXCERPT_AFTER_CHARS = 120
/** A person's note with a rating: a paragraph. */
export const RATING_NOTE_MAX_CHARS = 2_000
/** How often others are asked before a call that a person said yes to is refused, and after which time first; each
 * time twice as long: seven seconds in all, as an object that is moved takes. */
export const APPROVED_TRIES = 4
export const APPROVED_TRY_MS = 1_000
/** A request for approval that nobody answers is refused after this (contract). */
export const APPROVAL_MS = 7 * 24 * 3_600_000
/** A person's note with an answer: a paragraph for the model. */
export const APPROVAL_NOTE_MAX_CHARS = 2_000
/** Of a request that waits for approval: as much as is read at a glance; of a body its beginning and its end. */
export const APPROVAL_URL_CHARS = 2_000
export const APPROVAL_HEADER_CHARS = 500
export const APPROVAL_HEADERS_MAX = 50
/** A name that others chose, in the words of a request: what is read as a name, and too short for a speech. */
export const APPROVAL_NAME_CHARS = 60
export const APPROVAL_BODY_HEAD_CHARS = 3_000
export const APPROVAL_BODY_TAIL_CHARS = 1_000
/** An input whose JSON is longer is left out of lists of approvals: each of its rows is held by the workspace, too. */
export const APPROVAL_INPUT_CHARS = 8_000
/** Characters in a row that cannot be seen, told one by one; of more the count is told. */
export const UNSEEN_TOLD = 4
/** Runs waiting behind a busy thread (`on_busy: enqueue`). */
export const QUEUE_MAX = 20

// --- policies before a call ---------------------------------------------------------------------------------------
/** Calls of one tool in one run: DeerFlow's frequency limits. */
export const TOOL_FREQUENCY_WARN = 30
export const TOOL_FREQUENCY_STOP = 50
/** Entries of a list of tools, and characters of one: the API's bound of a tool's name. */
export const TOOL_LIST_MAX = 200
export const TOOL_NAME_MAX_CHARS = 64
/** What is asked before each call: a person waits meanwhile. */
export const GUARDRAIL_TIMEOUT_MS = 5_000
export const GUARDRAIL_ANSWER_MAX_BYTES = 16_384
/** Of an input that is sent to it. */
export const GUARDRAIL_REASON_MAX_CHARS = 500
/**
 * What the choice of links may say between two messages of a person, in bits, once private data may be in the thread: about
 * seven characters of a key of 46, or six links of a page of a hundred.
 */
export const LINK_BITS = 40
/** The most that a workspace can set: beyond it `outside_then_act` says what is meant. */
export const LINK_BITS_CEILING = 10_000
/** A person's message that is longer holds pasted text, which may be private. A question has some hundred characters. */
export const PRIVATE_WORDS_CHARS = 2_000

// --- questions to the person --------------------------------------------------------------------------------------
/** A question, and its context: what one reads at a glance. */
export const QUESTION_MAX_CHARS = 2_000
/** DeerFlow's caps of a form. */
export const QUESTION_OPTIONS_MAX = 24
export const QUESTION_OPTION_MAX_CHARS = 200
/** Of options that came as JSON in a text. */
export const QUESTION_OPTIONS_JSON_DEPTH = 8

// --- model ----------------------------------------------------------------------------------------------------
/** Output asked for in one call; the budget may lower it, never below the floor. */
export const MODEL_MAX_TOKENS = 16_000
export const MODEL_MIN_TOKENS = 1_024
/** A stream that is silent this long is cut and tried again; the API pings far more often. */
export const MODEL_IDLE_MS = 60_000
/** Backoff between model calls when the API does not say: first wait and cap. */
export const MODEL_BACKOFF_MS = 1_000
export const MODEL_BACKOFF_CAP_MS = 30_000
/** Waits are longer by chance, up to this share, so that runs that failed together do not come back together. */
export const MODEL_BACKOFF_JITTER = 0.5
/** Waits shorter than this are kept in memory; longer ones go to the alarm so that the object may sleep. */
export const MODEL_WAIT_IN_MEMORY_MS = 5_000
/** Text and tool input of one model message; beyond it the call fails cleanly. */
export const MODEL_MESSAGE_MAX_BYTES = 8_388_608
/** What a fault quotes of the API's own words: a sentence or two, not a page of HTML. */
export const MODEL_FAULT_MAX_CHARS = 300
/** After the last event the body is read to its end, so that the connection can be used again; a moment is enough. */
export const MODEL_DRAIN_MS = 1_000
/** Window of the demo model: an ordinary one, so that its index is as long as a real model's. */
export const CONTEXT_TOKENS = 200_000
/** Models that the setting MODELS may list, and what one may say of itself: typing errors are named, not charged. */
export const MODELS_MAX = 100
export const MODEL_WINDOW_MAX_TOKENS = 100_000_000
export const MODEL_PRICE_MAX_USD = 10_000
/** One call's tokens of one kind; the largest windows hold a million. More is no count that could be charged. */
export const MODEL_USAGE_MAX_TOKENS = 100_000_000
/** An event of the stream, and so a line; real ones have under 100 KB, search results in one block the most. */
export const MODEL_EVENT_MAX_BYTES = 4_194_304
/** The whole stream of one answer: 128,000 tokens, each in an event of its own, are under 20 MB. */
export const MODEL_ANSWER_MAX_BYTES = 67_108_864
/** The body of an error; the API's own have under 1 KB. The rest is not read. */
export const MODEL_ERROR_MAX_BYTES = 65_536
/** JSON of the API, tool input above all: deeper text cannot be written down, sent back or shown. Honest input nests to 10. */
export const MODEL_JSON_MAX_DEPTH = 64
/** Content blocks of one message, of which each call is a row: ten times the calls that are made of it. */
export const MODEL_MESSAGE_MAX_BLOCKS = 512
/** Name and id of a tool call: they stand in rows and events. The API's own have under 40, and a name 128 at most. */
export const MODEL_CALL_NAME_MAX_CHARS = 256
/** Words of the API that are kept with a message (stop reason, category): names, not texts. */
export const MODEL_WORD_MAX_CHARS = 100

// --- tools ----------------------------------------------------------------------------------------------------
export const TOOL_TIMEOUT_MS = 30_000
/** What is live is asked before a step's answer is written down; a catalog slower than this is asked by the tools. */
export const ASK_AHEAD_MS = 50
/** What one tool result may put into the context. */
export const TOOL_RESULT_MAX_CHARS = 65_536
/** Images of tools in one request: of a request with more the Messages API refuses those over 2,000 pixels a side. */
export const TOOL_IMAGES_MAX = 20
/** Their base64 together, about 1 MB of images: with its text a result fits into one row of 2 MB. */
export const TOOL_IMAGES_MAX_CHARS = 1_400_000
/** The same of one step, whose results stand in memory twice. */
export const STEP_IMAGES_MAX_CHARS = 4_000_000
/** Of all images of one thread, those among its files too: the API takes requests of 32 MB, an isolate holds 128 MB. */
export const THREAD_IMAGES_MAX_CHARS = 20_000_000
/** Of one image as the Messages API takes it: 5 MiB of base64. */
export const IMAGE_FILE_MAX_BYTES = 3_932_160
/** A side of an image: the Messages API refuses larger ones. */
export const IMAGE_SIDE_MAX_PX = 8_000
/** Tokens of an image before the model says: more than the largest one costs. */
export const IMAGE_TOKENS = 5_000
/** What an event shows of a result. */
export const TOOL_PREVIEW_CHARS = 500
/** One read of a resource, as deer-flow: head kept, then a hint to ask for a range. */
export const READ_FILE_MAX_CHARS = 50_000
export const LS_MAX_ENTRIES = 500
/** The same of ls, glob and grep together: long paths end a list earlier. */
export const LISTING_MAX_CHARS = 50_000
/** Names compared for a file that is not there, and how long one may be: 2,000 of 64 characters take some 30 ms. */
export const NEAR_NAMES_COMPARED = 2_000
export const NEAR_NAME_MAX_CHARS = 64
/** A pattern of grep or glob: the longest that people write have 200. One that counts (`a{20}`) often takes long to compile. */
export const PATTERN_MAX_CHARS = 500
export const PATTERN_COUNTS_MAX = 20
/** Steps of a compiled pattern: 200 alternatives of five letters. */
export const PATTERN_MAX_STEPS = 1_000
/** What a pattern may remember of the states it was in: some thousand. One that needs more is slow, and is charged for it. */
export const PATTERN_MEMORY_BYTES = 1_048_576
/**
 * What one search may do, in units of about a microsecond: a second. Honest patterns take 0.005 a character, so that 100 MB
 * fit; after it the search says how far it came.
 */
export const SEARCH_WORK_MAX = 1_000_000
/** Shown at most, as deer-flow; of one line around its match. */
export const GLOB_MAX_PATHS = 200
export const GREP_MAX_LINES = 100
export const GREP_LINE_CHARS = 200
/** Larger files are not searched: one at a time stands in memory. */
export const GREP_FILE_MAX_BYTES = 8_388_608
/** Searched at once, whole lines; of a longer line only so much. The worst pattern takes a tenth of a second for it. */
export const GREP_PIECE_BYTES = 8_192
/** Files that lie in R2, or in skills, and are read by one search: each takes milliseconds to come. */
export const GREP_FETCHED_MAX = 200
/** Skills whose lists of files are read by one search. */
export const SEARCH_SKILLS_MAX = 200
/** read_file waits for documents to be read, whose reader has a bound of its own at 45 s. */
export const READ_FILE_TIMEOUT_MS = 50_000
/** Texts of documents that an isolate keeps, two bytes a character at most: the next range of lines needs no second reading. */
export const DOCUMENT_TEXTS_KEPT_CHARS = 2_000_000
/** A NUL in so many first bytes means that a file is no text (deer-flow). */
export const BINARY_HEAD_BYTES = 8_192
/**
 * Letters and separators kept of what is behind a bracket: the longest name of ours has 18, attributes need the rest.
 * Past it, it is only looked for what ends a tag.
 */
export const TAG_SYMBOLS_MAX = 96
/** Characters whose look an isolate remembers: to find it out takes microseconds, and half a megabyte holds these. */
export const LOOKS_KEPT = 16_384

// --- files ----------------------------------------------------------------------------------------------------
/** Of a path, a name in it (as most file systems), and folders above a file. */
export const FILE_PATH_MAX_BYTES = 1_024
export const FILE_NAME_MAX_BYTES = 255
export const FILE_DEPTH_MAX = 32
/** An object is copied in pieces of this size, with a rest after each: 64 MB a second at most. */
export const COPY_PIECE_BYTES = 262_144
export const COPY_REST_MS = 4
/** Larger ones go to R2: a row of SQLite takes 2 MB, and what models and small tables write is far below this. */
export const FILE_INLINE_MAX_BYTES = 131_072
/** What no file needs goes after this: longer than any upload may take, and any reading of what was replaced. */
export const FILE_STAGED_MS = 3_600_000
/**
 * What a thread has in R2 that no file needs, before it takes an upload: as much as its files by default. So the largest
 * can be replaced thirty times in that while. What tools replace counts, too, but is bounded by what a run may do.
 */
export const FILE_LOOSE_MAX_BYTES = 1_073_741_824
/** Objects swept in one alarm; R2 deletes as many in one call. */
export const SWEEP_OBJECTS = 1_000
export const DELETE_KEYS_MAX = 1_000
/**
 * Bytes whose number nobody knows before go to R2 in parts of this size, the least it takes, each gathered in memory. So
 * many are gathered or sent at once in an isolate: with what the platform copies of them that is 40 MB.
 */
export const UPLOAD_PART_BYTES = 5_242_880
/**
 * `each`: one page may send 20 files at once. A part comes in a tenth of a second, or as slowly as a body may: so a key gets
 * two of the four places, and two more keys find one whatever it does.
 */
export const UPLOAD_PART_LINE = {
  width: 4,
  room: 512,
  each: 64,
  patienceMs: 60_000,
  heldMs: 30_000,
  leavesFree: true,
}
/** After this (ms) a part has to have come with BODY_QUEUED_PACE_BYTES_S, else it gives way to a key that has no place. */
export const UPLOAD_PART_SLOW_MS = 1_000
/** Files of one form, and what they may have together: as much as one file. */
export const FORM_FILES_MAX = 20
export const FORM_FILES_MAX_BYTES = 33_554_432
/** What a form's own lines may have besides: headers of 16 KB (the parser's limit) for each file. */
export const FORM_LINES_MAX_BYTES = 393_216
/** Small files of one form that are held in memory until all are there; past it they go to R2 as large ones do. */
export const FORM_INLINE_MAX_BYTES = 524_288
/** A thread that was made for files and got no message goes after this. */
export const EMPTY_THREAD_MS = 86_400_000
/**
 * Bytes of large files that an isolate's tools hold at once: half of its 128 MB, as a document is copied when it is sent to
 * its reader. A place is held for as long as read_file may take. `reserve`: the largest page, so that whoever holds nothing
 * need not wait for those who hold much. One waits for minutes before it is told so: its call's timeout does not run meanwhile.
 */
export const FILE_READ_LANE = {
  bytes: 67_108_864,
  reserve: 16_777_216,
  patienceMs: 300_000,
  heldMs: 60_000,
}
/** A file that a tool edits stands in memory as bytes and as text, before and after: six times this, of 128 MB. */
export const FILE_EDIT_MAX_BYTES = 4_194_304
export const EDIT_COPIES = 6
/** Places that one edit replaces: each takes some bytes while it does, and who means more can write the file anew. */
export const EDIT_PLACES_MAX = 100_000
/** Places of one text named where it is found more than once; what of a file is quoted where a text is almost found. */
export const EDIT_PLACES_SHOWN = 10
export const EDIT_QUOTE_CHARS = 500
/** Characters of lines compared to find what is almost there: a million takes some ten milliseconds. */
export const EDIT_CHARS_COMPARED = 10_000_000
/** Files presented in one call: more than a person looks through. Their headings are looked for in files of this size. */
export const PRESENTED_MAX = 20
export const HEADING_FILE_MAX_BYTES = 262_144
export const ARTIFACT_TITLE_CHARS = 120
/** Uploads named to the model with one message; the rest is counted. */
export const UPLOADS_TOLD_MAX = 20
/** A longer result of a tool that does not bound it goes to a file; the model gets this much of its ends (deer-flow: 12,000). */
export const SPILL_CHARS = 16_000
export const SPILL_HEAD_CHARS = 4_000
export const SPILL_TAIL_CHARS = 2_000

// --- sandbox --------------------------------------------------------------------------------------------------
/** Of one command, as its caller wishes; and the most, which is what the platform gives one call. */
export const SANDBOX_WALL_MS = 60_000
export const SANDBOX_WALL_MAX_MS = 300_000
/** An isolate ends its job by itself within half a second of the limit; one that says nothing for this long is given up. */
export const SANDBOX_GRACE_MS = 5_000
/**
 * Steps for each millisecond of a job's time: more than programs make (copying memory: 318,000; JavaScript 150,000 to
 * 320,000; a regular expression that backtracks without end 590,000). They count where a clock stands still while a program
 * computes.
 */
export const SANDBOX_STEPS_PER_MS = 600_000
/** `limits.cpuMs` of the isolates: behind their own limits, the platform's. */
export const SANDBOX_CPU_MS = 300_000
export const SANDBOX_COMMAND_MAX_CHARS = 100_000
/** What a command may print; the model gets the ends of it, the rest goes to a file. */
export const SANDBOX_OUTPUT_BYTES = 2_097_152
/** What a program within a command may print: a pipe or a file takes it. */
export const SANDBOX_PROGRAM_OUTPUT_BYTES = 8_388_608
/** All that a command writes. With its output, or with what a pipe hands on, it fits into one message of 32 MiB. */
export const SANDBOX_WRITE_BYTES = 16_777_216
/** One file that is read: one message of 32 MiB takes it, and an isolate of 128 MB holds it beside its runtime. */
export const SANDBOX_READ_BYTES = 25_165_824
/** Files that a command makes: more than a person wants to look through. */
export const SANDBOX_FILES_MAX = 2_000
/** Of a runtime's heap: with what it is made of (some 35 MB of Python) it stays below the 128 MB of an isolate. */
export const SANDBOX_HEAP_BYTES = 67_108_864
/** What is shown of a command's output while it runs; all of it is in the result. */
export const SANDBOX_PROGRESS_CHARS = 65_536
/** Isolates of Python, and of Node, that one workspace keeps. More at once each cost a Worker of their own. */
export const SANDBOX_POOL = 4
/** Isolates that an owner used up and that are remembered; and how many are passed over where none is remembered. */
export const SANDBOX_SPENT_KEPT = 4_096
export const SANDBOX_SPENT_PASSED = 64
/**
 * Shells that a local server keeps beside those that have a job: 8 to 12 MB each of the 4 GB that all isolates of workerd
 * share. The next begins in 0.15 s.
 */
export const SHELLS_KEPT = 48
/**
 * Shells that were given up before memory is looked through for them, which takes 10 to 20 ms. After one that was stopped,
 * which may hold hundreds of megabytes, it is at once.
 */
export const SHELLS_COLLECT_AFTER = 8
/** Skills whose SKILL.md is listed although no command named them; one that is named is there with all its files. */
export const SANDBOX_SKILLS_LISTED = 500
/** Files of skills whose size is looked up before a command runs: each has to be read for it, once an isolate. */
export const SANDBOX_SKILL_FILES_SIZED = 200
/** Sizes of skills' files that are remembered: some 100 bytes each. */
export const SANDBOX_SIZES_KEPT = 10_000
/** Scripts of a skill that are looked at when it is loaded, and how far: each has to be read, once an isolate. */
export const FIT_SCRIPTS_MAX = 20
export const FIT_SCRIPT_CHARS = 65_536
/** Changed files that a result names; the rest is counted. */
export const SANDBOX_CHANGES_SHOWN = 20

// --- skills ---------------------------------------------------------------------------------------------------
/** yaml's unique-key check is quadratic: 16 KB ≤ 0.15 s, 64 KB 0.7 s. Real frontmatter: p99 under 4 KB. */
export const FRONTMATTER_MAX_BYTES = 16_384
/** yaml 2.9 aborts Node on repeated deep input; real frontmatter nests to 6. */
export const FRONTMATTER_MAX_DEPTH = 16
/** yaml spends 10–20 µs on a line or an indicator that is an error: these keep hostile input well under 50 ms. */
export const FRONTMATTER_MAX_LINES = 500
export const FRONTMATTER_MAX_INDICATORS = 1_000
/** Of a header that is too large for YAML, this much is searched for name and description. */
export const FRONTMATTER_SCAN_CHARS = 65_536
/** Lines at the top of a file among which a frontmatter that does not begin it is looked for: real ones begin by 4. */
export const FRONTMATTER_SEARCH_LINES = 20
/** `a: a: a:` nests once a colon; prose in quotes has a few dozen. */
export const FRONTMATTER_MAX_LINE_COLONS = 32
/** The largest real SKILL.md is 294 KB. */
export const SKILL_MD_MAX_BYTES = 1_048_576
/** Agent Skills specification. */
export const SKILL_NAME_MAX = 64
export const SKILL_DESCRIPTION_MAX = 1_024
export const SKILL_COMPATIBILITY_MAX = 500
/** Description and when_to_use joined, as the listing shows them; the figure of Claude Code. */
export const SKILL_LISTING_MAX = 1_536
/** "Short" by the specification: a licence's name or a file's; a list in the frontmatter is cut here. */
export const SKILL_LICENSE_MAX = 200
/** Tags travel in each index; real skills have under a dozen. */
export const SKILL_TAGS_MAX = 32
export const SKILL_TAG_MAX = 64
/** Names in allowed-tools and disallowed-tools, each: real skills have under thirty. */
export const SKILL_TOOLS_MAX = 128
/** Skills that one skill depends on: each must be visible where it is. */
export const SKILL_DEPENDENCIES_MAX = 32
/** What is new in a version, and what to write behind /name: a few lines and one, in each index. */
export const SKILL_CHANGELOG_MAX = 1_000
export const SKILL_ARGUMENT_HINT_MAX = 200
/** Findings of one skill below an error: they travel in each index. */
export const SKILL_FINDINGS_MAX = 50
/** Code points of one finding's message: a sentence with what it is about. */
export const FINDING_MESSAGE_MAX = 600
/** Characters of one document that are searched for links: p99 of real ones is 77 KB. */
export const LINKS_SCAN_CHARS = 262_144
/** Documents of one skill whose links are checked: p99 of real skills has 67 files. */
export const LINKS_SCAN_FILES = 200
/** Findings on links of one skill; whoever has more fixes these first. */
export const LINKS_FINDINGS_MAX = 50
/** Advice of the specification, a warning above. */
export const SKILL_BODY_ADVISED_LINES = 500
export const SKILL_BODY_ADVISED_TOKENS = 5_000
/** Real maxima are 162 characters and 8 segments; an R2 key has 1,024 bytes. */
export const SKILL_PATH_MAX_CHARS = 255
export const SKILL_PATH_MAX_DEPTH = 16
/** `npx skills` takes 1,000 files; the largest real skill has 1,103 (a media set), the floor is 512. */
export const SKILL_FILES_MAX = 1_000
export const SKILL_FILE_MAX_BYTES = 8_388_608
export const SKILL_BYTES_MAX = 31_457_280
/** Chunks of a body are gathered into parts of this size: some come byte by byte, each in a buffer of its own. */
export const BODY_PART_BYTES = 65_536
/** A body that sends nothing for this long, or is not whole by then, is refused: a line of 2.5 Mbit/s brings 32 MiB in time. */
export const BODY_SILENT_MS = 10_000
export const BODY_TOTAL_MS = 110_000
/** Bytes that each BODY_SILENT_MS has to bring: 26 kbit/s, less than any line that is in use. Else a byte now and then keeps it. */
export const BODY_WINDOW_BYTES = 32_768
/**
 * What bodies that an isolate of 128 MB is reading may hold at once: small ones (each up to BODY_SMALL_MAX_BYTES, some 1,000
 * ordinary messages), and larger ones (two of the largest, or 64 long messages).
 */
export const BODIES_SMALL_MAX_BYTES = 16_777_216
export const BODIES_LARGE_MAX_BYTES = 67_108_864
export const BODY_SMALL_MAX_BYTES = 65_536
/** What a body holds before anything of it came: the buffer that the runtime reads into. */
export const BODY_LEAST_BYTES = 4_096
/** Who sends to a hook is known only once the body is there: while others need the room, it counts this many times. */
export const BODY_HOOK_WEIGHT = 3
/** Where all of that is one sender's, its own bodies that are older and came more slowly make room for its new ones. */
export const BODY_DISPLACED_MS = 2_000
export const BODY_FULL_PACE_BYTES_S = 65_536
/**
 * A body that is read in a queue (publishes, files of a commit) while others wait there: after this long it has to have
 * come with 2.5 Mbit/s, else it gives its place up.
 */
export const BODY_QUEUED_MS = 10_000
export const BODY_QUEUED_PACE_BYTES_S = 307_200
/** A JSON publish is held in memory as text, then as bytes. */
export const PUBLISH_BODY_MAX_BYTES = 16_777_216
/** A packed skill: media hardly shrink, so it may be as large as the files; with them opened it fits an isolate (128 MB). */
export const ARCHIVE_BODY_MAX_BYTES = 33_554_432
/**
 * Members of one archive, folders, what is left out and what a tar says of members included: four times the files a skill
 * may have.
 */
export const ARCHIVE_ENTRIES_MAX = 4_096
/**
 * What a tar says of one member beside its header (pax, GNU's long names), held whole while it is read: twice the longest
 * path of Linux (4,096 bytes), ten times that of a skill; honest records have some hundreds.
 */
export const TAR_META_MAX_BYTES = 8_192
/** Records in one pax header: each takes microseconds; a file with ten extended attributes has 30. */
export const TAR_PAX_RECORDS_MAX = 64
/** A gzip stream is opened in pieces of this size, in and out: large enough that turns between them cost little. */
export const INFLATE_PIECE_BYTES = 262_144
/** While an archive is packed, one file more is read ahead behind each of at most this size, one alone behind a larger one. */
export const PACK_SMALL_BYTES = 262_144
/** An opened tar: the files, four blocks of headers and padding for each member, and the twenty blocks at its end. */
export const ARCHIVE_TAR_MAX_BYTES = SKILL_BYTES_MAX + 2_048 * ARCHIVE_ENTRIES_MAX + 10_240
/** Level 1: this share of the model's context, or the fallback where it is unknown. */
export const INDEX_CONTEXT_SHARE = 0.02
export const INDEX_MIN_DESCRIPTION = 120
/** Bytes of bodies and manifests an isolate keeps, by digest. */
export const CONTENT_CACHE_BYTES = 16_777_216
/** One value in that cache: p99 of real resources is 77 KB, and a single huge one must not empty the rest. */
export const CONTENT_CACHE_ITEM_BYTES = 1_048_576
/**
 * One workspace's index as JSON, the build's skills and tools included: each isolate reads it before a new thread's first
 * word. Ten thousand real skills have 11.4 to 13.3 MB (1.14 to 1.33 KB each), and tools TOOLS_BYTES_MAX on top.
 */
export const INDEX_BYTES_MAX = 16_777_216
/** Skills in one index, twice the library that docs/benchmarks.md measures: lists and the search grow with their number, too. */
export const INDEX_SKILLS_MAX = 20_000
/** Findings of one skill in the index, as JSON: real ones have 0.9 KB at most. Versions keep PUBLISH_FINDINGS_MAX. */
export const INDEX_FINDINGS_MAX_BYTES = 4_096
/**
 * Bytes of index JSON an isolate keeps parsed, by sha-256; on the heap they take 1.2 times as much, of 128 MB. Two of the
 * largest fit: the one before a publish and the one after.
 */
export const INDEX_CACHE_BYTES = 2 * INDEX_BYTES_MAX
/** One object of an index: a KV value holds 25 MiB; ten thousand real skills are two of these. */
export const INDEX_SHARD_BYTES = 8_388_608
/** Level 1 where the model's context is unknown. */
export const INDEX_FALLBACK_CHARS = 8_000
/** An object has six outgoing connections (Workers limits); one is left for the catalog. */
export const STORE_CONCURRENCY = 5
/** A store that hiccups is asked this often before a reader hears of it. */
export const STORE_TRIES = 2
/** A change that finds the catalog moved under it is computed anew; changes queue, so one retry is already rare. */
export const CATALOG_CHANGE_TRIES = 5
/** One commit: with two reads and two writes of each skill and one read of each file it stays under 10,000 subrequests. */
export const COMMIT_SKILLS_MAX = 500
export const COMMIT_FILES_MAX = 5_000
/** Read, hashed and scanned in one request: about ten seconds of CPU. */
export const COMMIT_BYTES_MAX = 268_435_456
/** Units of work in the checks of one commit, about a minute: 500 real skills take under a tenth of it. */
export const COMMIT_WORK_MAX = 60_000_000
/** What is handed to the catalog in one call; more goes through R2 by its address. Calls carry 32 MiB, and copy it twice. */
export const CATALOG_CALL_MAX_BYTES = 524_288
/** Findings that one answer of the catalog carries, as JSON: answers cross between objects, which copies them twice. */
export const CATALOG_ANSWER_MAX_CHARS = 1_048_576
/** Skills asked of the catalog in one call: entries have 2.5 KB each, and their findings come on top. */
export const CATALOG_ENTRIES_ASKED = 200
/** Findings kept with one version and shown: whoever has more fixes these first. */
export const PUBLISH_FINDINGS_MAX = 200
/** An OpenAPI document of OPENAPI_MAX_BYTES as a JSON text has a quarter more. */
export const TOOL_IMPORT_BODY_MAX_BYTES = 20_971_520
/** Tools from settings that are on in a workspace: each new thread's requests carry all of them. */
export const TOOLS_ENABLED_MAX = 200
/** All definitions of a workspace as JSON: they stand in the index, which is read before a cold run's first word. */
export const TOOLS_BYTES_MAX = 2_097_152
/** Names shown of one catalog version's changes; the rest is counted. */
export const CHANGED_NAMES_LISTED = 100
/** A Worker whose skills are not there yet is asked again after this: `npm start` takes a second or two to push them. */
export const NOT_READY_RETRY_S = 1
/** Bytes that nothing refers to are swept this long after they were last promised: no upload takes that long. */
export const SWEEP_AFTER_MS = 24 * 3_600_000
/** Swept at once: R2 deletes 1,000 keys a call, KV one, and an alarm has 1,000 calls to KV. Then a pause for others. */
export const SWEEP_BATCH = 500
export const SWEEP_PAUSE_MS = 1_000
export const SWEEP_RETRY_MS = 3_600_000
/** A diff is for people: larger files, and more of them, are named without one. */
export const DIFF_FILE_MAX_BYTES = 262_144
export const DIFF_FILES_MAX = 100
/** All diffs of one answer together. */
export const DIFF_ANSWER_MAX_BYTES = 2_097_152
/** Lines that differ; the comparison grows with their square: so many take about 50 ms. */
export const DIFF_EDITS_MAX = 1_000
/**
 * Comparing, in all files of one answer: units of about a microsecond (src/lib/steps.ts). A hundred files of 500 lines, in
 * each of which 100 differ, take a twentieth.
 */
export const DIFF_WORK_MAX = 1_000_000
/** Versions listed for one skill, newest first, or fewer with very many findings; older ones stay in the history and can still be pinned. */
export const SKILL_VERSIONS_LISTED = 200
/** Telling words of one skill's body, and of them those of its headings: they travel in each index. */
export const SEARCH_WORDS_BYTES = 320
export const SEARCH_HEADING_BYTES = 100
/** The beginning of a body that they are taken from: nine of ten real ones are shorter than 20 KB. */
export const SEARCH_BODY_CHARS = 32_768
/** A longer word is a key or a number, not one that somebody asks for. */
export const SEARCH_WORD_MAX_CHARS = 24
/** Of a run of letters, digits and the signs of base64 that is so long nothing is kept where a part of it looks like a key. */
export const SEARCH_TOKEN_RUN_CHARS = 16
/** Answers of one search, as deer-flow; a query, and its telling words that are looked for: a task in a sentence or two. */
export const SEARCH_RESULTS_MAX = 5
export const SEARCH_QUERY_MAX_CHARS = 256
export const SEARCH_TERMS_MAX = 32
/**
 * How far a text may grow when its letters are made plain: `…` is three characters then, `ﷺ` eighteen. Honest texts grow
 * by less than a tenth; the slack is for a name of a few such letters.
 */
export const SEARCH_FOLD_GROWTH = 2
export const SEARCH_FOLD_SLACK_CHARS = 64
/** A text of which skills are suggested: a message, not a file. `select:` lists names within it. */
export const MATCH_TEXT_MAX_CHARS = 8_000
export const MATCH_RESULTS_MAX = 20
/** Reasons shown for one answer. */
export const MATCH_REASONS_MAX = 8
/** Stems an isolate remembers: an index of 10,000 skills has some 40,000 distinct words. */
export const SEARCH_STEMS_KEPT = 100_000
/** Lists of what one audience sees, kept with an index: threads with the same allow-list share one (80 KB at 10,000 skills). */
export const AUDIENCE_LISTS_MAX = 16
/** A use of a skill counts half as much after each of these: last quarter's fades behind this month's. */
export const SKILL_USE_HALF_LIFE_DAYS = 30
/** What is left of one use after a hundred days; a skill with less is forgotten. */
export const SKILL_USE_FLOOR = 0.1
/** Skills whose use is remembered, the least used go first: as many as the largest catalog that is measured. */
export const SKILL_USE_ROWS = 10_000
/** Who used which skill today, as rows of 200 bytes, kept for that day: what is more is not counted on it. */
export const SKILL_USE_DAY_ROWS = 50_000
/** Skills that GET /admin/catalog names as the most used. */
export const SKILL_USE_SHOWN = 20
/** Names in a ranking: level 1 shows fewer (45 characters each, of 16,000). With names of 64 characters it has 67 KB. */
export const SKILL_USE_RANKED = 1_000
/** A ranking is made anew no more often: each new one is sent once to each isolate, and level 1 is rendered again. */
export const SKILL_USE_RANK_MS = 3_600_000
/** Rankings an isolate keeps, one a workspace: 2 MB at most. */
export const RANKINGS_KEPT = 32
/** Skills that one message may call, by slash and by `skills.load` together: each may put 50,000 characters before the model. */
export const CALLED_SKILLS_MAX = 5
/** What is repeated of a request behind slash commands; the whole of it is in the message itself. */
export const CALLED_REQUEST_CHARS = 2_000
/** What a person wrote, in place of all `$ARGUMENTS` of one body: a body may hold thousands of them. */
export const ARGUMENTS_FILLED_CHARS = 10_000
/** Skills told of one by one when the catalog changed under a thread; the rest is counted. */
export const NOTICE_SKILLS_MAX = 100
/** Names offered for one that is unknown. */
export const SUGGESTIONS_MAX = 3
/** Resources listed with a loaded body; the rest is counted. */
export const RESOURCE_LIST_MAX = 100
/** Characters of that list, and of the skills it builds on: 100 usual paths; with a body they fit into one tool result. */
export const RESOURCE_LIST_CHARS = 7_000

/** Shared archives made in one request, by the files and bytes in them: a second or two of CPU, and no 10,000 subrequests. */
export const SHARE_PACK_FILES = 2_000
export const SHARE_PACK_BYTES = 33_554_432
/** Versions asked of the catalog, or told to it, in one call: most file lists have a few hundred bytes. */
export const SHARE_CALL_VERSIONS = 500
/** Files in those lists: at 255 characters of three bytes each 15 MB; a call carries 32. */
export const SHARE_CALL_FILES = 20_000
/** Skills that cannot be packed and archives that are lost for good, as an isolate remembers them: 200 bytes each. */
export const SHARE_UNFIT_KEPT = 10_000
/** How long it does: somebody may have brought the bytes back. */
export const SHARE_UNFIT_MS = 300_000
/** How often one who waits in a line looks for itself; it is called when its turn comes. */
export const LINE_LOOK_MS = 250
/** Who did not look for this long was cut off. Far more than an isolate stands still. */
export const LINE_SEEN_MS = 5_000
/** Making the list of what is shared, for everybody; clients give up after ten seconds or so. `each`: of one network. */
export const SHARE_LINE = { width: 1, room: 128, each: 32, patienceMs: 5_000, heldMs: 30_000 }
/**
 * Changes of skills and their trials: an upload of 32 MiB takes some 100 MB of an isolate's 128 until it is written, so
 * one at a time. A commit of 500 skills, or two megabytes of scripts, take some seconds; edges wait 100.
 */
export const CHANGE_LINE = { width: 1, room: 64, each: 20, patienceMs: 90_000, heldMs: 30_000 }
/** Files for a commit, 8 MiB each at most; skills:publish sends six at a time. */
export const BLOB_LINE = { width: 8, room: 512, each: 32, patienceMs: 30_000, heldMs: 30_000 }
/** Two versions compared: a second of work at most, and the diffs of one answer, 2 MiB, in memory. */
export const DIFF_LINE = { width: 1, room: 128, each: 8, patienceMs: 30_000, heldMs: 30_000 }
/**
 * Lists of threads and of requests for approval, changes of threads and their deletion: each takes some milliseconds of the
 * workspace's one object, which every message of a new thread asks, too. So a key has two of them under way. `each`: a
 * script that deletes a hundred threads at once is served.
 */
export const WORKSPACE_LINE = {
  width: 4,
  room: 2_000,
  each: 128,
  patienceMs: 30_000,
  heldMs: 10_000,
  leavesFree: true,
}
/** Searches for threads: each takes milliseconds of the workspace's own object. */
export const FIND_LINE = { width: 2, room: 500, each: 8, patienceMs: 10_000, heldMs: 10_000 }
/** Questions for skills: each takes milliseconds, the first one on a new index of 10,000 skills a fifth of a second. */
export const MATCH_LINE = { width: 4, room: 1_000, each: 16, patienceMs: 30_000, heldMs: 30_000 }

// --- scan -----------------------------------------------------------------------------------------------------
/** Matches of one rule in one file that are told apart; the rest is counted in one more finding. */
export const SCAN_MATCHES_MAX = 20
/** Matches of one rule in one file that are counted at all: a file may consist of nothing else. */
export const SCAN_COUNTED_MAX = 1_000
/** Lines of one skill in which every rule of text is tried; real skills have under 2,000 with a hit. Then errors only. */
export const SCAN_PIECES_MAX = 20_000
/** Findings of one skill: more help nobody. Errors are kept first. */
export const SCAN_FINDINGS_MAX = 200
/** A line is looked at in pieces of this size, so that a file of one line costs no more than one of many. */
export const SCAN_PIECE_CHARS = 2_048
/** A line of shell is followed through its pipes whole up to this, a longer one in pieces; installers have under 4,000. */
export const SCAN_LINE_CHARS = 32_768
/** Text is made plain (NFKC) in pieces of this size: eighteen times as much at most. */
export const SCAN_NORMAL_CHARS = 16_384
/** Pieces overlap by this: longer than any pattern that must be seen whole. */
export const SCAN_OVERLAP_CHARS = 256
/** Code parsed in one file and in one skill, in characters: about 4 per microsecond; bundled scripts have up to 0.7 million. */
export const SCAN_CODE_MAX_CHARS = 1_000_000
export const SCAN_CODE_TOTAL_CHARS = 2_000_000
/** Fences of documents in one skill that are parsed, of those that name what a rule is about; real skills have under 200. */
export const SCAN_EXCERPTS_MAX = 256
/** Work of one parse, about a microsecond each: real code takes under four a character, hostile text a hundred. */
export const SCAN_PARSE_EFFORT = 50_000
export const SCAN_PARSE_EFFORT_PER_CHAR = 5
/** Symbols that are open at once: of 400 large scripts the deepest has 169; a level is three numbers in each stack. */
export const SCAN_PARSE_DEPTH_MAX = 600
/**
 * Nodes of one tree, of which each takes some 80 bytes with what is remembered of it: bundles of 0.7 million characters have
 * 425,000, and of 400 large scripts the densest has 0.82 a character. The slack is for small files.
 */
export const SCAN_PARSE_NODES_MAX = 600_000
export const SCAN_PARSE_NODES = 20_000
export const SCAN_PARSE_NODES_PER_CHAR = 1
/** Symbols that are copied where the grammar can be read in two ways: real code has at most a quarter a character. */
export const SCAN_PARSE_COPIED = 50_000
export const SCAN_PARSE_COPIED_PER_CHAR = 1
/**
 * Work of judging one parsed file, in listed children (0.02 µs each; a step of looking a name up counts 50): bundles of 0.7
 * million characters take up to 25 million.
 */
export const SCAN_JUDGE_MAX = 40_000_000
/** Members of a nested archive that are looked at, and bytes inflated for that (a member's first bytes tell its kind). */
export const SCAN_NESTED_MEMBERS_MAX = 256
export const SCAN_NESTED_BYTES_MAX = 4_194_304

// --- documents ------------------------------------------------------------------------------------------------
/** A document that is read into text: it lies in memory once beside what it unpacks to, in an isolate of 128 MB. */
export const DOCUMENT_MAX_BYTES = 33_554_432
/** Characters of text that one document gives: some 400 pages, read in ranges of lines. More would be longer to make than to leave. */
export const DOCUMENT_TEXT_MAX_CHARS = 1_000_000
/** Bytes that the parts of a DOCX or XLSX unpack to, counted as they do; of a million real cells they are 40 MB. They are read as they come. */
export const DOCUMENT_UNPACKED_MAX_BYTES = 134_217_728
/** The same of one page of a PDF, which lies in memory until the page is read; and of all its pages. */
export const DOCUMENT_PDF_UNPACKED_MAX_BYTES = 33_554_432
export const DOCUMENT_PDF_TOTAL_MAX_BYTES = 1_073_741_824
/** A CSV is one string in memory, two bytes a character. */
export const DOCUMENT_CSV_MAX_BYTES = 16_777_216
/** Entries of a zip; real DOCX and XLSX have under 1,000, most of them images. */
export const DOCUMENT_ZIP_ENTRIES_MAX = 10_000
/** Elements of XML in one document: a million cells are two million elements. */
export const DOCUMENT_XML_ELEMENTS_MAX = 8_000_000
/** Elements inside of each other; real documents stay under 60, and each open one is kept. */
export const DOCUMENT_XML_DEPTH_MAX = 400
/** Characters of strings that the sheets of an XLSX share: kept in memory until all are read, two bytes each at most. */
export const DOCUMENT_SHARED_CHARS_MAX = 16_777_216
export const DOCUMENT_SHARED_STRINGS_MAX = 1_000_000
/** Rows times columns of a table, in a DOCX or XLSX, that are printed: an empty cell takes three characters, too. */
export const DOCUMENT_TABLE_COLUMNS_MAX = 512
/** Characters of one cell; Excel holds 32,767, and a row is one line. */
export const DOCUMENT_CELL_MAX_CHARS = 4_000
/** Pages of a PDF that are read; the text of more would not fit anyway. */
export const DOCUMENT_PAGES_MAX = 2_000
/** Pieces of text on one page; a dense page of a newspaper has 20,000. */
export const DOCUMENT_PAGE_ITEMS_MAX = 200_000
/** Form fields and readers' notes of one page; the longest forms have some hundred. */
export const DOCUMENT_PAGE_NOTES_MAX = 2_000
/** Bytes read or unpacked before others have their turn: 3 to 15 ms of work. */
export const DOCUMENT_TURN_BYTES = 131_072
/** The same by the clock, where it runs while a Worker computes. */
export const DOCUMENT_TURN_MS = 20
/** What is read by then is given, as a part: the largest honest documents take about 5 s. */
export const DOCUMENT_READ_MS = 20_000
/** Who reads documents one after the other may be away in the middle of one: after this long without a sign the next begins. */
export const DOCUMENT_SILENT_MS = 3_000
/** The isolate's processor time for one request, where the platform counts it: a spin ends here. */
export const DOCUMENT_CPU_MS = 25_000
/**
 * What is announced of the reading of one: parsers rest every few milliseconds, so one that is late and lets nobody else be
 * served hangs. One that is late and does is left alone.
 */
export const DOCUMENT_DEADLINE_MS = 10_000
/** How long the caller waits: for those before it in line, and for its own. */
export const DOCUMENT_WAIT_MS = 45_000

// --- documents: html --------------------------------------------------------------------------------------------
/** Bytes of a page that are read; the largest real ones (specifications, logs) have some ten. It is text twice in memory. */
export const HTML_MAX_BYTES = 8_388_608
/** Characters of it that the parser is given at once: some milliseconds of work. */
export const HTML_PIECE_CHARS = 16_384
/**
 * Elements of the tree that the libraries work on, about 1 KB each; the longest articles of encyclopedias have 30,000. Four
 * texts count as one, and so do four characters that are written as entities: a text is kept in pieces between them.
 */
export const HTML_ELEMENTS_MAX = 40_000
/** Text of the tree: twice what one document may give, as much of a page is not its article. */
export const HTML_TEXT_MAX_CHARS = 2_000_000
/** Elements inside of each other; what is deeper stands in the last of these. Real pages stay under 60; Turndown recurses. */
export const HTML_DEPTH_MAX = 120
/** Elements that are open before the parser begins anew: it looks through them at each end of one. */
export const HTML_PARSER_DEPTH_MAX = 2_000
/** Of one attribute that is kept; longer ones hold data. */
export const HTML_ATTRIBUTE_MAX_CHARS = 4_096
/** Addresses that servers and browsers agree on. */
export const HTML_ADDRESS_MAX_CHARS = 2_048
/** What a page says of itself for search engines: title, author, date. */
export const HTML_JSON_LD_MAX_CHARS = 65_536
/** Blanks in a row, where they count: patterns of the libraries are quadratic in them. */
export const HTML_BLANKS_MAX = 200
/** Links that are remembered while a page is read, and that it gives in the end: those of its article come first. */
export const HTML_LINKS_SEEN_MAX = 5_000
export const HTML_LINKS_MAX = 500
/**
 * Steps (turns of loops, calls) that finding the article may take, about 20 million a second; then the whole body is given.
 * Of 311 real pages the largest, 1 MB, takes 6.3 million, all others under 2.5.
 */
export const HTML_ARTICLE_STEPS_MAX = 10_000_000
/** The same of making Markdown of one block, for which real pages take 0.3 million; then its plain text is given. */
export const HTML_BLOCK_STEPS_MAX = 2_000_000
/** Steps after which the clock is looked at, where it runs. */
export const HTML_STEPS_SLICE = 100_000
/** An article with less of the page's text than this, or less than so many characters, is not what the page is about. */
export const HTML_ARTICLE_SHARE_MIN = 0.25
export const HTML_ARTICLE_CHARS_MIN = 250
/** A line of text is broken after this: read_file gives 50,000 characters of lines. */
export const HTML_LINE_MAX_CHARS = 10_000
/** Items of a list, or pieces of a line, that become Markdown at once: the library's time is quadratic in them. */
export const HTML_GROUP_MAX = 200

// --- web --------------------------------------------------------------------------------------------------------
/** Of one answer; as many at once as FILE_READ_LANE holds. Papers as PDF mostly have under 10 MB. */
export const WEB_FETCH_MAX_BYTES = 16_777_216
/** For the answer to come whole, and for the call with the reading of it (DOCUMENT_WAIT_MS) and a wait for its place. */
export const WEB_FETCH_MS = 20_000
export const WEB_FETCH_TIMEOUT_MS = 85_000
export const WEB_REDIRECTS_MAX = 5
/** What a model wants to know: a sentence or two. */
export const WEB_PROMPT_MAX_CHARS = 1_000
/** A text up to this is given whole, some 6,000 tokens; a longer one goes to a file. */
export const WEB_SHOWN_MAX_CHARS = 24_000
/** Of a longer one: its sections that fit a question, or its beginning. */
export const WEB_PICKED_MAX_CHARS = 12_000
export const WEB_HEAD_CHARS = 6_000
export const WEB_OUTLINE_MAX_LINES = 120
export const WEB_HEADING_MAX_CHARS = 120
/** A longer section is parted; and so much of a text is ranked, in a tenth of a second. */
export const WEB_SECTION_MAX_CHARS = 2_000
export const WEB_RANKED_MAX_CHARS = 400_000
/** Longer JSON is given as it is. */
export const WEB_JSON_PRETTY_MAX_CHARS = 262_144
/** What is quoted of a page that says why it is refused. */
export const WEB_ERROR_MAX_CHARS = 500
/** Links of one page that are kept with a call: they stand in its row. */
export const WEB_LINKS_MAX_CHARS = 65_536
/** Pages are read again after this; and so many characters of them an isolate keeps for one way out. */
export const WEB_CACHE_MS = 300_000
export const WEB_CACHE_CHARS = 2_000_000

// --- webhooks -------------------------------------------------------------------------------------------------
/** Standard Webhooks: five minutes both ways. */
export const WEBHOOK_TOLERANCE_S = 300
export const WEBHOOK_BODY_MAX_BYTES = 1_048_576
/** A removed hook never comes back: an isolate refuses its deliveries unread this long. */
export const HOOK_REMOVED_MS = 10 * 60_000
/** Past the longest retry span of a sender (Standard Webhooks: about three days). */
export const DELIVERY_RETENTION_MS = 14 * 86_400_000
/** Signatures tried in one header, before any hashing. */
export const WEBHOOK_SIGNATURES_MAX = 10
/** A delivery whose run cannot be started is put aside after this many tries. */
export const DELIVERY_TRIES_MAX = 12
export const HOOK_TEMPLATE_MAX_CHARS = 16_384
/** Bounds what one rendering copies: each placeholder may hold the whole body. */
export const HOOK_PLACEHOLDERS_MAX = 100
/** Calls that the runs of one hook may make unasked. */
export const HOOK_UNASKED_MAX = 20
/** Fields of such a call that may hold anything: as many as a definition of a tool may list. */
export const HOOK_FREE_MAX = 50
export const HOOK_NAME_MAX_CHARS = 100
/** Standard Webhooks: a secret has 24 to 64 bytes; ours have as many as the hash. */
export const WEBHOOK_SECRET_MIN_BYTES = 24
export const WEBHOOK_SECRET_MAX_BYTES = 64
export const WEBHOOK_SECRET_BYTES = 32
/** Visible ASCII; the deduplication key of a delivery. Known senders stay under 64. */
export const WEBHOOK_ID_MAX_CHARS = 255
/** First wait after a delivery's run could not be started; doubles up to the cap. Also the least gap of the alarm. */
export const DELIVERY_BACKOFF_MS = 5_000
/** A delivery looks this often whether its thread, or its hook's limit on runs, has room: runs take minutes. */
export const NO_ROOM_WAIT_MS = 15_000
/** The same for the skills of its Worker: a push takes seconds. Longer than the least gap, so that others come first. */
export const NOT_READY_WAIT_MS = 15_000
/** Skills that are not there by then were forgotten, not late: from here on each look is a try. */
export const NOT_READY_PATIENCE_MS = 3_600_000
export const DELIVERY_BACKOFF_CAP_MS = 10 * 60_000
/** A thread accepts in milliseconds; one that hangs must not hold up the deliveries behind it. */
export const DELIVERY_START_TIMEOUT_MS = 30_000
/** What is kept of the words that say why a delivery failed. */
export const DELIVERY_PROBLEM_MAX_CHARS = 500

// --- secrets --------------------------------------------------------------------------------------------------
/** Shorter ones would be masked in ordinary words. */
export const SECRET_MIN_CHARS = 8
/** A token in a header: servers take 8 KB of headers and more; the longest signed tokens have about 4,000. */
export const SECRET_MAX_CHARS = 4_096
/** Secrets of one workspace. */
export const SECRETS_MAX = 200
/** Secrets that one chat request may bring. */
export const REQUEST_SECRETS_MAX = 16
export const SECRET_HOST_MAX_CHARS = 260

// --- tools from settings --------------------------------------------------------------------------------------
/** A definition as JSON: with the largest body that public APIs describe it has about 50 KB. */
export const HTTP_TOOL_MAX_BYTES = 65_536
/** What the model reads in each request: a page. Longer instructions belong into a skill. */
export const HTTP_TOOL_DESCRIPTION_MAX_CHARS = 4_000
/** Schemas within an input's schema, each `$ref` counted with all that it names: what one check may walk. */
export const HTTP_TOOL_SCHEMA_NODES = 2_000
export const HTTP_TOOL_URL_MAX_CHARS = 2_000
/** Of a header's or query's template, and of a filled header. Servers take 8 to 16 KB of headers in all. */
export const HTTP_TOOL_TEXT_MAX_CHARS = 4_000
/** Query fields, headers, pointers of `pick`, conditions of a rule, names of secrets: each list. */
export const HTTP_TOOL_LIST_MAX = 50
/** Default and the most that a definition can ask for: a person waits, and the platform holds a request open. */
export const HTTP_TOOL_TIMEOUT_S = 30
export const HTTP_TOOL_TIMEOUT_MAX_S = 120
/** The most that a definition may let an answer keep; longer than a model reads at once, so it goes to a file. */
export const HTTP_TOOL_ANSWER_MAX_CHARS = 1_000_000
/** What is read of an answer: it stands in memory three times, as bytes, text and JSON. */
export const HTTP_TOOL_ANSWER_MAX_BYTES = 2_097_152
/** What is shown of an answer that says no: servers say why at the beginning. */
export const HTTP_TOOL_REFUSAL_CHARS = 4_000
/** A header of an answer as it is shown. */
export const HTTP_TOOL_HEADER_SHOWN_CHARS = 1_000
/** Redirects of a call that reads, within its host: `http` to the path's one form takes two. */
export const HTTP_TOOL_REDIRECTS = 3
/** A filled URL: servers and the platform take 8 to 16 KB. */
export const HTTP_TOOL_SENT_URL_MAX_CHARS = 8_000
/** The end of a call is told by its own words first; then by those of whoever made it. */
export const HTTP_TOOL_GRACE_MS = 5_000
/** A model's input as JSON text: what is checked and sent at once. */
export const HTTP_TOOL_INPUT_MAX_CHARS = 262_144
/** Schemas held against values in one check, about a microsecond each: ten for each value of the largest honest inputs. */
export const HTTP_TOOL_CHECK_STEPS = 500_000
/** Microseconds, as counted, that all patterns of one check may take. */
export const HTTP_TOOL_PATTERN_COST = 200_000
/** What a model is told of an input that does not fit: it mends these, and hears of the others then. */
export const HTTP_TOOL_FAULTS_SHOWN = 8
/** An OpenAPI document: the largest public ones have 12 MB as JSON; YAML takes ten times as long to read. */
export const OPENAPI_MAX_BYTES = 16_777_216
export const OPENAPI_YAML_MAX_BYTES = 2_097_152
/** Operations of one import: a model is not served by more, and each is looked at in milliseconds. */
export const OPENAPI_OPERATIONS_MAX = 500
/** What the model reads of an operation, and of one of its fields, in each request. */
export const OPENAPI_DESCRIPTION_MAX_CHARS = 1_000
export const OPENAPI_FIELD_DESCRIPTION_MAX_CHARS = 300
/** Bytes of one input's schema as imported: with the rest it stays under what a definition may have. */
export const OPENAPI_SCHEMA_MAX_BYTES = 49_152
/** Levels of a schema that are kept; fewer where it would be too large otherwise. */
export const OPENAPI_SCHEMA_LEVELS = 12
/** A group's name is a word. */
export const HTTP_TOOL_GROUP_MAX_CHARS = 64

// --- settings -------------------------------------------------------------------------------------------------
/** Files of one thread: the default of its setting, more than a long piece of work makes, and the most that can be set. */
export const FILES_MAX = 2_000
/** Its rows are read as one list when files are searched: 10,000 paths of 255 characters are 2.6 MB. */
export const FILES_CEILING = 10_000
/** One file, the default and the most: it stands in the memory of an isolate (128 MB) while it is written or searched. */
export const FILE_MAX_BYTES = 33_554_432
/** All files of one thread: the default, and the most that can be set (1 GiB, 10 GiB): in R2 $0.16 a month for ten. */
export const THREAD_FILES_MAX_BYTES = 1_073_741_824
export const THREAD_FILES_CEILING_BYTES = 10_737_418_240
/**
 * Threads of one workspace, and of those the ones that one key made: the defaults of their settings, and the most that can
 * be set. A thread takes 1 to 6 KB of the workspace's 10 GB (Durable Object storage limit) besides its search texts. A key
 * has a fifth of the table, so that one key cannot fill it alone.
 */
export const THREADS_MAX = 100_000
export const THREADS_PER_KEY = 20_000
export const THREADS_CEILING = 1_000_000
/** A new thread that was admitted counts for this long, if its report does not come: that comes within seconds. */
export const THREAD_ADMITTED_MS = 60_000
/**
 * Search texts of one thread and of a workspace: the defaults of their settings, and the most that can be set. 1 MiB is
 * 2,000 messages of a paragraph. The index doubles the size at most, so 1 GiB leaves most of the 10 GB to all else.
 */
export const THREAD_SEARCH_MAX_BYTES = 1_048_576
export const THREAD_SEARCH_CEILING_BYTES = 67_108_864
export const SEARCH_MAX_BYTES = 1_073_741_824
export const SEARCH_CEILING_BYTES = 2_147_483_648
/**
 * File bytes of all threads that one key made, and of a workspace: the defaults of their settings (20 GiB, 100 GiB: in R2
 * $0.30 and $1.50 a month), and the most that can be set (10 TiB).
 */
export const KEY_FILES_MAX_BYTES = 21_474_836_480
export const WORKSPACE_FILES_MAX_BYTES = 107_374_182_400
export const WORKSPACE_FILES_CEILING_BYTES = 10_995_116_277_760
/**
 * What was replaced or deleted stays in R2 for up to an hour (FILE_STAGED_MS), and does not count as kept. With it the
 * store may hold twice the quota and this: the parts of a few uploads whose length nobody said.
 */
export const FILES_STORED_EXTRA_BYTES = 67_108_864
/**
 * What a thread takes ahead when a tool writes, as much as an eighth of its files and within these bounds: so that small
 * writes ask the workspace once in a while. Near the quota it takes only what it needs.
 */
export const FILE_ROOM_AHEAD_MIN_BYTES = 65_536
export const FILE_ROOM_AHEAD_MAX_BYTES = 1_048_576
/** A workspace that does not say in this time whether files have room is away; the write is refused, and may be tried again. */
export const FILE_ROOM_WAIT_MS = 5_000
/** A thread without files is remembered this long: an older report of its files changes nothing meanwhile. */
export const FILE_ROOM_EMPTY_MS = 24 * 3_600_000
/** The part of a workspace's search texts that threads of one key may have, as of its threads: one key drops only its own. */
export const SEARCH_SHARES = 5
/** Threads, the longest quiet, of which one report may drop search texts when their key has too many. */
export const SEARCH_THREADS_DROPPED = 20
/** Versions of a workspace's settings that are kept: years of changes by hand; a script must not fill the object. */
export const SETTINGS_HISTORY_MAX = 1_000
/** An isolate goes by what it heard of a workspace's settings this long, as it trusts a verified key. */
export const SETTINGS_CACHE_MS = 30_000
/** Workspaces whose settings an isolate remembers: some hundred bytes each. */
export const SETTINGS_CACHE_ENTRIES = 1_000
/** A workspace that does not say its settings in this time is away: it answers in milliseconds. */
export const SETTINGS_WAIT_MS = 1_000
/** One that was away is asked again after this; until then nobody waits for it who knows what it said last. */
export const SETTINGS_RETRY_MS = 5_000

// --- what leaves: src/net/ ------------------------------------------------------------------------------------
/** An address that is fetched; servers refuse request lines of more than 8 KiB (Apache and nginx by default). */
export const URL_MAX_CHARS = 8_192
/** Hosts in one of a workspace's lists; a pattern is a name of at most 253 characters (RFC 1035) and `*.`. */
export const HOST_LIST_MAX = 500
export const HOST_PATTERN_MAX_CHARS = 255
/** Of an address that a refusal quotes. */
export const URL_QUOTE_MAX_CHARS = 300
/** A query of web_search: what Brave takes, and Tavily recommends. */
export const WEB_QUERY_MAX_CHARS = 400
export const WEB_QUERY_MAX_WORDS = 50
/** Hits of one search: a first page; and the most that Tavily and Brave give at once. */
export const SEARCH_HITS = 8
export const SEARCH_HITS_MAX = 20
/** Of a hit: a headline, and two or three sentences. Twenty of them stay under 5,000 tokens with their addresses. */
export const SEARCH_TITLE_MAX_CHARS = 200
export const SEARCH_SNIPPET_MAX_CHARS = 600
/** Searches that the provider may make in one call to the model, at $10 for 1,000: an honest question takes one to three. */
export const SERVER_SEARCHES_MAX = 5
/** US dollars for 1,000 searches that SEARCH_PRICE may state: a hundred times list prices. Typing errors are named, not charged. */
export const SEARCH_PRICE_MAX_USD = 1_000
/** An engine answers within a second or two; SearXNG waits for others, up to 10 s by its own settings. */
export const SEARCH_TIMEOUT_MS = 15_000
/** An answer of 20 hits has 100 KB; SearXNG gives all that it found. */
export const SEARCH_ANSWER_MAX_BYTES = 2_097_152
/** A body grows in memory from this size, doubling up to what its reader takes. */
export const BODY_FIRST_BYTES = 65_536

// --- client ---------------------------------------------------------------------------------------------------
/** First wait before a dropped connection is opened again, and the cap of its doubling: a restart takes about a second. */
export const CLIENT_RETRY_MS = 250
export const CLIENT_RETRY_CAP_MS = 5_000
/** Tries to start a run before the server counts as not running: about two seconds, longer than a restart. */
export const CLIENT_START_TRIES = 4
/** A stream that cannot be opened again this many times in a row, without one new event, is given up (about a minute). */
export const CLIENT_RESUME_TRIES = 16

/** Tries of one request that a server was too busy for, and the longest wait between two, whatever it asks for. */
export const SEND_TRIES = 6
export const SEND_WAIT_CAP_MS = 60_000

// --- sandbox: bash ----------------------------------------------------------------------------------------------
/** Between two looks at the clock inside a command: some 20 µs of work, 2 ms where each step handles a long text. */
export const BASH_SLICE_STEPS = 500
/** A shell lets others in this often; a hundredth of a second is not felt. */
export const BASH_REST_MS = 10
/** The same where the clock stands still while nothing is waited for: what takes some 50 ms. */
export const BASH_REST_STEPS = 1_000_000
/**
 * One command of a shell cannot pause; others wait for it. Sorting 300,000 lines takes half of this. With what a step may
 * take it stays under a second.
 */
export const BASH_STRETCH_MS = 700
/** While a shell waits it is seen that nobody waits for it: a tenth of the above. */
export const BASH_BEAT_MS = 70
/** A shell that gave no sign of life for so long was left by its caller; one command stops for a second at most. */
export const BASH_SILENT_MS = 3_000
/** What a shell that is told to end may still take; then it is ended wherever it is. */
export const BASH_GRACE_MS = 200
export const BASH_GRACE_STEPS = 2_000_000
/** A job that took so long may have left a hundred megabytes; to collect them takes a few milliseconds. */
export const BASH_COLLECT_MS = 250
/** Output is told on in pieces of this size, or at a rest. */
export const BASH_PROGRESS_BYTES = 16_384
/** Of the bytes that a job may hold: one text, or all that passes through one pipe. Copies of it exist at once. */
export const BASH_TEXT_SHARE = 0.125
/** Deeper ones, of calls and of shells in shells, come near the end of JavaScript's own stack. */
export const BASH_CALL_DEPTH = 400
/**
 * Scripts within scripts, by whatever way they are started. Each keeps a copy of the shell's state: of thousands the end
 * takes seconds in which nobody is let in. Honest ones that go down a tree of folders are 30 deep.
 */
export const BASH_SCRIPT_DEPTH = 100
/** Results of one `{1..n}`, of which each is a word of its own. */
export const BASH_BRACES_MAX = 1_000_000
/** Lines by which two files may differ for `diff`: its work grows with their square, to some 200 ms here. */
export const BASH_DIFF_EDITS_MAX = 1_500

// --- sandbox: python ------------------------------------------------------------------------------------------
/**
 * An isolate has 128 MB, and 100 MB counted are a safe peak: 23 MB are the interpreter, its image and its library, so much
 * is the heap (12 MB of it the image) ...
 */
export const PYTHON_HEAP_MAX_BYTES = 52_428_800
/** ... and so much are files, read and written together, that lie in memory at once. */
export const PYTHON_FILES_MAX_BYTES = 23_068_672

// --- sandbox: node --------------------------------------------------------------------------------------------
/** An isolate has 128 MB, and 100 MB counted are a safe peak: 14 MB are the child and its image, so much is the heap ... */
export const NODE_HEAP_MAX_BYTES = 67_108_864
/** ... and so much are files, read and written together, that lie in memory at once; and what one archive may unpack to. */
export const NODE_FILES_MAX_BYTES = 16_777_216
/**
 * What the engine around QuickJS does for it in one go, in which nobody else is served: texts of so many characters are
 * ordered, formatted or cut into words (some 50 ms) ...
 */
export const NODE_INTL_MAX_CHARS = 200_000
/** ... addresses read (50 ms), which may hold a picture ... */
export const NODE_URL_MAX_CHARS = 2_097_152
/** ... and broken JSON described in Node's words; longer ones in QuickJS's. What is parsed for it is no guest's memory. */
export const NODE_JSON_WORDS_CHARS = 1_048_576
