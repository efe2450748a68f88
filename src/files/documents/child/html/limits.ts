// The numbers of this folder: unit in the name, then reason and source.

/** Bytes of a page that are read; the largest real ones (specifications, logs) have some ten. It is text twice in memory. */
export const HTML_MAX_BYTES = 8_388_608
/** Characters of it that the parser is given at once: some milliseconds of work. */
export const HTML_PIECE_CHARS = 16_384
/**
 * Elements of the tree that the libraries work on, about 1 KB each; the longest articles of encyclopedias have 30,000. Four
 * texts count as one, and so do four characters that are written as entities: a text is kept in pieces between them.
 */
export const HTML_ELEMENTS_MAX = 40_000
/** Text of the tree: twice what one document may give, as much of a page is not its article. */
export const HTML_TEXT_MAX_CHARS = 2_000_000
/** Elements inside of each other; what is deeper stands in the last of these. Real pages stay under 60; Turndown recurses. */
export const HTML_DEPTH_MAX = 120
/** Elements that are open before the parser begins anew: it looks through them at each end of one. */
export const HTML_PARSER_DEPTH_MAX = 2_000
/** Of one attribute that is kept; longer ones hold data. */
export const HTML_ATTRIBUTE_MAX_CHARS = 4_096
/** What a page says of itself for search engines: title, author, date. */
export const HTML_JSON_LD_MAX_CHARS = 65_536
/** Blanks in a row, where they count: patterns of the libraries are quadratic in them. */
export const HTML_BLANKS_MAX = 200
/** Links that are remembered while a page is read, and that it gives in the end: those of its article come first. */
export const HTML_LINKS_SEEN_MAX = 5_000
/**
 * Steps (turns of loops, calls) that finding the article may take, about 20 million a second; then the whole body is given.
 * Of 311 real pages the largest, 1 MB, takes 6.3 million, all others under 2.5.
 */
export const HTML_ARTICLE_STEPS_MAX = 10_000_000
/** The same of making Markdown of one block, for which real pages take 0.3 million; then its plain text is given. */
export const HTML_BLOCK_STEPS_MAX = 2_000_000
/** Steps after which the clock is looked at, where it runs. */
export const HTML_STEPS_SLICE = 100_000
/** An article with less of the page's text than this, or less than so many characters, is not what the page is about. */
export const HTML_ARTICLE_SHARE_MIN = 0.25
export const HTML_ARTICLE_CHARS_MIN = 250
/** A line of text is broken after this: read_file gives 50,000 characters of lines. */
export const HTML_LINE_MAX_CHARS = 10_000
/** Items of a list, or pieces of a line, that become Markdown at once: the library's time is quadratic in them. */
export const HTML_GROUP_MAX = 200
