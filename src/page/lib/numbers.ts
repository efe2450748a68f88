// Recognizes cells of tables that hold a number, so that they can be right-aligned. Pure.

/** A number with an optional sign, currency and short unit: `-1,204.50`, `$4.2M`, `~12 ms`, `85 %`. */
const NUMBER =
  /^[~≈<>≤≥]?\s?[-+−±]?\s?(?:[$€£¥]|US\$)?\s?\d[\d.,'\u00a0\u202f ]*\s?(?:[%‰×°]|°[CF]|[A-Za-zµ]{1,3}|[A-Za-zµ]{1,3}\/[A-Za-z]{1,3})?$/
/** The text of a cell without a value. */
const NO_VALUE = /^(?:[-–—]|n\/a|N\/A|)$/

/** `empty`: the cell fits both a column of numbers and one of text. */
export function cellKind(cell: string): 'number' | 'empty' | 'text' {
  const text = cell.trim()
  if (NO_VALUE.test(text)) return 'empty'
  return text.length <= 24 && NUMBER.test(text) ? 'number' : 'text'
}
