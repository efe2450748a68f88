// Repairs frontmatter that is not valid YAML. Works field by field, so that one invalid field does not affect the
// others: quotes invalid values or, if that fails, reads them as plain text.

import { FRONTMATTER_SCAN_CHARS } from './limits.ts'
import type { Report } from './finding.ts'
import { quoted } from './finding.ts'
import { prescan } from './prescan.ts'
import { readYaml } from './yaml-strings.ts'
import type { Remark } from './yaml-strings.ts'
import type { YamlField } from './yaml-value.ts'

/** One top-level field: its key and its lines. */
interface Entry {
  readonly key: string
  /** The text after the colon on the first line. */
  readonly inline: string
  readonly lines: readonly string[]
  /** 1-based in the file. */
  readonly line: number
}

const REQUIRED = new Set(['name', 'description'])
const BLOCK_SCALAR = /^[|>][-+0-9]{0,2}(?:\s+#.*)?$/
const CONTINUES = /^(?:\s|#|\]|\}|-(?:\s|$)|$)/
const KEY = /^[\p{L}\p{N}_][^"'{}[\]]*$/u
const NESTED = /^(\s*(?:- +)*)([\w.-]+):[ \t]+(\S.*)$/

/** Reads the usable fields of a header that is not valid YAML. Reports each repair as a warning. */
export function repairFields(
  header: string,
  headerLine: number,
  report: Report,
): { fields: YamlField[]; remarks: Remark[] } {
  const fields: YamlField[] = []
  const remarks: Remark[] = []
  for (const entry of splitEntries(header, headerLine, report)) {
    const read = readEntry(entry, report)
    fields.push(...read.fields)
    remarks.push(...read.remarks)
  }
  return { fields: firstOfEach(fields, remarks), remarks }
}

/** Reads only name and description, without a YAML parser, from a header that is too large. */
export function scanFields(header: string, headerLine: number): YamlField[] {
  const fieldEntries = splitEntries(header.slice(0, FRONTMATTER_SCAN_CHARS), headerLine, null).filter(
    (entry) => REQUIRED.has(entry.key),
  )
  return firstOfEach(fieldEntries.map(plainField), [])
}

function readEntry(
  entry: Entry,
  report: Report,
): { fields: readonly YamlField[]; remarks: readonly Remark[] } {
  const text = entry.lines.join('\n')
  const isSafe = prescan(text) === null
  const parsed = isSafe ? readYaml(text, entry.line) : null
  if (parsed?.ok === true) return parsed.value
  const inline = entry.inline !== '' && !BLOCK_SCALAR.test(entry.inline)
  if (inline || REQUIRED.has(entry.key)) {
    const message = `The value of ${quoted(entry.key)} is not valid YAML, so it was read as plain text.`
    report.add('value-repaired', 'warning', entry.line, message, 'Put the value in quotes.')
    return { fields: [plainField(entry)], remarks: [] }
  }
  const reparsed = isSafe ? readYaml(entry.lines.map(quoteNested).join('\n'), entry.line) : null
  if (reparsed?.ok === true) {
    const message = `A value inside ${quoted(entry.key)} is not valid YAML, so it was read as plain text.`
    report.add('value-repaired', 'warning', entry.line, message, 'Put the value in quotes.')
    return reparsed.value
  }
  const message = `The field ${quoted(entry.key)} is not valid YAML and was ignored.`
  report.add(
    'field-unreadable',
    'warning',
    entry.line,
    message,
    'Check its indentation, quotes and brackets.',
  )
  return { fields: [], remarks: [] }
}

/** Splits the header at its top-level keys. Skips lines that belong to no field, with a single warning. */
function splitEntries(header: string, headerLine: number, report: Report | null): Entry[] {
  const fieldEntries: (Entry & { readonly lines: string[] })[] = []
  let current: (typeof fieldEntries)[number] | undefined
  let strayLine: number | null = null
  for (const [index, line] of header.split('\n').entries()) {
    const start = keyOf(line)
    if (start) {
      current = { ...start, lines: [line], line: headerLine + index }
      fieldEntries.push(current)
    } else if (CONTINUES.test(line)) current?.lines.push(line)
    else {
      current = undefined
      strayLine ??= headerLine + index
    }
  }
  if (strayLine !== null)
    report?.add(
      'line-unreadable',
      'warning',
      strayLine,
      'This line belongs to no field and was ignored.',
      'Remove the line.',
    )
  return fieldEntries
}

function keyOf(line: string): { key: string; inline: string } | null {
  if (CONTINUES.test(line)) return null
  const colon = line.search(/:(?=\s|$)/)
  if (colon < 1) return null
  const key = withoutQuotes(line.slice(0, colon).trim())
  return KEY.test(key) ? { key, inline: line.slice(colon + 1).trim() } : null
}

/** Reads a value as plain text: joins its lines and removes one pair of outer quotes. */
function plainField(entry: Entry): YamlField {
  const first = BLOCK_SCALAR.test(entry.inline) ? '' : entry.inline
  const continuation = entry.lines.slice(1).map((line) => (line.startsWith('#') ? '' : line.trim()))
  const value = withoutQuotes([first, ...continuation].filter((line) => line !== '').join(' '))
  return { key: entry.key, value, line: entry.line, endsAtComment: false }
}

function withoutQuotes(text: string): string {
  const quote = text[0]
  if (quote !== '"' && quote !== "'") return text
  if (text.length > 1 && text.endsWith(quote)) return text.slice(1, -1)
  return text.includes(quote, 1) ? text : text.slice(1)
}

function quoteNested(line: string): string {
  const [, indent, key, value] = NESTED.exec(line) ?? []
  if (indent === undefined || key === undefined || value === undefined || BLOCK_SCALAR.test(value))
    return line
  return `${indent}${key}: ${JSON.stringify(withoutQuotes(value.trim()))}`
}

function firstOfEach(fields: readonly YamlField[], remarks: Remark[]): YamlField[] {
  const first = new Map<string, YamlField>()
  for (const field of fields)
    if (!first.has(field.key)) first.set(field.key, field)
    else remarks.push({ rule: 'duplicate-key', line: field.line, what: field.key })
  return [...first.values()]
}
