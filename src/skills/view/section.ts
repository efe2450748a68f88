// Level 1: the list of skills in the system prompt within its budget, and what changed between two catalogs.

import { closeTag, openTag } from '../../lib/framework-tags.ts'
import { cutText, escapeXml, stripInvisible } from '../../lib/text.ts'
import { INDEX_CONTEXT_SHARE, INDEX_FALLBACK_CHARS, INDEX_MIN_DESCRIPTION } from '../../limits.ts'
import { locationOf } from '../skill.ts'
import type { IndexEntry, SkillIndex } from '../skill.ts'
import { visibleSkills } from './visibility.ts'
import type { Audience } from './visibility.ts'

/** Characters level 1 may take; `contextTokens` null: the model's window is unknown. Four characters a token. */
export function indexBudget(contextTokens: number | null): number {
  return contextTokens === null ? INDEX_FALLBACK_CHARS : Math.floor(contextTokens * INDEX_CONTEXT_SHARE * 4)
}

const LABEL = { public: '[built-in]', custom: '[custom, editable]' } as const

/** A line break in a field could be read as a new entry; a character without shape hides text. */
function oneLine(text: string): string {
  return stripInvisible(text).replace(/\s+/g, ' ').trim()
}

function field(tag: string, text: string): string {
  return `<${tag}>${escapeXml(oneLine(text))}</${tag}>`
}

/** `descriptionMax` in code points; null: the name alone. */
function rendered(entry: IndexEntry, descriptionMax: number | null): string {
  const lines = [openTag('skill'), field('name', entry.name)]
  if (descriptionMax !== null) {
    lines.push(field('description', cutText(oneLine(entry.description), descriptionMax)))
    if (entry.tags.length > 0) lines.push(field('tags', entry.tags.join(', ')))
    lines.push(field('location', locationOf(entry)), field('label', LABEL[entry.category]))
  }
  return [...lines, closeTag('skill')].join('\n')
}

function section(entries: readonly string[], last: readonly string[] = []): string {
  return [openTag('available_skills'), ...entries, ...last, closeTag('available_skills')].join('\n')
}

/** The longest even cut of the descriptions that keeps within the budget, or null when even the shortest does not. */
function cutEvenly(skills: readonly IndexEntry[], budget: number): string | null {
  const attempt = (max: number): string => section(skills.map((entry) => rendered(entry, max)))
  const shortest = attempt(INDEX_MIN_DESCRIPTION)
  if (shortest.length > budget) return null
  let best = shortest
  let low = INDEX_MIN_DESCRIPTION
  let high = Math.max(low, ...skills.map((entry) => entry.description.length))
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const text = attempt(middle)
    if (text.length <= budget) {
      low = middle
      best = text
    } else high = middle - 1
  }
  return best
}

/** As many names as fit, and a line that tells how many do not. */
function namesOnly(skills: readonly IndexEntry[], budget: number): string {
  const names = skills.map((entry) => rendered(entry, null))
  const whole = section(names)
  if (whole.length <= budget) return whole
  const shown: string[] = []
  const text = (): string => {
    const left = names.length - shown.length
    return section(shown, [`${left} more ${left === 1 ? 'skill is' : 'skills are'} not listed here.`])
  }
  for (const name of names) {
    shown.push(name)
    if (text().length <= budget) continue
    shown.pop()
    break
  }
  return text()
}

/**
 * The `<available_skills>` block for skills that are visible already; empty text for none.
 * `budget` in characters: full, then descriptions cut evenly, then names, then as many names as fit.
 */
export function renderSection(skills: readonly IndexEntry[], budget: number): string {
  if (skills.length === 0) return ''
  const full = section(skills.map((entry) => rendered(entry, Number.POSITIVE_INFINITY)))
  if (full.length <= budget) return full
  return cutEvenly(skills, budget) ?? namesOnly(skills, budget)
}

export interface IndexChanges {
  readonly added: readonly IndexEntry[]
  readonly removed: readonly string[]
  /** As they are now. */
  readonly changed: readonly IndexEntry[]
}

/** What this audience would notice between two catalogs, in their order. A switch counts as come or gone. */
export function changesBetween(before: SkillIndex, after: SkillIndex, audience: Audience): IndexChanges {
  const old = new Map(visibleSkills(before, audience).map((entry) => [entry.name, entry]))
  const now = visibleSkills(after, audience)
  const names = new Set(now.map((entry) => entry.name))
  return {
    added: now.filter((entry) => !old.has(entry.name)),
    removed: Array.from(old.keys()).filter((name) => !names.has(name)),
    changed: now.filter((entry) => {
      const was = old.get(entry.name)
      return was !== undefined && (was.digest !== entry.digest || was.category !== entry.category)
    }),
  }
}

/** Name and description as they may stand inside a notice: escaped, one line each. */
export function shownInNotice(entry: IndexEntry): { readonly name: string; readonly description: string } {
  return { name: escapeXml(oneLine(entry.name)), description: escapeXml(oneLine(entry.description)) }
}
