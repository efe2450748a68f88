// From frontmatter fields to what the skill says of itself. Keeps what can be kept; severity is the report's.

import { codePoints, cutText, stripInvisible } from '../../lib/text.ts'
import {
  SKILL_COMPATIBILITY_MAX,
  SKILL_DESCRIPTION_MAX,
  SKILL_LICENSE_MAX,
  SKILL_LISTING_MAX,
  SKILL_TAG_MAX,
  SKILL_TAGS_MAX,
} from '../../limits.ts'
import { CONSUMED, checkFieldNames } from './field-names.ts'
import { quoted } from './finding.ts'
import type { Report } from './finding.ts'
import { checkName, isUsableName } from './name.ts'
import type { SkillMeta } from '../skill.ts'
import { toolNames } from './tool-names.ts'
import { isList, toJson, toText } from './yaml-strings.ts'
import type { Field, YamlValue } from './yaml-strings.ts'

type Fields = ReadonlyMap<string, Field>

/** `folder`: the directory's name, '' when unknown. Null when the skill has no usable name or description. */
export function readMeta(
  list: readonly Field[],
  headerLine: number,
  folder: string,
  report: Report,
): SkillMeta | null {
  const fields: Fields = new Map(list.map((field) => [field.key, field]))
  checkFieldNames(list, report)
  for (const field of list) if (field.cut) addCut(field, report)
  const name = readName(fields, headerLine, folder, report)
  const description = readDescription(fields, headerLine, report)
  const meta = {
    license: readShort(fields.get('license'), SKILL_LICENSE_MAX, report),
    compatibility: readCompatibility(fields.get('compatibility'), report),
    tags: readTags(fields, report),
    allowedTools: readAllowedTools(fields.get('allowed-tools'), report),
    modelInvocable: !readFlag(fields.get('disable-model-invocation'), false, report),
    userInvocable: readFlag(fields.get('user-invocable'), true, report),
    version: readVersion(fields, report),
    changelog: null,
    dependencies: [],
    disallowedTools: [],
    argumentHint: null,
    extra: Object.fromEntries(
      list.filter((field) => !CONSUMED.has(field.key)).map((field) => [field.key, toJson(field.value)]),
    ),
  }
  return name === null || description === null ? null : { name, description, ...meta }
}

function addCut(field: Field, report: Report): void {
  const message = `The value of ${quoted(field.key)} ends at " #": YAML takes the rest for a comment.`
  report.add(
    'value-cut-at-comment',
    'warning',
    field.line,
    message,
    'Put the value in quotes to keep the rest.',
  )
}

function readName(fields: Fields, headerLine: number, folder: string, report: Report): string | null {
  const field = fields.get('name')
  const line = field?.line ?? headerLine
  const written = typeof field?.value === 'string' ? field.value.trim() : ''
  const mend = 'Add a field name: with the name of the folder.'
  if (!field) report.add('name-missing', 'graded', line, 'Missing required field in frontmatter: name.', mend)
  else if (written === '')
    report.add('name-empty', 'graded', line, "Field 'name' must be a non-empty string.", mend)
  const name = field && written !== '' ? clean(written, field, report).normalize('NFKC').trim() : ''
  if (name !== '') {
    checkName(name, written, folder, line, report)
    if (isUsableName(name)) return name
  }
  const fallback = stripInvisible(folder.toWellFormed()).normalize('NFKC').trim()
  if (fallback !== '' && isUsableName(fallback)) return fallback
  report.add('name-unusable', 'error', line, 'Neither the name nor the folder can name a skill.', mend)
  return null
}

function readDescription(fields: Fields, headerLine: number, report: Report): string | null {
  const field = fields.get('description')
  const mend = 'Add a field description: that says what the skill does and when to use it.'
  if (!field) {
    report.add(
      'description-missing',
      'error',
      headerLine,
      'Missing required field in frontmatter: description.',
      mend,
    )
    return null
  }
  const text = readText(field, 'graded', report)?.trim() ?? ''
  const shown = oneLine(clean(text, field, report))
  if (shown === '') {
    report.add(
      'description-empty',
      'error',
      field.line,
      "Field 'description' must be a non-empty string.",
      mend,
    )
    return null
  }
  const length = codePoints(text)
  if (length > SKILL_DESCRIPTION_MAX) {
    const message = `Description exceeds ${SKILL_DESCRIPTION_MAX} character limit (${length} characters).`
    report.add(
      'description-too-long',
      'graded',
      field.line,
      message,
      'Shorten it; move detail into the body.',
    )
  }
  const when = fields.get('when_to_use')
  const more = when ? oneLine(clean(readText(when, 'warning', report) ?? '', when, report)) : ''
  return cutText(more === '' ? shown : `${shown} ${more}`, SKILL_LISTING_MAX)
}

