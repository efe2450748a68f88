// Formats the numbers of a workbook according to their styles, as a spreadsheet program does.

import { format, getFormatFromId, isDateFormat } from 'numfmt'

import type { Package } from './package.ts'

/** The date format that spreadsheet programs adapt to the locale. A fixed format replaces it, so that month and day are not confused. */
const LOCAL_DATE = 'm/d/yyyy'
const DATE = 'yyyy-mm-dd'
/** Length of the longest format that Excel accepts. */
const PATTERN_MAX_CHARS = 255
const STYLES_MAX = 65_536
/** Number of days between the 1900 and the 1904 date systems of workbooks. */
const DAYS_FROM_1900_TO_1904 = 1_462
/** Number of significant digits. Any more digits would be rounding errors of binary fractions. */
const SIGNIFICANT_DIGITS = 15

/** Formats a number in the style with this index. */
export type FormatNumber = (value: number, style: number) => string

export async function numberFormats(
  parts: Package,
  stylesPart: string,
  is1904: boolean,
): Promise<FormatNumber> {
  const custom = new Map<number, string>()
  const styles: number[] = []
  let inStyles = false
  await parts.xml(stylesPart, {
    open(name, attributes) {
      const id = Number(attributes.get('numFmtId') ?? 0)
      if (name === 'x:numFmt') custom.set(id, attributes.get('formatCode') ?? '')
      if (name === 'x:cellXfs') inStyles = true
      if (name === 'x:xf' && inStyles && styles.length < STYLES_MAX) styles.push(id)
    },
    close(name) {
      if (name === 'x:cellXfs') inStyles = false
    },
  })
  const patterns = new Map<number, string>()
  const patternOf = (style: number): string => {
    const cached = patterns.get(style)
    if (cached !== undefined) return cached
    const id = styles[style] ?? 0
    const pattern = custom.get(id) ?? getFormatFromId(id).replace(LOCAL_DATE, DATE)
    patterns.set(style, pattern.length > PATTERN_MAX_CHARS ? 'General' : pattern)
    return patterns.get(style) ?? 'General'
  }
  return (value, style) => {
    const plainNumber = String(Number(value.toPrecision(SIGNIFICANT_DIGITS)))
    const pattern = patternOf(style)
    if (/^general$|^@$/i.test(pattern)) return plainNumber
    try {
      const days = is1904 && isDateFormat(pattern) ? value + DAYS_FROM_1900_TO_1904 : value
      const formatted = format(pattern, days, { throws: false }).trim()
      // If the format shows nothing or ######, the plain number is more useful.
      return formatted === '' || /^#+$/.test(formatted) ? plainNumber : formatted
    } catch {
      return plainNumber
    }
  }
}
