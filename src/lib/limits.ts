// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/**
 * Timeout for the watcher, which normally responds within two milliseconds. A missing watcher delays a call no
 * longer than this.
 */
export const WATCHER_TIMEOUT_MS = 1_000
/**
 * Number of units (of about a microsecond) after which long work pauses, so that other requests wait only a few
 * hundredths of a second.
 */
export const UNITS_BETWEEN_PAUSES = 20_000
/**
 * Maximum number of symbols after a bracket that are compared with tag names: our longest name has 18, and the rest
 * allows for attributes. After that, only the end of the tag is searched for.
 */
export const TAG_SYMBOLS_MAX = 96
/**
 * Number of characters whose look-alikes an isolate caches: computing one takes microseconds, and the cache
 * takes half a megabyte.
 */
export const CACHED_LOOK_ALIKES_MAX = 16_384
/**
 * Maximum nesting depth of options that are sent as JSON text: lists in objects are common, and each level is
 * a recursive call.
 */
export const OPTIONS_JSON_MAX_DEPTH = 8
/** Numbers of consecutive blanks and of empty lines that are shown unchanged. More could push text out of sight. */
export const BLANKS_SHOWN_MAX = 40
export const EMPTY_LINES_SHOWN_MAX = 8
/** Number of consecutive invisible characters that are marked individually; the rest are only counted. */
export const INVISIBLE_CHARS_MARKED_MAX = 4
