// Level 1: the list of skills in the system prompt within its budget, the most used ones with descriptions longest.

import { closeTag, openTag } from '../../lib/framework-tags.ts'
import { INDEX_CONTEXT_SHARE, INDEX_FALLBACK_CHARS, INDEX_MIN_DESCRIPTION } from './limits.ts'
import { described, xmlField } from '../package/listing.ts'
import type { IndexEntry } from '../skill.ts'

/** Characters level 1 may take; `contextTokens` null: the model's window is unknown. Four characters a token. */
export function indexBudget(contextTokens: number | null): number {
  return contextTokens === null ? INDEX_FALLBACK_CHARS : Math.floor(contextTokens * INDEX_CONTEXT_SHARE * 4)
}

function nameAlone(entry: IndexEntry): string {
  return [openTag('skill'), xmlField('name', entry.name), closeTag('skill')].join('')
}

function section(lines: readonly string[]): string {
  return [openTag('available_skills'), ...lines, closeTag('available_skills')].join('\n')
}

/** Of a section without lines; each line comes with a break of its own. */
const FRAME_CHARS = section([]).length

/** A line of each skill, or null when they do not all fit: with ten thousand most are never rendered. */
function linesWithin(
  skills: readonly IndexEntry[],
  room: number,
  line: (entry: IndexEntry) => string,
): readonly string[] | null {
  const lines: string[] = []
  let left = room
  for (const entry of skills) {
    const text = line(entry)
    left -= text.length + 1
    if (left < 0) return null
    lines.push(text)
  }
  return lines
}

/** All skills, whole or with the longest even cut of their descriptions that fits; null when even the shortest does not. */
function wholeWithin(skills: readonly IndexEntry[], room: number): readonly string[] | null {
  const cutAt = (max: number): readonly string[] | null =>
    linesWithin(skills, room, (entry) => described(entry, max))
  const full = cutAt(Number.POSITIVE_INFINITY)
  if (full) return full
  let best = cutAt(INDEX_MIN_DESCRIPTION)
  if (!best) return null
  let low = INDEX_MIN_DESCRIPTION
  let high = Math.max(low, ...skills.map((entry) => entry.description.length))
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const lines = cutAt(middle)
    if (lines) {
      low = middle
      best = lines
    } else high = middle - 1
  }
  return best
}

/** As many from the front as fit, by the characters that each takes. */
function taken(
  ranked: readonly IndexEntry[],
  room: number,
  chars: (entry: IndexEntry) => number,
): ReadonlySet<IndexEntry> {
  const shown = new Set<IndexEntry>()
  let left = room
  for (const entry of ranked) {
    left -= chars(entry)
    if (left < 0) break
    shown.add(entry)
  }
  return shown
}

const SOME_BY_NAME = 'Where a description is missing, search_skills tells what the skill is for.'

function unlisted(count: number): string {
  return count === 1
    ? '1 more skill is not listed: find it with search_skills.'
    : `${count} more skills are not listed: find them with search_skills.`
}

/** Most used first, then what the team published for itself, then the rest. `known`: how many are not of that rest. */
function byUse(
  skills: readonly IndexEntry[],
  used: readonly string[],
): { readonly ranked: readonly IndexEntry[]; readonly known: number } {
  const places = new Map(used.map((name, place) => [name, place]))
  const place = (entry: IndexEntry): number | undefined => places.get(entry.name)
  const first = skills
    .filter((entry) => place(entry) !== undefined)
    .toSorted((a, b) => (place(a) ?? 0) - (place(b) ?? 0))
  const unused = skills.filter((entry) => place(entry) === undefined)
  const own = unused.filter(({ category }) => category === 'custom')
  const rest = unused.filter(({ category }) => category === 'public')
  return { ranked: [...first, ...own, ...rest], known: first.length + own.length }
}

/**
 * Descriptions for some and names for the rest. Where not even all names fit: the most used and the team's own described
 * in up to half of the room, then names for as many as fit into the other. Rank decides who gets in, the index in which
 * order they stand: two skills that change places in the ranking change nothing of what is shown.
 */
function namesWithin(
  skills: readonly IndexEntry[],
  room: number,
  used: readonly string[],
): readonly string[] {
  const { ranked, known } = byUse(skills, used)
  const chars = (entry: IndexEntry): number => nameAlone(entry).length + 1
  const brief = (entry: IndexEntry): string => described(entry, INDEX_MIN_DESCRIPTION)
  const beside = room - SOME_BY_NAME.length - 1
  if (linesWithin(skills, beside, nameAlone)) {
    const rest = skills.reduce((left, entry) => left - chars(entry), beside)
    const full = taken(ranked, rest, (entry) => brief(entry).length + 1 - chars(entry))
    return [...skills.map((entry) => (full.has(entry) ? brief(entry) : nameAlone(entry))), SOME_BY_NAME]
  }
  const listable = room - unlisted(skills.length).length - 1
  const half = taken(
    ranked.slice(0, known),
    Math.min(listable, Math.floor(room / 2)),
    (entry) => brief(entry).length + 1,
  )
  const first = skills.filter((entry) => half.has(entry)).map(brief)
  const left = first.reduce((space, line) => space - line.length - 1, listable)
  const shown = taken(
    ranked.filter((entry) => !half.has(entry)),
    left,
    chars,
  )
  const rest = skills.filter((entry) => shown.has(entry)).map(nameAlone)
  return [...first, ...rest, unlisted(skills.length - half.size - shown.size)]
}

export interface LevelOne {
  /** The `<available_skills>` block; empty for no skills, and for a budget that not even its frame fits into. */
  readonly text: string
  /** Every skill is listed with a description, cut or not. False: the model needs search_skills to choose well. */
  readonly whole: boolean
}

function rendered(skills: readonly IndexEntry[], budget: number, used: readonly string[]): LevelOne {
  if (skills.length === 0) return { text: '', whole: true }
  const room = budget - FRAME_CHARS
  const whole = wholeWithin(skills, room)
  if (whole) return { text: section(whole), whole: true }
  const text = section(namesWithin(skills, room, used))
  return { text: text.length <= budget ? text : '', whole: false }
}

/** By list, then by names of the most used, then by budget: an older ranking takes what was made with it along. */
const kept = new WeakMap<readonly IndexEntry[], WeakMap<readonly string[], Map<number, LevelOne>>>()

const NONE_USED: readonly string[] = []

/**
 * Level 1 for skills that are visible already, at most `budget` characters: all descriptions; else all, cut evenly
 * but not under INDEX_MIN_DESCRIPTION code points; else names alone for the last in rank (most used, then the team's
 * own, then built-in ones); else used ones and the team's own first, described in up to half of it, as many names as
 * fit, and a line that counts the rest. `used`: names, most used first. Kept for the very same lists and budget.
 */
export function levelOne(
  skills: readonly IndexEntry[],
  budget: number,
  used: readonly string[] = NONE_USED,
): LevelOne {
  const ofList = kept.get(skills) ?? new WeakMap<readonly string[], Map<number, LevelOne>>()
  const known = ofList.get(used) ?? new Map<number, LevelOne>()
  const made = known.get(budget) ?? rendered(skills, budget, used)
  kept.set(skills, ofList.set(used, known.set(budget, made)))
  return made
}
