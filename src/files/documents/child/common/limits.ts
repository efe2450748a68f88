// The numbers of this folder: unit in the name, then reason and source.

/** Characters of text that one document gives: some 400 pages, read in ranges of lines. */
export const DOCUMENT_TEXT_MAX_CHARS = 1_000_000
/** Bytes that the parts of a DOCX or XLSX unpack to, counted while they are read. A million real cells take 40 MB. */
export const DOCUMENT_UNPACKED_MAX_BYTES = 134_217_728
/** The same for one page of a PDF, which is in memory until the page is read, and for all pages of a PDF. */
export const DOCUMENT_PDF_UNPACKED_MAX_BYTES = 33_554_432
export const DOCUMENT_PDF_TOTAL_MAX_BYTES = 1_073_741_824
/** A CSV is one string in memory, two bytes a character. */
export const DOCUMENT_CSV_MAX_BYTES = 16_777_216
/** Entries of a zip. Real DOCX and XLSX files have under 1,000, most of them images. */
export const DOCUMENT_ZIP_ENTRIES_MAX = 10_000
/** Elements of XML in one document: a million cells are two million elements. */
export const DOCUMENT_XML_ELEMENTS_MAX = 8_000_000
/** Nesting depth of elements. Real documents stay under 60, and each open element takes memory. */
export const DOCUMENT_XML_DEPTH_MAX = 400
/**
 * Characters of the strings that the sheets of an XLSX share. They are kept in memory until all are read, at most two
 * bytes each.
 */
export const DOCUMENT_SHARED_CHARS_MAX = 16_777_216
export const DOCUMENT_SHARED_STRINGS_MAX = 1_000_000
/** Characters of one cell; Excel holds 32,767, and a row is one line. */
export const DOCUMENT_CELL_MAX_CHARS = 4_000
/** Pages of a PDF that are read. The text of more pages would exceed the text limit anyway. */
export const DOCUMENT_PAGES_MAX = 2_000
/** Pieces of text on one page; a dense page of a newspaper has 20,000. */
export const DOCUMENT_PAGE_ITEMS_MAX = 200_000
/** Form fields and readers' notes of one page. The longest forms have a few hundred. */
export const DOCUMENT_PAGE_NOTES_MAX = 2_000
/** Bytes read or unpacked before the reader yields to other requests: 3 to 15 ms of work. */
export const DOCUMENT_TURN_BYTES = 131_072
/** The same as time, where the clock runs while a Worker computes. */
export const DOCUMENT_TURN_MS = 20
/** The time to read one document. The text read by then is returned. The largest benign documents take about 5 s. */
export const DOCUMENT_READ_MS = 20_000
/**
 * A reader handles one document at a time, and its caller may disconnect. After this long without progress the next
 * document starts.
 */
export const DOCUMENT_SILENT_MS = 3_000
