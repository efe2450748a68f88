// The numbers of this folder: unit in the name, then reason and source.

/** A definition as JSON: with the largest body that public APIs describe it has about 50 KB. */
export const HTTP_TOOL_MAX_BYTES = 65_536
/** What the model reads in each request: a page. Longer instructions belong into a skill. */
export const HTTP_TOOL_DESCRIPTION_MAX_CHARS = 4_000
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
/** What a model is told of an input that does not fit: it fixes these, and hears of the others then. */
export const HTTP_TOOL_FAULTS_SHOWN = 8
