// The limits of this folder: unit in the name, then reason and source.

/**
 * Timeout for the watcher, which normally responds within two milliseconds; a missing one delays a call no
 * longer than this.
 */
export const WATCHER_ANSWER_MS = 1_000
/**
 * Long work yields after this many units of about a microsecond, so that others wait a few hundredths of a
 * second.
 */
export const STEPS_UNITS_AT_ONCE = 20_000
/**
 * How many letters and separators after a bracket are kept: our longest name has 18, and the others are for
 * attributes. After that, only the end of the tag is searched for.
 */
export const TAG_SYMBOLS_MAX = 96
/**
 * Number of characters whose look-alikes an isolate caches: computing one takes microseconds, and the cache
 * takes half a megabyte.
 */
export const CACHED_LOOKS_MAX = 16_384
/**
 * Maximum nesting depth of options that are sent as JSON text: lists in objects are common, and each level is
 * a recursive call.
 */
export const OPTIONS_JSON_DEPTH = 8
