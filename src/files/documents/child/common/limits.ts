// The limits of this folder. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

/** Length of the text of one document: about 400 pages. */
export const DOCUMENT_TEXT_MAX_CHARS = 1_000_000
/** Unpacked size of the parts of a DOCX or XLSX, counted while they are read. A million cells of real files take 40 MB. */
export const DOCUMENT_UNPACKED_MAX_BYTES = 134_217_728
/** Unpacked size of one PDF page, which stays in memory until the page is read. */
export const DOCUMENT_PDF_UNPACKED_MAX_BYTES = 33_554_432
/** Unpacked size of all pages of a PDF together. */
export const DOCUMENT_PDF_TOTAL_MAX_BYTES = 1_073_741_824
/** Size of a CSV file, which is held in memory as one string with two bytes per character. */
export const DOCUMENT_CSV_MAX_BYTES = 16_777_216
/** Number of entries in a zip archive. Real DOCX and XLSX files have fewer than 1,000, most of them images. */
export const DOCUMENT_ZIP_ENTRIES_MAX = 10_000
/** Number of XML elements in one document. A million cells are two million elements. */
export const DOCUMENT_XML_ELEMENTS_MAX = 8_000_000
/** Nesting depth of XML elements, each of which takes memory while it is open. Real documents stay below 60. */
export const DOCUMENT_XML_DEPTH_MAX = 400
/** Characters of all shared strings of an XLSX, which stay in memory with up to two bytes per character while it is read. */
export const DOCUMENT_SHARED_CHARS_MAX = 16_777_216
/** Number of shared strings in an XLSX. */
export const DOCUMENT_SHARED_STRINGS_MAX = 1_000_000
/** Length of one cell, because a row is one line. Excel allows 32,767 characters. */
export const DOCUMENT_CELL_MAX_CHARS = 4_000
/** Number of PDF pages that are read. The text of more pages would exceed the text limit anyway. */
export const DOCUMENT_PAGES_MAX = 2_000
/** Number of text items on one PDF page. A dense newspaper page has 20,000. */
export const DOCUMENT_PAGE_ITEMS_MAX = 200_000
/** Number of form fields and notes on one PDF page. The longest forms have a few hundred. */
export const DOCUMENT_PAGE_NOTES_MAX = 2_000
/** Number of bytes read or unpacked before the reader yields to other requests: 3 to 15 ms of work. */
export const DOCUMENT_YIELD_EVERY_BYTES = 131_072
/** Time before the reader yields, on platforms where the clock advances while a Worker computes. */
export const DOCUMENT_YIELD_EVERY_MS = 20
/** Time to read one document, after which the text read so far is returned. The largest benign documents take about 5 s. */
export const DOCUMENT_READ_MAX_MS = 20_000
/**
 * Time without progress after which a reader gives up its document and starts the next one. A reader handles
 * one document at a time, and cannot notice that its caller has disconnected.
 */
export const DOCUMENT_STALLED_AFTER_MS = 3_000
