// The numbers of this folder: unit in the name, then reason and source.

/**
 * Bytes of a page that are read. The largest real pages (specifications, logs) have about ten million. The text is in
 * memory twice.
 */
export const HTML_MAX_BYTES = 8_388_608
/** Characters given to the parser at once: a few milliseconds of work. */
export const HTML_PIECE_CHARS = 16_384
/**
 * Elements of the tree that the libraries process, about 1 KB each. The longest encyclopedia articles have 30,000. Four
 * texts count as one element, and so do four characters written as entities, because linkedom splits texts at them.
 */
export const HTML_ELEMENTS_MAX = 40_000
/** Characters of text in the tree: twice the limit of one document, because much of a page is not its article. */
export const HTML_TEXT_MAX_CHARS = 2_000_000
/**
 * Nesting depth of elements. Deeper elements become children of the last one. Real pages stay under 60, and Turndown
 * recurses.
 */
export const HTML_DEPTH_MAX = 120
/** Open elements after which the parser is replaced by a new one: it searches all of them at each end tag. */
export const HTML_PARSER_DEPTH_MAX = 2_000
/** Characters of an attribute that is kept. Longer attributes hold data. */
export const HTML_ATTRIBUTE_MAX_CHARS = 4_096
/** Characters of the metadata for search engines (JSON-LD): title, author, date. */
export const HTML_JSON_LD_MAX_CHARS = 65_536
/** Consecutive spaces in preformatted text: some patterns of the libraries take quadratic time on them. */
export const HTML_BLANKS_MAX = 200
/** Links collected while a page is read, and links returned. Those of the article come first. */
export const HTML_LINKS_SEEN_MAX = 5_000
/**
 * Steps (loop iterations and calls) to find the article, about 20 million a second. Beyond that the whole body is
 * given. Of 311 real pages the largest, 1 MB, takes 6.3 million, all others under 2.5 million.
 */
export const HTML_ARTICLE_STEPS_MAX = 10_000_000
/**
 * Steps to convert one block to Markdown. Real pages take 0.3 million. Beyond that the block is given as plain text.
 */
export const HTML_BLOCK_STEPS_MAX = 2_000_000
/** Steps between two reads of the clock, where it runs. */
export const HTML_STEPS_SLICE = 100_000
/**
 * An article that makes up a smaller share of the page's text, or has fewer characters, is not treated as the page's
 * main content.
 */
export const HTML_ARTICLE_SHARE_MIN = 0.25
export const HTML_ARTICLE_CHARS_MIN = 250
/** A longer line of text is split: read_file returns up to 50,000 characters in whole lines. */
export const HTML_LINE_MAX_CHARS = 10_000
/** List items, or pieces of a line, that are converted at once: Turndown's time is quadratic in them. */
export const HTML_GROUP_MAX = 200
