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
/** Keys of metadata and context: names, not texts. */
export const PAIR_KEY_MAX_CHARS = 64
/** One entry of a request's context: a page's worth of text; more belongs into the message. */
export const CONTEXT_MAX_CHARS = 16_384
/** Skills that one thread's allow-list names; above any real catalog's size. */
export const ALLOW_MAX_NAMES = 1_000
/** A title is one line in a list. */
export const TITLE_MAX_CHARS = 200
/** The user a key or a hook acts for: an id or an address of the team's own system. */
export const USER_MAX_CHARS = 200
/** Notes on keys and on published versions are read in lists. */
export const KEY_NOTE_MAX_CHARS = 500
export const PUBLISH_NOTE_MAX_CHARS = 2_000
/** A model's name; the longest known have under 64. */
export const MODEL_NAME_MAX_CHARS = 128
/** Live versions that one rollback may go back; more are pinned by digest. */
export const ROLLBACK_MAX_STEPS = 1_000
/** Fields named in one refusal; whoever has more wrong mends these first. */
export const FIELD_ERRORS_MAX = 20
/** A credential in one header; ours have under 200. */
export const BEARER_MAX_CHARS = 512
/** JSON mode answers 202 past this (contract); edges drop silent responses after about five minutes. */
export const JSON_WAIT_MS = 280_000
/** How long a key that went over its lid on requests is refused; the lid itself stands in wrangler.toml. */
export const RATE_BLOCK_MS = 10_000
export const RATE_BLOCKED_KEYS = 10_000
export const PAGE_DEFAULT = 20
export const PAGE_MAX = 100
/** A verified key is trusted this long in one isolate before it is looked up again: the bound on revocation. */
export const KEY_CACHE_MS = 30_000
export const KEY_CACHE_ENTRIES = 1_000
/** A message is counted this long after it was let through: counting must not stand before its answer. */
export const RATE_COUNT_DELAY_MS = 50

// --- events ---------------------------------------------------------------------------------------------------
/** Event numbers promised durably at a time; after a crash `step.restarted` covers what is left of the block. */
export const SEQ_BLOCK = 4_096
/** Edges drop a silent response after minutes; readers see life well before. */
export const SSE_PING_MS = 15_000
/** Bounds how long a revoked key keeps reading and lets deploys drain (contract: 15 minutes). */
export const SSE_LIFE_MS = 15 * 60_000
/** A reader this far behind is cut off and resumes from the log. */
export const SSE_QUEUE_MAX_BYTES = 1_048_576
export const SSE_READERS_MAX = 256
export const SSE_RETRY_MS = 2_000
/** Reading page of the event log: rows pulled into memory at once. */
export const EVENT_PAGE_ROWS = 500

// --- runs -----------------------------------------------------------------------------------------------------
/** Default lids of a run (promise 10); a request may lower or, up to the MAX, raise them. */
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
/** A row of Durable Object SQLite holds 2 MB; a UTF-16 unit is at most 3 bytes of UTF-8. Longer contents are split. */
export const MESSAGE_ROW_MAX_CHARS = 500_000
/** What could not be told to the workspace, or not begun, is tried again after this. */
export const TELL_RETRY_MS = 5_000
/** Runs waiting behind a busy thread (`on_busy: enqueue`). */
export const QUEUE_MAX = 20

