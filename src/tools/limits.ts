// The numbers of this folder: unit in the name, then reason and source.

/** A question, and its context: what one reads at a glance. */
export const QUESTION_MAX_CHARS = 2_000
/** DeerFlow's caps of a form. */
export const QUESTION_OPTIONS_MAX = 24
export const QUESTION_OPTION_MAX_CHARS = 200
/** Of options that came as JSON in a text. */
export const QUESTION_OPTIONS_JSON_DEPTH = 8
/** How long one tool call may take, unless the tool says otherwise. */
export const TOOL_TIMEOUT_MS = 30_000
/** How long one command may take, unless its caller asks for more. */
export const SANDBOX_WALL_MS = 60_000
/** Characters of one command: scripts above this belong in a file. */
export const SANDBOX_COMMAND_MAX_CHARS = 100_000
/** Scripts of a skill that are looked at when it is loaded, and how far: each has to be read, once an isolate. */
export const FIT_SCRIPTS_MAX = 20
export const FIT_SCRIPT_CHARS = 65_536
/** Characters of a query: a task in a sentence or two. */
export const SEARCH_QUERY_MAX_CHARS = 256
