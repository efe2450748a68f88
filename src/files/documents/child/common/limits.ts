// The numbers of this folder: unit in the name, then reason and source.

/** Characters of text that one document gives: some 400 pages, read in ranges of lines. More would be longer to make than to leave. */
export const DOCUMENT_TEXT_MAX_CHARS = 1_000_000
/** Bytes that the parts of a DOCX or XLSX unpack to, counted as they do; of a million real cells they are 40 MB. They are read as they come. */
export const DOCUMENT_UNPACKED_MAX_BYTES = 134_217_728
/** The same of one page of a PDF, which lies in memory until the page is read; and of all its pages. */
export const DOCUMENT_PDF_UNPACKED_MAX_BYTES = 33_554_432
export const DOCUMENT_PDF_TOTAL_MAX_BYTES = 1_073_741_824
/** A CSV is one string in memory, two bytes a character. */
export const DOCUMENT_CSV_MAX_BYTES = 16_777_216
/** Entries of a zip; real DOCX and XLSX have under 1,000, most of them images. */
export const DOCUMENT_ZIP_ENTRIES_MAX = 10_000
/** Elements of XML in one document: a million cells are two million elements. */
export const DOCUMENT_XML_ELEMENTS_MAX = 8_000_000
/** Elements inside of each other; real documents stay under 60, and each open one is kept. */
export const DOCUMENT_XML_DEPTH_MAX = 400
/** Characters of strings that the sheets of an XLSX share: kept in memory until all are read, two bytes each at most. */
export const DOCUMENT_SHARED_CHARS_MAX = 16_777_216
export const DOCUMENT_SHARED_STRINGS_MAX = 1_000_000
/** Characters of one cell; Excel holds 32,767, and a row is one line. */
export const DOCUMENT_CELL_MAX_CHARS = 4_000
/** Pages of a PDF that are read; the text of more would not fit anyway. */
export const DOCUMENT_PAGES_MAX = 2_000
/** Pieces of text on one page; a dense page of a newspaper has 20,000. */
export const DOCUMENT_PAGE_ITEMS_MAX = 200_000
/** Form fields and readers' notes of one page; the longest forms have some hundred. */
export const DOCUMENT_PAGE_NOTES_MAX = 2_000
/** Bytes read or unpacked before others have their turn: 3 to 15 ms of work. */
export const DOCUMENT_TURN_BYTES = 131_072
/** The same by the clock, where it runs while a Worker computes. */
export const DOCUMENT_TURN_MS = 20
/** What is read by then is given, as a part: the largest honest documents take about 5 s. */
export const DOCUMENT_READ_MS = 20_000
/** Who reads documents one after the other may be away in the middle of one: after this long without a sign the next begins. */
export const DOCUMENT_SILENT_MS = 3_000
