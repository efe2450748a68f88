// Reads the fields of `metadata` that say how the page suggests a skill: title, summary, icon and examples. They are only for display, so
// whatever cannot be used is left out.

import { cutText } from '../../lib/text.ts'
import type { SuggestionCard } from '../skill.ts'
import { clean, oneLine, ownOrMetadata } from './field-text.ts'
import type { Fields } from './field-text.ts'
import type { Report } from './finding.ts'
import {
  SKILL_EXAMPLE_MAX_CHARS,
  SKILL_EXAMPLES_MAX,
  SKILL_SUMMARY_MAX_CHARS,
  SKILL_TAG_MAX_CHARS,
  SKILL_TITLE_MAX_CHARS,
} from './limits.ts'
import { isList } from './yaml-value.ts'

/** Null if the skill declares none of these fields. */
export function readCard(fields: Fields, report: Report): SuggestionCard | null {
  const title = linesOf(fields, 'title', SKILL_TITLE_MAX_CHARS, report)[0] ?? null
  const summary = linesOf(fields, 'summary', SKILL_SUMMARY_MAX_CHARS, report)[0] ?? null
  const icon = linesOf(fields, 'icon', SKILL_TAG_MAX_CHARS, report)[0] ?? null
  const examples = linesOf(fields, 'examples', SKILL_EXAMPLE_MAX_CHARS, report)
  if (title === null && summary === null && icon === null && examples.length === 0) return null
  return { title, summary, icon, examples: examples.slice(0, SKILL_EXAMPLES_MAX) }
}

/** The lines of a text, or the items of a list, that are not empty. */
function linesOf(fields: Fields, key: string, charsMax: number, report: Report): readonly string[] {
  const field = ownOrMetadata(fields, key)
  if (!field) return []
  const { value } = field
  const lines = typeof value === 'string' ? value.split('\n') : isList(value) ? value : []
  return lines
    .filter((line) => typeof line === 'string')
    .map((line) => cutText(oneLine(clean(line, field, report)), charsMax))
    .filter((line) => line !== '')
}
