// Makes texts from frontmatter values safe to show, and reports what was removed. Knows no single field.

import { stripInvisible } from '../../lib/text.ts'
import { quoted } from './finding.ts'
import type { Report } from './finding.ts'
import { isList, yamlText } from './yaml-strings.ts'
import type { YamlField, YamlValue } from './yaml-strings.ts'

export type Fields = ReadonlyMap<string, YamlField>

/** The text of a field. Shallow structure in place of text is flattened. */
export function fieldText(field: YamlField, grade: 'graded' | 'warning', report: Report): string | null {
  if (typeof field.value === 'string') return field.value
  const message = `Field ${quoted(field.key)} must be a string.`
  report.add(
    'not-a-string',
    grade,
    field.line,
    message,
    'Write it as one text; quote it if it starts with [ or {.',
  )
  return yamlText(field.value)
}

/**
 * Removes what hides text from a reader. Control characters and broken Unicode are always errors; zero-width characters
 * may be legitimate.
 */
export function clean(text: string, field: YamlField, report: Report): string {
  const whole = text.toWellFormed()
  const shown = stripInvisible(whole)
  if (whole !== text || /(?![\t\n])\p{Cc}/u.test(whole)) {
    const message = `Field ${quoted(field.key)} holds control characters or broken Unicode; they were removed.`
    report.add('control-character', 'graded', field.line, message, 'Remove them.')
  } else if (shown !== whole) {
    const message = `Field ${quoted(field.key)} holds invisible or bidirectional characters; they were removed.`
    report.add('invisible-character', 'warning', field.line, message, 'Remove them.')
  }
  return shown
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** A top-level field has priority over the same key inside `metadata:`; null when both are missing. */
export function ownOrMetadata(fields: Fields, key: string): YamlField | null {
  const own = fields.get(key)
  if (own) return own
  const metadata = fields.get('metadata')
  const value = metadata?.value
  if (!metadata || value === undefined || typeof value === 'string' || isList(value)) return null
  const inner: YamlValue | undefined = value.get(key)
  return inner === undefined
    ? null
    : { key: `metadata.${key}`, value: inner, line: metadata.line, cut: false }
}
