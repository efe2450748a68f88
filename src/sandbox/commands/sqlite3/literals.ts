// Formats values and names as SQL, JSON and CSV.

import { BLOB, FLOAT, NULL, TEXT, type SqlValue } from './database.ts'

/** The shortest digits that represent the same number, always with a fraction, as SQLite 3.43 and later print them. */
export function floatText(value: number): string {
  if (value === Infinity) return '1e999'
  if (value === -Infinity) return '-1e999'
  const [, sign = '', first = '0', rest = '', exponentText = '0'] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential()) ?? []
  const exponent = Number(exponentText)
  if (exponent < -4 || exponent >= 20)
    return `${sign}${first}.${rest || '0'}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  const digits = first + rest
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function hex(bytes: Uint8Array): string {
  return `X'${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}'`
}

export function sqlLiteral(value: SqlValue): string {
  if (value.type === NULL) return 'NULL'
  if (value.type === TEXT) return quoted(value.text)
  if (value.type === BLOB) return hex(value.bytes)
  return value.type === FLOAT ? floatText(value.double) : value.text
}

/** A literal on one line, with line ends inserted by `replace`. */
export function oneLineLiteral(value: SqlValue): string {
  if (value.type !== TEXT || !/[\n\r]/.test(value.text)) return sqlLiteral(value)
  let { text } = value
  let [before, after] = ['', '']
  for (const [end, escapes] of [
    ['\n', ['\\n', '\\012']],
    ['\r', ['\\r', '\\015']],
  ] as const) {
    if (!text.includes(end)) continue
    const mark = unusedMark(text, escapes)
    text = text.replaceAll(end, mark)
    before = `replace(${before}`
    after += `,'${mark}',char(${end.charCodeAt(0)}))`
  }
  return `${before}${quoted(text)}${after}`
}

/** One of the placeholders, or a variant of it, that the text does not contain. */
function unusedMark(text: string, marks: readonly [string, string]): string {
  const unused = marks.find((mark) => !text.includes(mark))
  if (unused !== undefined) return unused
  for (let number = 0; ; number += 1) {
    const mark = `(${marks[0]}${number})`
    if (!text.includes(mark)) return mark
  }
}

export function csvField(text: string, separator: string): string {
  if (text !== '' && /^[!#-&(-~]*$/.test(text) && !text.includes(separator)) return text
  return `"${text.replaceAll('"', '""')}"`
}

/** Like `JSON.stringify`, which has the same short escapes and escapes the same characters. Keeps escaped bytes. */
export function jsonText(text: string): string {
  return text.isWellFormed()
    ? JSON.stringify(text)
    : `"${text.replaceAll(/[^\uD800-\uDFFF]+/g, (part) => JSON.stringify(part).slice(1, -1))}"`
}

export function htmlText(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '<': '&lt;',
    '>': '&gt;',
    '&': '&amp;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replaceAll(/[<>&"']/g, (character) => entities[character] ?? character)
}
