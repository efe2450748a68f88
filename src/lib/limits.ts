// The numbers of this folder: unit in the name, then reason and source.

/** A watcher of this process answers in a millisecond or two; one that is away holds nobody up for longer than this. */
export const WATCHER_ANSWER_MS = 1_000
/** Long work rests after so many units of about a microsecond, as counted: others wait a few hundredths of a second. */
export const STEPS_UNITS_AT_ONCE = 20_000
/**
 * Letters and separators kept of what is behind a bracket: the longest name of ours has 18, attributes need the rest.
 * Past it, it is only looked for what ends a tag.
 */
export const TAG_SYMBOLS_MAX = 96
/** Characters whose look an isolate remembers: to find it out takes microseconds, and half a megabyte holds these. */
export const LOOKS_KEPT = 16_384
/** Of options of a question that came as JSON in a text: lists in objects are common, and each level is a call. */
export const OPTIONS_JSON_DEPTH = 8
