// Turns frontmatter fields into the skill's metadata. Keeps whatever is usable and reports everything else.

import { codePoints, cutText, stripInvisible } from '../../lib/text.ts'
import { SKILL_DESCRIPTION_MAX_CHARS } from '../../limits/skills.ts'
import {
  SKILL_ARGUMENT_HINT_MAX_CHARS,
  SKILL_CHANGELOG_MAX_CHARS,
  SKILL_COMPATIBILITY_MAX_CHARS,
  SKILL_LICENSE_MAX_CHARS,
  SKILL_LISTING_MAX_CHARS,
  SKILL_TAG_MAX_CHARS,
} from './limits.ts'
import { readCard } from './card.ts'
import { claimOf } from './claims.ts'
import { FIELDS_WITH_PROPERTY, checkFieldNames } from './field-names.ts'
import { clean, oneLine, ownOrMetadata, fieldText } from './field-text.ts'
import type { Fields } from './field-text.ts'
import { quoted } from './finding.ts'
import type { Report } from './finding.ts'
import { readAllowedTools, readDependencies, readDisallowedTools, readTags } from './meta-lists.ts'
import { checkName, isUsableName } from './name.ts'
import type { SkillMeta } from '../skill.ts'
import { isList, toJson } from './yaml-value.ts'
import type { YamlField } from './yaml-value.ts'

/** Null if the skill has no usable name or description. `folder` is the name of its folder, or '' if unknown. */
export function readMeta(
  list: readonly YamlField[],
  headerLine: number,
  folder: string,
  report: Report,
): SkillMeta | null {
  const fields: Fields = new Map(list.map((field) => [field.key, field]))
  checkFieldNames(list, report)
  for (const field of list) if (field.endsAtComment) reportCut(field, report)
  const name = readName(fields, headerLine, folder, report)
  const description = readDescription(fields, headerLine, report)
  const meta = {
    license: readShort(fields.get('license'), SKILL_LICENSE_MAX_CHARS, report),
    compatibility: readCompatibility(fields.get('compatibility'), report),
    tags: readTags(fields, report),
    allowedTools: readAllowedTools(fields.get('allowed-tools'), report),
    modelInvocable: !readFlag(fields.get('disable-model-invocation'), false, report),
    userInvocable: readFlag(fields.get('user-invocable'), true, report),
    version: readShort(ownOrMetadata(fields, 'version'), SKILL_TAG_MAX_CHARS, report),
    changelog: readShort(ownOrMetadata(fields, 'changelog'), SKILL_CHANGELOG_MAX_CHARS, report),
    dependencies: readDependencies(fields, name, report),
    disallowedTools: readDisallowedTools(fields.get('disallowed-tools'), report),
    argumentHint: readHint(fields.get('argument-hint'), report),
    card: readCard(fields, report),
    extra: Object.fromEntries(
      list
        .filter((field) => !FIELDS_WITH_PROPERTY.has(field.key))
        .map((field) => [field.key, toJson(field.value)]),
    ),
  }
  return name === null || description === null ? null : { name, description, ...meta }
}

function reportCut(field: YamlField, report: Report): void {
  const message = `The value of ${quoted(field.key)} ends at " #", because YAML treats the rest as a comment.`
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
  const writtenName = typeof field?.value === 'string' ? field.value.trim() : ''
  const fix = `Add a "name" field that contains the folder's name.`
  if (!field) report.add('name-missing', 'graded', line, 'Missing required field in frontmatter: name.', fix)
  else if (writtenName === '')
    report.add('name-empty', 'graded', line, "Field 'name' must be a non-empty string.", fix)
  const name = field && writtenName !== '' ? clean(writtenName, field, report).normalize('NFKC').trim() : ''
  if (name !== '') {
    checkName(name, writtenName, folder, line, report)
    if (isUsableName(name)) return name
  }
  const fallback = stripInvisible(folder.toWellFormed()).normalize('NFKC').trim()
  if (fallback !== '' && isUsableName(fallback)) return fallback
  report.add(
    'name-unusable',
    'error',
    line,
    `Neither the "name" field nor the folder's name is a valid skill name.`,
    fix,
  )
  return null
}

