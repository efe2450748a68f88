// Reads the frontmatter fields that are lists of names: tags, dependencies, tools. Reports most of what
// it drops; tags that are not strings are left out silently.

import { codePoints, cutText } from '../../lib/text.ts'
import { SKILL_NAME_MAX_CHARS } from '../../limits/skills.ts'
import { SKILL_DEPENDENCIES_MAX, SKILL_TAG_MAX_CHARS, SKILL_TAGS_MAX, SKILL_TOOLS_MAX } from './limits.ts'
import { clean, oneLine, ownOrMetadata } from './field-text.ts'
import type { Fields } from './field-text.ts'
import { quoted } from './finding.ts'
import type { Report } from './finding.ts'
import { toolNames } from './tool-names.ts'
import { isList } from './yaml-value.ts'
import type { YamlField } from './yaml-value.ts'

export function readTags(fields: Fields, report: Report): string[] {
  const field = ownOrMetadata(fields, 'tags')
  if (!field) return []
  const { value } = field
  const items = typeof value === 'string' ? value.split(',') : isList(value) ? value : []
  const tags = items
    .filter((item) => typeof item === 'string')
    .map((tag) => oneLine(clean(tag, field, report)))
  const distinctTags = new Set(
    tags.filter((tag) => tag !== '').map((tag) => cutText(tag, SKILL_TAG_MAX_CHARS)),
  )
  if (distinctTags.size > SKILL_TAGS_MAX)
    report.add(
      'too-many-tags',
      'warning',
      field.line,
      `There are too many tags; only the first ${SKILL_TAGS_MAX} are kept.`,
      `Use at most ${SKILL_TAGS_MAX} tags.`,
    )
  return [...distinctTags].slice(0, SKILL_TAGS_MAX)
}

/** Null if not declared, blank or unreadable. An explicit empty list allows no tools. */
export function readAllowedTools(field: YamlField | undefined, report: Report): string[] | null {
  return readTools(field, report)
}

/** The names are kept as written: a tool that is unknown now may be added later. */
export function readDisallowedTools(field: YamlField | undefined, report: Report): string[] {
  return readTools(field, report) ?? []
}

function readTools(field: YamlField | undefined, report: Report): string[] | null {
  if (!field || field.value === '') return null
  const names = toolNames(field.value)
  if (names === null) {
    // A restriction that cannot be read is not dropped silently where a skill is checked strictly.
    const message = `${quoted(field.key)} is neither a string nor a list of names; it was ignored.`
    report.add(
      `${field.key}-unreadable`,
      'graded',
      field.line,
      message,
      `Write: ${field.key}: Read Bash(git:*)`,
    )
    return null
  }
  if (names.length > SKILL_TOOLS_MAX) {
    // A shorter list of allowed tools allows less; a shorter list of forbidden ones would allow more.
    const severity = field.key === 'disallowed-tools' ? 'graded' : 'warning'
    const message = `${quoted(field.key)} names ${names.length} tools; only the first ${SKILL_TOOLS_MAX} are used.`
    report.add('too-many-tools', severity, field.line, message, `Name at most ${SKILL_TOOLS_MAX} tools.`)
  }
  return names.slice(0, SKILL_TOOLS_MAX).map((name) => oneLine(clean(name, field, report)))
}

// Version constraints contain these characters, and skill names do not. A list with them names packages, not skills.
const VERSION_CONSTRAINT = /[<>=~^@]/

/**
 * The names of the skills that a skill depends on, from the field or from metadata: a list, or a string with commas or
 * spaces. `ownName` is the name of the skill itself.
 */
export function readDependencies(fields: Fields, ownName: string | null, report: Report): string[] {
  const field = ownOrMetadata(fields, 'dependencies')
  if (!field) return []
  const fix = 'Write the names of skills, as in: dependencies: other-skill, third-skill'
  const { value } = field
  const items = typeof value === 'string' ? value.split(/[\s,]+/) : isList(value) ? value : null
  const textItems = items?.filter((item) => typeof item === 'string')
  if (!items || !textItems || textItems.length < items.length) {
    const message = `${quoted(field.key)} is neither a string nor a list of names; it was ignored.`
    report.add('dependencies-unreadable', 'warning', field.line, message, fix)
    return []
  }
  const names = textItems
    .map((name) => oneLine(clean(name, field, report)).normalize('NFKC'))
    .filter((name) => name !== '')
  const versioned = names.find((name) => VERSION_CONSTRAINT.test(name))
  if (versioned !== undefined) {
    const message = `${quoted(field.key)} names packages (${quoted(versioned)}), not skills; it was ignored.`
    const moveFix = 'List required packages in the field compatibility.'
    report.add('dependencies-not-skills', 'warning', field.line, message, moveFix)
    return []
  }
  const invalidNames = names.filter((name) => !isSkillName(name) || name === ownName)
  if (invalidNames.length > 0) {
    const listedNames = invalidNames.slice(0, 10).map(quoted).join(', ')
    const message = `${quoted(field.key)} contains names that no other skill can have: ${listedNames}. They were ignored.`
    report.add('dependency-name', 'warning', field.line, message, fix)
  }
  const distinctNames = new Set(names.filter((name) => !invalidNames.includes(name)))
  if (distinctNames.size > SKILL_DEPENDENCIES_MAX) {
    const message = `There are too many dependencies; only the first ${SKILL_DEPENDENCIES_MAX} are kept.`
    const countFix = `Depend on at most ${SKILL_DEPENDENCIES_MAX} skills.`
    report.add('too-many-dependencies', 'warning', field.line, message, countFix)
  }
  return [...distinctNames].slice(0, SKILL_DEPENDENCIES_MAX)
}

/** The publishing rule, extended to letters and digits of all scripts, because skills with such names are also loaded. */
function isSkillName(name: string): boolean {
  return (
    codePoints(name) <= SKILL_NAME_MAX_CHARS &&
    name === name.toLowerCase() &&
    /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(name)
  )
}
