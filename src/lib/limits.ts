// Limits of this folder: unit in the name, then reason and source.

/** A watcher answers in a millisecond or two; a missing one delays nobody longer than this. */
export const WATCHER_ANSWER_MS = 1_000
/** Long work yields after this many units of about a microsecond: others wait a few hundredths of a second. */
export const STEPS_UNITS_AT_ONCE = 20_000
/**
 * Letters and separators kept after a bracket: our longest name has 18, attributes need the rest. Beyond this, only the end of
 * the tag is looked for.
 */
export const TAG_SYMBOLS_MAX = 96
/** Characters whose look an isolate caches: computing it takes microseconds; the cache takes half a megabyte. */
export const LOOKS_KEPT = 16_384
/** JSON depth of options given as text: lists in objects are common, and each level is a recursive call. */
export const OPTIONS_JSON_DEPTH = 8