function readCompatibility(field: Field | undefined, report: Report): string | null {
  if (!field) return null
  const text = readText(field, 'graded', report)?.trim() ?? ''
  const length = codePoints(text)
  if (length > SKILL_COMPATIBILITY_MAX) {
    const message = `Compatibility exceeds ${SKILL_COMPATIBILITY_MAX} character limit (${length} characters).`
    report.add('compatibility-too-long', 'graded', field.line, message, 'Shorten it.')
  }
  return cutText(oneLine(clean(text, field, report)), SKILL_COMPATIBILITY_MAX) || null
}

function readShort(field: Field | undefined, max: number, report: Report): string | null {
  if (!field) return null
  return cutText(oneLine(clean(readText(field, 'warning', report) ?? '', field, report)), max) || null
}

function readTags(fields: Fields, report: Report): string[] {
  const own = fields.get('tags')
  const field = own ?? fields.get('metadata')
  const value = own?.value ?? sub(field?.value, 'tags')
  if (!field || value === undefined) return []
  const items = typeof value === 'string' ? value.split(',') : isList(value) ? value : []
  const tags = items
    .filter((item) => typeof item === 'string')
    .map((tag) => oneLine(clean(tag, field, report)))
  const kept = new Set(tags.filter((tag) => tag !== '').map((tag) => cutText(tag, SKILL_TAG_MAX)))
  if (kept.size > SKILL_TAGS_MAX)
    report.add(
      'too-many-tags',
      'warning',
      field.line,
      `Only the first ${SKILL_TAGS_MAX} tags are kept.`,
      'Use fewer.',
    )
  return [...kept].slice(0, SKILL_TAGS_MAX)
}

/** Blank is "not declared": only an explicit empty list takes all tools away. */
function readAllowedTools(field: Field | undefined, report: Report): string[] | null {
  if (!field || field.value === '') return null
  const names = toolNames(field.value)
  if (names === null) {
    const message = "'allowed-tools' is neither a text nor a list of names; it was passed over."
    report.add(
      'allowed-tools-unreadable',
      'warning',
      field.line,
      message,
      'Write: allowed-tools: Read Bash(git:*)',
    )
    return null
  }
  return names.map((name) => oneLine(clean(name, field, report)))
}

function readFlag(field: Field | undefined, otherwise: boolean, report: Report): boolean {
  if (!field) return otherwise
  const word = typeof field.value === 'string' ? field.value.trim().toLowerCase() : ''
  if (['true', 'yes', 'on', '1'].includes(word)) return true
  if (['false', 'no', 'off', '0'].includes(word)) return false
  const message = `${quoted(field.key)} is neither true nor false; taken as ${otherwise}.`
  report.add('flag-unreadable', 'warning', field.line, message, 'Write true or false.')
  return otherwise
}

function readVersion(fields: Fields, report: Report): string | null {
  const field = fields.get('version') ?? fields.get('metadata')
  const value = field?.key === 'metadata' ? sub(field.value, 'version') : field?.value
  return field && typeof value === 'string'
    ? cutText(oneLine(clean(value, field, report)), SKILL_TAG_MAX) || null
    : null
}

function sub(value: YamlValue | undefined, key: string): YamlValue | undefined {
  return value === undefined || typeof value === 'string' || isList(value) ? undefined : value.get(key)
}

/** The text of a field; structure where text belongs is flattened if it is shallow. */
function readText(field: Field, grade: 'graded' | 'warning', report: Report): string | null {
  if (typeof field.value === 'string') return field.value
  const message = `Field ${quoted(field.key)} must be a string.`
  report.add(
    'not-a-string',
    grade,
    field.line,
    message,
    'Write it as one text; quote it if it starts with [ or {.',
  )
  return toText(field.value)
}

/** Takes out what hides text from a reader. Controls and broken Unicode are never honest; zero-width may be. */
function clean(text: string, field: Field, report: Report): string {
  const whole = text.toWellFormed()
  const shown = stripInvisible(whole)
  if (whole !== text || /(?![\t\n])\p{Cc}/u.test(whole)) {
    const message = `Field ${quoted(field.key)} holds control characters or broken Unicode; they were taken out.`
    report.add('control-character', 'graded', field.line, message, 'Remove them.')
  } else if (shown !== whole) {
    const message = `Field ${quoted(field.key)} holds invisible or bidirectional characters; they were taken out.`
    report.add('invisible-character', 'warning', field.line, message, 'Remove them.')
  }
  return shown
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
