// Renders level 1, the list of skills in the system prompt, within a budget. The less a skill is used, the sooner it
// loses its description.

import { closeTag, openTag } from '../../lib/framework-tags.ts'
import { INDEX_CONTEXT_SHARE, INDEX_FALLBACK_MAX_CHARS, INDEX_DESCRIPTION_MIN_CHARS } from './limits.ts'
import { skillListing, xmlField } from '../package/listing.ts'
import type { IndexEntry } from '../skill.ts'

/**
 * Maximum characters of level 1, assuming four characters per token. `contextTokens` is null if the size of the model's
 * context is unknown.
 */
export function indexBudget(contextTokens: number | null): number {
  return contextTokens === null
    ? INDEX_FALLBACK_MAX_CHARS
    : Math.floor(contextTokens * INDEX_CONTEXT_SHARE * 4)
}

function nameOnly(entry: IndexEntry): string {
  return [openTag('skill'), xmlField('name', entry.name), closeTag('skill')].join('')
}

function sectionText(lines: readonly string[]): string {
  return [openTag('available_skills'), ...lines, closeTag('available_skills')].join('\n')
}

/** The characters of a section without lines. Each line adds its length and a line break. */
const FRAME_CHARS = sectionText([]).length

/** A line for each skill, or null if they do not all fit. Stops rendering as soon as one does not fit. */
function linesWithin(
  skills: readonly IndexEntry[],
  maxChars: number,
  line: (entry: IndexEntry) => string,
): readonly string[] | null {
  const lines: string[] = []
  let remainingChars = maxChars
  for (const entry of skills) {
    const text = line(entry)
    remainingChars -= text.length + 1
    if (remainingChars < 0) return null
    lines.push(text)
  }
  return lines
}

/**
 * Lines for all skills with their descriptions, cut if necessary to the greatest common length that fits; null if even
 * the shortest allowed descriptions do not fit.
 */
function describedLinesWithin(skills: readonly IndexEntry[], maxChars: number): readonly string[] | null {
  const linesCutAt = (descriptionMax: number): readonly string[] | null =>
    linesWithin(skills, maxChars, (entry) => skillListing(entry, descriptionMax))
  const full = linesCutAt(Number.POSITIVE_INFINITY)
  if (full) return full
  let best = linesCutAt(INDEX_DESCRIPTION_MIN_CHARS)
  if (!best) return null
  let low = INDEX_DESCRIPTION_MIN_CHARS
  let high = Math.max(low, ...skills.map((entry) => entry.description.length))
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const lines = linesCutAt(middle)
    if (lines) {
      low = middle
      best = lines
    } else high = middle - 1
  }
  return best
}

/** As many skills from the start of the list as fit. `chars` returns the characters that a skill takes. */
function takeFitting(
  ranked: readonly IndexEntry[],
  maxChars: number,
  chars: (entry: IndexEntry) => number,
): ReadonlySet<IndexEntry> {
  const shown = new Set<IndexEntry>()
  let remainingChars = maxChars
  for (const entry of ranked) {
    remainingChars -= chars(entry)
    if (remainingChars < 0) break
    shown.add(entry)
  }
  return shown
}

const MISSING_DESCRIPTIONS_NOTE = 'Where a description is missing, search_skills shows what the skill is for.'

function unlistedNote(count: number): string {
  return count === 1
    ? '1 more skill is not listed: find it with search_skills.'
    : `${count} more skills are not listed: find them with search_skills.`
}

/** Ranks skills: most used first, then unused custom skills, then the others. `knownCount` is the number before the others. */
function rankByUse(
  skills: readonly IndexEntry[],
  used: readonly string[],
): { readonly ranked: readonly IndexEntry[]; readonly knownCount: number } {
  const ranks = new Map(used.map((name, rank) => [name, rank]))
  const rank = (entry: IndexEntry): number | undefined => ranks.get(entry.name)
  const first = skills
    .filter((entry) => rank(entry) !== undefined)
    .toSorted((a, b) => (rank(a) ?? 0) - (rank(b) ?? 0))
  const unused = skills.filter((entry) => rank(entry) === undefined)
  const custom = unused.filter(({ category }) => category === 'custom')
  const rest = unused.filter(({ category }) => category === 'public')
  return { ranked: [...first, ...custom, ...rest], knownCount: first.length + custom.length }
}

