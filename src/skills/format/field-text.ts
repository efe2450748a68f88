// Turns frontmatter values into text that is safe to display, and reports what was removed. Used for all fields.

import { stripInvisible } from '../../lib/text.ts'
import { quoted } from './finding.ts'
import type { Report } from './finding.ts'
import { isList, yamlText } from './yaml-value.ts'
import type { YamlField, YamlValue } from './yaml-value.ts'

export type Fields = ReadonlyMap<string, YamlField>

/** The text of a field. Lists and maps of strings are flattened into text; null for deeper structures. */
export function fieldText(field: YamlField, grade: 'graded' | 'warning', report: Report): string | null {
  if (typeof field.value === 'string') return field.value
  const message = `Field ${quoted(field.key)} must be a string.`
  report.add(
    'not-a-string',
    grade,
    field.line,
    message,
    'Write it as a single string; put it in quotes if it starts with [ or {.',
  )
  return yamlText(field.value)
}

/**
 * Removes characters that hide text from readers. Control characters and invalid Unicode are errors in strict mode;
 * invisible characters are only a warning, because some are legitimate.
 */
export function clean(text: string, field: YamlField, report: Report): string {
  const wellFormed = text.toWellFormed()
  const visible = stripInvisible(wellFormed)
  if (wellFormed !== text || /(?![\t\n])\p{Cc}/u.test(wellFormed)) {
    const message = `Field ${quoted(field.key)} contains control characters or invalid Unicode; they were removed.`
    report.add('control-character', 'graded', field.line, message, 'Remove them.')
  } else if (visible !== wellFormed) {
    const message = `Field ${quoted(field.key)} contains invisible or bidirectional characters; they were removed.`
    report.add('invisible-character', 'warning', field.line, message, 'Remove them.')
  }
  return visible
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The top-level field with this key, otherwise the key inside `metadata`; null if both are missing. */
export function ownOrMetadata(fields: Fields, key: string): YamlField | null {
  const topLevel = fields.get(key)
  if (topLevel) return topLevel
  const metadata = fields.get('metadata')
  const value = metadata?.value
  if (!metadata || value === undefined || typeof value === 'string' || isList(value)) return null
  const inner: YamlValue | undefined = value.get(key)
  return inner === undefined
    ? null
    : { key: `metadata.${key}`, value: inner, line: metadata.line, endsAtComment: false }
}
