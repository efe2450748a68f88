// Joins the positioned text items of a page into lines. pdf.js returns them in drawing order, which is the
// reading order in real files.

/** The fields of a pdf.js text item that are used here. */
export interface PdfTextItem {
  readonly str: string
  readonly width: number
  readonly height: number
  /** A transformation matrix. Its last two numbers are the position from the left and from the bottom. */
  readonly transform: readonly number[]
  readonly hasEOL: boolean
}

/** The width of a gap between two columns, as a multiple of the text height. */
const COLUMN_GAP = 1.5
/** The minimum distance of baselines for a new line and for a new paragraph, as multiples of the text height. */
const LINE_STEP = 0.5
const PARAGRAPH_STEP = 1.9

/** The lines of a page, with a blank line between paragraphs and a tab between columns. */
export function pdfLines(pieces: readonly PdfTextItem[]): readonly string[] {
  const lines: string[] = []
  // The pieces of the open line. They are joined only once, because a page may be a single line of very many pieces.
  let parts: string[] = []
  let hasText = false
  let last: { readonly y: number; readonly height: number } | null = null
  let lineStart: { readonly y: number; readonly height: number } | null = null
  let lineDistance = 0
  const close = (): void => {
    if (hasText) {
      if (lineDistance > PARAGRAPH_STEP && lines.length > 0) lines.push('')
      const columns = parts.join('').split('\t')
      lines.push(
        columns
          .map((column) => column.trim())
          .join('\t')
          .trim(),
      )
    }
    parts = []
    hasText = false
  }
  for (const { str, width, height, transform, hasEOL } of pieces) {
    const y = transform[5] ?? 0
    if (str.trim() === '') {
      if (hasText && str !== '') parts.push(last !== null && width > last.height * COLUMN_GAP ? '\t' : ' ')
    } else {
      const size: number = height > 0 ? height : (last?.height ?? 10)
      if (hasText && last !== null && Math.abs(last.y - y) > Math.max(size, last.height) * LINE_STEP) close()
      if (!hasText) {
        lineDistance = lineStart === null ? 0 : (lineStart.y - y) / size
        lineStart = { y, height: size }
      }
      hasText = true
      parts.push(withTexCharacters(str))
      last = { y, height: size }
    }
    if (hasEOL) close()
  }
  close()
  return lines
}

/** Ligatures and dashes in the two encodings of TeX, for fonts that do not name their characters. */
const TEX_CHARACTERS: Readonly<Record<string, string>> = {
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

function withTexCharacters(text: string): string {
  // oxlint-disable-next-line no-control-regex -- replaces control characters
  return text.replace(/[\u0000-\u001f]/g, (char) => TEX_CHARACTERS[char] ?? ' ')
}