/**
 * Lines with descriptions for the highest-ranked skills and only names for the others. If not even all names fit, up
 * to half of the space is for used and custom skills with descriptions, and the remaining space for names. Lines are
 * in the order of the index, so that two skills that swap ranks change nothing.
 */
function mixedLinesWithin(
  skills: readonly IndexEntry[],
  maxChars: number,
  used: readonly string[],
): readonly string[] {
  const { ranked, knownCount } = rankByUse(skills, used)
  const chars = (entry: IndexEntry): number => nameOnly(entry).length + 1
  const shortListing = (entry: IndexEntry): string => skillListing(entry, INDEX_DESCRIPTION_MIN_CHARS)
  const listChars = maxChars - MISSING_DESCRIPTIONS_NOTE.length - 1
  if (linesWithin(skills, listChars, nameOnly)) {
    const rest = skills.reduce((remainingChars, entry) => remainingChars - chars(entry), listChars)
    const full = takeFitting(ranked, rest, (entry) => shortListing(entry).length + 1 - chars(entry))
    return [
      ...skills.map((entry) => (full.has(entry) ? shortListing(entry) : nameOnly(entry))),
      MISSING_DESCRIPTIONS_NOTE,
    ]
  }
  const listable = maxChars - unlistedNote(skills.length).length - 1
  const described = takeFitting(
    ranked.slice(0, knownCount),
    Math.min(listable, Math.floor(maxChars / 2)),
    (entry) => shortListing(entry).length + 1,
  )
  const first = skills.filter((entry) => described.has(entry)).map(shortListing)
  const remainingChars = first.reduce((space, line) => space - line.length - 1, listable)
  const shown = takeFitting(
    ranked.filter((entry) => !described.has(entry)),
    remainingChars,
    chars,
  )
  const rest = skills.filter((entry) => shown.has(entry)).map(nameOnly)
  return [...first, ...rest, unlistedNote(skills.length - described.size - shown.size)]
}

export interface LevelOne {
  /** The `<available_skills>` block; empty if there are no skills or the budget is too small for any. */
  readonly text: string
  /** True if every skill is listed with a description, possibly cut. If not, the model needs search_skills. */
  readonly whole: boolean
}

function renderLevelOne(skills: readonly IndexEntry[], budget: number, used: readonly string[]): LevelOne {
  if (skills.length === 0) return { text: '', whole: true }
  const maxChars = budget - FRAME_CHARS
  const whole = describedLinesWithin(skills, maxChars)
  if (whole) return { text: sectionText(whole), whole: true }
  const text = sectionText(mixedLinesWithin(skills, maxChars, used))
  return { text: text.length <= budget ? text : '', whole: false }
}

/** Caches level 1 by list of skills, by ranking and by budget. */
const levelOneCache = new WeakMap<readonly IndexEntry[], WeakMap<readonly string[], Map<number, LevelOne>>>()

const NONE_USED: readonly string[] = []

/**
 * Level 1 for visible skills, in at most `budget` characters. Uses the first form that fits: all descriptions; all
 * descriptions cut to a common length of at least INDEX_DESCRIPTION_MIN_CHARS code points; only names for the lowest-ranked
 * skills; used and custom skills in up to half of the space, as many names as fit, and a line that counts the skills
 * left out. `used` lists names, most used first. Cached for the same lists and budget.
 */
export function levelOne(
  skills: readonly IndexEntry[],
  budget: number,
  used: readonly string[] = NONE_USED,
): LevelOne {
  const byRanking = levelOneCache.get(skills) ?? new WeakMap<readonly string[], Map<number, LevelOne>>()
  const byBudget = byRanking.get(used) ?? new Map<number, LevelOne>()
  const result = byBudget.get(budget) ?? renderLevelOne(skills, budget, used)
  levelOneCache.set(skills, byRanking.set(used, byBudget.set(budget, result)))
  return result
}