// --- model ----------------------------------------------------------------------------------------------------
/** Output asked for in one call; the budget may lower it, never below the floor. */
export const MODEL_MAX_TOKENS = 16_000
export const MODEL_MIN_TOKENS = 1_024
/** A stream that is silent this long is cut and tried again; the API pings far more often. */
export const MODEL_IDLE_MS = 60_000
/** Backoff between model calls when the API does not say: first wait and cap. */
export const MODEL_BACKOFF_MS = 1_000
export const MODEL_BACKOFF_CAP_MS = 30_000
/** Waits shorter than this are kept in memory; longer ones go to the alarm so that the object may sleep. */
export const MODEL_WAIT_IN_MEMORY_MS = 5_000
/** Text and tool input of one model message; beyond it the call fails cleanly. */
export const MODEL_MESSAGE_MAX_BYTES = 8_388_608
/** What a fault quotes of the API's own words: a sentence or two, not a page of HTML. */
export const MODEL_FAULT_MAX_CHARS = 300
/** After the last event the body is read to its end, so that the connection can be used again; a moment is enough. */
export const MODEL_DRAIN_MS = 1_000
/** Assumed where a model's window is unknown. */
export const CONTEXT_TOKENS = 200_000

// --- tools ----------------------------------------------------------------------------------------------------
export const TOOL_TIMEOUT_MS = 30_000
/** What is live is asked before a step's answer is written down; a catalog slower than this is asked by the tools. */
export const ASK_AHEAD_MS = 50
/** What one tool result may put into the context. */
export const TOOL_RESULT_MAX_CHARS = 65_536
/** What an event shows of a result. */
export const TOOL_PREVIEW_CHARS = 500
/** One read of a resource, as deer-flow: head kept, then a hint to ask for a range. */
export const READ_FILE_MAX_CHARS = 50_000
export const LS_MAX_ENTRIES = 500

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
/** Findings of one skill below an error: they travel in each index. */
export const SKILL_FINDINGS_MAX = 50
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
/** Bounds of the walk that looks for skills: real collections nest to 5 and hold under 10,000 folders of skills. */
export const SCAN_MAX_DEPTH = 8
/** Folders visited in one walk, or files of one skill looked at. */
export const SCAN_MAX_ENTRIES = 20_000
/** Directories and files read at once while building: past this the disk gains nothing. */
export const SCAN_CONCURRENCY = 16
/** One bulk call when pushing a build: KV takes 10,000 entries or 100 MB; less, so that progress shows. */
export const PUSH_BATCH_ENTRIES = 500
export const PUSH_BATCH_BYTES = 20_971_520
/** Writes to the local stores at once: workerd gains nothing past this. */
export const PUSH_CONCURRENCY = 16
/** A JSON publish is held in memory as text, then as bytes. */
export const PUBLISH_BODY_MAX_BYTES = 16_777_216
/** Level 1: this share of the model's context, or the fallback where it is unknown. */
export const INDEX_CONTEXT_SHARE = 0.02
export const INDEX_MIN_DESCRIPTION = 120
/** Bytes of bodies and manifests an isolate keeps, by digest. */
export const CONTENT_CACHE_BYTES = 16_777_216
/** One value in that cache: p99 of real resources is 77 KB, and a single huge one must not empty the rest. */
export const CONTENT_CACHE_ITEM_BYTES = 1_048_576
/** Merged indexes an isolate keeps, by their sha-256. */
export const INDEX_CACHE_ENTRIES = 8
/** Level 1 where the model's context is unknown. */
export const INDEX_FALLBACK_CHARS = 8_000
/** An object has six outgoing connections (Workers limits); one is left for the catalog. */
export const STORE_CONCURRENCY = 5
/** A store that hiccups is asked this often before a reader hears of it. */
export const STORE_TRIES = 2
/** A change that finds the catalog moved under it is computed anew; changes queue, so one retry is already rare. */
export const CATALOG_CHANGE_TRIES = 5
/** Versions listed for one skill, newest first; older ones stay in the history and can still be pinned. */
export const SKILL_VERSIONS_LISTED = 200
/** Words of one skill that search knows besides its name and description: they travel in each index. */
export const SEARCH_WORDS_MAX = 48
/** Names offered for one that is unknown. */
export const SUGGESTIONS_MAX = 3
/** Resources listed with a loaded body; the rest is counted. */
export const RESOURCE_LIST_MAX = 100

