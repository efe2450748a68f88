// The limits of this folder. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

/** Number of bytes of a page that are read, because the text is in memory twice. The largest real pages have about ten million. */
export const HTML_MAX_BYTES = 8_388_608
/** Number of characters passed to the parser at a time: a few milliseconds of work. */
export const HTML_PIECE_CHARS = 16_384
/**
 * Number of elements in a page's tree, about 1 KB each. The longest encyclopedia articles have 30,000. Four text nodes count as one
 * element, and so do four characters that linkedom writes as entities, because it splits text nodes at them.
 */
export const HTML_ELEMENTS_MAX = 40_000
/** Length of all text in the tree: twice the limit for a document, because much of a page does not belong to its article. */
export const HTML_TEXT_MAX_CHARS = 2_000_000
/** Nesting depth of elements, because Turndown is recursive. A deeper element becomes a child of the deepest allowed element. Real pages stay below 60. */
export const HTML_DEPTH_MAX = 120
/** Number of open elements after which a new parser replaces the current one, which searches all of them at each end tag. */
export const HTML_PARSER_DEPTH_MAX = 2_000
/** Length to which attributes are truncated. Longer ones contain data. */
export const HTML_ATTRIBUTE_MAX_CHARS = 4_096
/** Length of the metadata for search engines (JSON-LD), which contain title, author and date. */
export const HTML_JSON_LD_MAX_CHARS = 65_536
/** Maximum number of consecutive spaces in preformatted text, because some patterns of the libraries take quadratic time on them. */
export const HTML_BLANKS_MAX_CHARS = 200
/** Number of links collected while a page is read. */
export const HTML_LINKS_SEEN_MAX = 5_000
/**
 * Number of steps (loop iterations and calls) for finding the article, after which the entire body is used. A
 * second has about 20 million steps. Of 311 real pages the largest (1 MB) takes 6.3 million, and all others
 * take fewer than 2.5 million.
 */
export const HTML_ARTICLE_STEPS_MAX = 10_000_000
/** Number of steps for converting one block to Markdown, after which it becomes plain text. Blocks of real pages take 0.3 million. */
export const HTML_BLOCK_STEPS_MAX = 2_000_000
/** Number of steps between two reads of the clock. */
export const HTML_STEPS_PER_CLOCK_READ = 100_000
/**
 * An article that makes up a smaller share of the page's text, or has fewer characters, is not treated as the page's
 * main content.
 */
export const HTML_ARTICLE_MIN_FRACTION = 0.25
export const HTML_ARTICLE_MIN_CHARS = 250
/** Length beyond which a line is split, because read_file returns up to 50,000 characters in complete lines. */
export const HTML_LINE_MAX_CHARS = 10_000
/** Number of list items or inline nodes that are converted together. Turndown takes time quadratic in their number. */
export const HTML_GROUP_NODES_MAX = 200
