// Pieces of text on a page, each with its place, into lines. pdf.js gives them in the order of the page's own drawing,
// which real producers keep to that of reading.

/** The little of pdf.js's item that counts here. */
export interface PdfTextItem {
  readonly str: string
  readonly width: number
  readonly height: number
  /** The last two are where it stands, from the left and from the bottom. */
  readonly transform: readonly number[]
  readonly hasEOL: boolean
}

/** A gap this many times as wide as the letters are high is one between columns. */
const COLUMN_GAP = 1.5
/** Baselines further apart than this many times the height are two lines; than that, two paragraphs. */
const LINE_STEP = 0.5
const PARAGRAPH_STEP = 1.9

/** Lines of a page, with a blank one between paragraphs and a tab between columns. */
export function pdfLines(pieces: readonly PdfTextItem[]): readonly string[] {
  const lines: string[] = []
  // Of the line that is open: joined once, for a page may be one line of very many pieces.
  let parts: string[] = []
  let filled = false
  let last: { readonly y: number; readonly height: number } | null = null
  let opened: { readonly y: number; readonly height: number } | null = null
  let below = 0
  const close = (): void => {
    if (filled) {
      if (below > PARAGRAPH_STEP && lines.length > 0) lines.push('')
      const columns = parts.join('').split('\t')
      lines.push(
        columns
          .map((column) => column.trim())
          .join('\t')
          .trim(),
      )
    }
    parts = []
    filled = false
  }
  for (const { str, width, height, transform, hasEOL } of pieces) {
    const y = transform[5] ?? 0
    if (str.trim() === '') {
      if (filled && str !== '') parts.push(last !== null && width > last.height * COLUMN_GAP ? '\t' : ' ')
    } else {
      const size: number = height > 0 ? height : (last?.height ?? 10)
      if (filled && last !== null && Math.abs(last.y - y) > Math.max(size, last.height) * LINE_STEP) close()
      if (!filled) {
        below = opened === null ? 0 : (opened.y - y) / size
        opened = { y, height: size }
      }
      filled = true
      parts.push(legible(str))
      last = { y, height: size }
    }
    if (hasEOL) close()
  }
  close()
  return lines
}

/** Ligatures and dashes of TeX's two encodings, by the codes that fonts without names for their letters leave them at. */
const TEX: Readonly<Record<string, string>> = {
  '\u000b': 'ff',
  '\u000c': 'fi',
  '\r': 'fl',
  '\u000e': 'ffi',
  '\u000f': 'ffl',
  '\u0015': '–',
  '\u0016': '—',
  '\u001b': 'ff',
  '\u001c': 'fi',
  '\u001d': 'fl',
  '\u001e': 'ffi',
  '\u001f': 'ffl',
}

function legible(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is replaced
  return text.replace(/[\u0000-\u001f]/g, (char) => TEX[char] ?? ' ')
}