function readDescription(fields: Fields, headerLine: number, report: Report): string | null {
  const field = fields.get('description')
  const fix = 'Add a field description that says what the skill does and when to use it.'
  if (!field) {
    report.add(
      'description-missing',
      'error',
      headerLine,
      'Missing required field in frontmatter: description.',
      fix,
    )
    return null
  }
  const fullText = fieldText(field, 'graded', report) ?? ''
  const text = fullText.trim()
  const cleanText = oneLine(clean(text, field, report))
  if (cleanText === '') {
    report.add(
      'description-empty',
      'error',
      field.line,
      "Field 'description' must be a non-empty string.",
      fix,
    )
    return null
  }
  // The reference validator also counts the final line break of a folded string.
  const length = codePoints(report.mode === 'strict' ? fullText : text)
  if (length > SKILL_DESCRIPTION_MAX_CHARS) {
    const message = `Description exceeds ${SKILL_DESCRIPTION_MAX_CHARS} character limit (${length} characters).`
    report.add(
      'description-too-long',
      'graded',
      field.line,
      message,
      'Shorten it, and move details into the body.',
    )
  }
  const whenField = fields.get('when_to_use')
  const whenToUse = whenField
    ? oneLine(clean(fieldText(whenField, 'warning', report) ?? '', whenField, report))
    : ''
  const listing = cutText(whenToUse === '' ? cleanText : `${cleanText} ${whenToUse}`, SKILL_LISTING_MAX_CHARS)
  const claim = claimOf(listing)
  if (claim)
    report.add(
      'description-commands',
      'warning',
      field.line,
      `The description claims that the skill ${claim.claim} (${quoted(claim.excerpt)}). The model compares descriptions with the request, and claims like this keep it from using other skills.`,
      'Say what the skill does and when to use it. The model decides the rest.',
    )
  return listing
}

function readCompatibility(field: YamlField | undefined, report: Report): string | null {
  if (!field) return null
  const text = fieldText(field, 'graded', report)?.trim() ?? ''
  const length = codePoints(text)
  if (length > SKILL_COMPATIBILITY_MAX_CHARS) {
    const message = `Compatibility exceeds ${SKILL_COMPATIBILITY_MAX_CHARS} character limit (${length} characters).`
    report.add('compatibility-too-long', 'graded', field.line, message, 'Shorten it.')
  }
  return cutText(oneLine(clean(text, field, report)), SKILL_COMPATIBILITY_MAX_CHARS) || null
}

function readShort(field: YamlField | null | undefined, max: number, report: Report): string | null {
  if (!field) return null
  return cutText(oneLine(clean(fieldText(field, 'warning', report) ?? '', field, report)), max) || null
}

/** Some authors write `[issue] [format]`, which YAML reads as lists. Their items are joined into one hint. */
function readHint(field: YamlField | undefined, report: Report): string | null {
  if (!field || !isList(field.value)) return readShort(field, SKILL_ARGUMENT_HINT_MAX_CHARS, report)
  const items = field.value.filter((item) => typeof item === 'string')
  return readShort({ ...field, value: items.join(' ') }, SKILL_ARGUMENT_HINT_MAX_CHARS, report)
}

function readFlag(field: YamlField | undefined, defaultValue: boolean, report: Report): boolean {
  if (!field) return defaultValue
  const word = typeof field.value === 'string' ? field.value.trim().toLowerCase() : ''
  if (['true', 'yes', 'on', '1'].includes(word)) return true
  if (['false', 'no', 'off', '0'].includes(word)) return false
  const message = `${quoted(field.key)} is neither true nor false; the default, ${defaultValue}, was used.`
  report.add('flag-unreadable', 'warning', field.line, message, 'Write true or false.')
  return defaultValue
}