// --- webhooks -------------------------------------------------------------------------------------------------
/** Standard Webhooks: five minutes both ways. */
export const WEBHOOK_TOLERANCE_S = 300
export const WEBHOOK_BODY_MAX_BYTES = 1_048_576
/** Past the longest retry span of a sender (Standard Webhooks: about three days). */
export const DELIVERY_RETENTION_MS = 14 * 86_400_000
/** Signatures tried in one header, before any hashing. */
export const WEBHOOK_SIGNATURES_MAX = 10
/** A delivery whose run cannot be started is put aside after this many tries. */
export const DELIVERY_TRIES_MAX = 12
export const HOOK_TEMPLATE_MAX_CHARS = 16_384
/** Bounds what one rendering copies: each placeholder may hold the whole body. */
export const HOOK_PLACEHOLDERS_MAX = 100
export const HOOK_NAME_MAX_CHARS = 100
/** Standard Webhooks: a secret has 24 to 64 bytes; ours have as many as the hash. */
export const WEBHOOK_SECRET_MIN_BYTES = 24
export const WEBHOOK_SECRET_MAX_BYTES = 64
export const WEBHOOK_SECRET_BYTES = 32
/** Visible ASCII; the deduplication key of a delivery. Known senders stay under 64. */
export const WEBHOOK_ID_MAX_CHARS = 255
/** First wait after a delivery's run could not be started; doubles up to the cap. Also the least gap of the alarm. */
export const DELIVERY_BACKOFF_MS = 5_000
export const DELIVERY_BACKOFF_CAP_MS = 10 * 60_000
/** A thread accepts in milliseconds; one that hangs must not hold up the deliveries behind it. */
export const DELIVERY_START_TIMEOUT_MS = 30_000
/** What is kept of the words that say why a delivery failed. */
export const DELIVERY_PROBLEM_MAX_CHARS = 500

// --- client ---------------------------------------------------------------------------------------------------
/** First wait before a dropped connection is opened again, and the cap of its doubling: a restart takes about a second. */
export const CLIENT_RETRY_MS = 250
export const CLIENT_RETRY_CAP_MS = 5_000
/** Tries to start a run before the server counts as not running: about two seconds, longer than a restart. */
export const CLIENT_START_TRIES = 4
/** A stream that cannot be opened again this many times in a row, without one new event, is given up (about a minute). */
export const CLIENT_RESUME_TRIES = 16

// --- npm start ------------------------------------------------------------------------------------------------
export const START_PORT = 8_787
/** A new `npm start` waits this long for one whose npm was just killed: it takes half a second to notice. */
export const START_HANDOVER_MS = 3_000
/** Probes overlap: two misses in a row are known 2.5 s after a hang begins, so it is up again within 5 s. */
export const HEALTH_POLL_MS = 500
export const HEALTH_TIMEOUT_MS = 2_000
export const HEALTH_MISSES = 2
/** A first start bundles and pushes everything; a slow disk needs seconds, never a minute. */
export const START_DEADLINE_MS = 60_000
/** Starting again finds everything in place: about a second, a few on a busy machine. */
export const RESTART_DEADLINE_MS = 15_000
/** The runtime restarts itself in under a second; past this the whole server process is replaced. */
export const RECOVER_DEADLINE_MS = 2_500
export const STOP_DEADLINE_MS = 3_000
/** Deaths in a row without one answer in between, after which starting again helps nobody; waits double from the first. */
export const RESTARTS_AT_ONCE = 5
export const RESTART_BACKOFF_MS = 250
/** Editors write a file in several steps; still far below the promised second. */
export const WATCH_DEBOUNCE_MS = 100
/** File watchers miss changes on some file systems: a look at sizes and times, of a bounded number of files. */
export const RESCAN_MS = 2_000
export const RESCAN_MAX_FILES = 20_000

// --- size -----------------------------------------------------------------------------------------------------
/** All uploaded modules, each gzipped, summed; assets are counted apart. A small Worker starts fast. */
export const UPLOAD_MAX_GZIP_BYTES = 500_000
