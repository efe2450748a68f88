// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

import { DAY_MS } from '../lib/clock.ts'

/**
 * How long deliveries are remembered: a captured delivery without a signed time could be sent again until then. Senders retry for
 * a few days at most.
 */
export const DELIVERY_RETENTION_MS = 90 * DAY_MS
/** Within this time, equal bytes of a sender that gives no IDs are the same delivery. Such senders retry within minutes. */
export const DELIVERY_REPEAT_WINDOW_MS = 300_000
/**
 * Maximum number of genuine deliveries of a hook in each window. Each takes writes of its object and a place among the workspace's runs.
 * 500 a second are several times what a busy sender sends.
 */
export const DELIVERIES_PER_WINDOW_MAX = 5_000
export const DELIVERY_RATE_WINDOW_MS = 10_000
/**
 * How long a hook waits after it started a run, if `deliveries` arrived within the last `withinMs`: `factor` times as long as the start
 * took, but at most `maxMs`. Without it, 1,000 deliveries at once or 100 a second were answered after seconds, because their runs used
 * all of the isolate. A hook that receives ten a second does not wait.
 */
export const START_COOLDOWN = { deliveries: 10, withinMs: 500, factor: 6, maxMs: 1_000 }
/** How long an object collects counts before it reports them: a call a second at most, and little is lost if it ends. */
export const COUNTS_REPORT_DELAY_MS = 1_000
/** How many IDs an isolate remembers as genuine, 100 bytes each, so that each delivery saves a MAC. */
export const GENUINE_IDS_MAX = 1_000
export const HOOK_TEMPLATE_MAX_CHARS = 16_384
/**
 * Maximum number of placeholders in a template. Each may insert the entire body, so this limits the rendered
 * message.
 */
export const HOOK_PLACEHOLDERS_MAX = 100
/** Maximum length of a hook's name, which appears in lists. */
export const HOOK_NAME_MAX_CHARS = 100
/** Bounds of how long a replaced secret stays valid. The default gives an operator a day to change the sender. */
export const SECRET_OVERLAP_DEFAULT_S = 86_400
export const SECRET_OVERLAP_MAX_S = 604_800
/** Maximum number of conditions of a filter, of values of `in`, and of characters of a pattern or compared text. */
export const FILTER_CONDITIONS_MAX = 20
export const FILTER_VALUES_MAX = 100
export const FILTER_VALUE_MAX_CHARS = 1_000
/** Maximum size of a compiled pattern, which its time is proportional to; it allows a few hundred characters. */
export const FILTER_PATTERN_STEPS_MAX = 2_000
/** How much of a value a pattern is matched against: patterns look for words, and this takes milliseconds. */
export const FILTER_TEXT_MAX_CHARS = 65_536
/** How long bodies and headers are kept: the default and the maximum, which is how long deliveries are remembered. */
export const KEEP_DAYS_DEFAULT = 7
export const KEEP_DAYS_MAX = 90
/** Maximum size of all kept bodies and headers of a hook: 5 % of what its object can store. The oldest are dropped first. */
export const KEPT_MAX_BYTES = 512 * 1024 * 1024
/** Maximum size of the stored headers of a delivery. Senders use a few hundred bytes; longer values are cut. */
export const KEPT_HEADERS_MAX_BYTES = 16_384
/** Maximum number of rows for other bodies under one ID; later ones are only counted. */
export const MISMATCH_ROWS_MAX = 10
/** How much of the bodies one search of the log reads, newest first. It takes a fraction of a second; the next page continues. */
export const LOG_SEARCH_MAX_BYTES = 16 * 1024 * 1024
