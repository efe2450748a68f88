// Which skills a query finds, best first, and why. Ranks only what it is handed: callers hand in visible skills.

import { MATCH_TEXT_MAX_CHARS, SEARCH_RESULTS_MAX } from '../../limits/skills.ts'
import { MATCH_REASONS_MAX, SEARCH_TERMS_MAX } from './limits.ts'
import type { IndexEntry } from '../skill.ts'
import { buildEngine, searchFields, type SkillSearchEngine, type SearchField } from './engine.ts'
import { readQuery } from './query.ts'
import { fold, rawTerms, terms } from './tokens.ts'

/** A word of the skill that answers the query, and where it stands. */
export interface Reason {
  readonly term: string
  readonly field: SearchField
}

export interface SearchHit {
  readonly entry: IndexEntry
  /** Comparable within one answer alone; more is better. */
  readonly score: number
  /** False: it has little of what was asked for, so that it hardly answers it. */
  readonly fits: boolean
  readonly why: readonly Reason[]
}

type Skills = readonly IndexEntry[]

/** The share of a question that a skill has to have to answer it. */
const FITS = 0.3

const engines = new WeakMap<Skills, SkillSearchEngine>()
/** Lists of visible skills are kept with their index, so a warm search finds its engine by the list alone. */
function engineFor(skills: Skills): SkillSearchEngine {
  let engine = engines.get(skills)
  if (!engine) engines.set(skills, (engine = buildEngine(skills)))
  return engine
}

/**
 * The skills that `query` finds among `skills` (sorted by name, which decides between equals), at most `limit`;
 * `select:a,b` gives all that it names, in the order asked. Looks at the first MATCH_TEXT_MAX_CHARS of a query.
 */
export function rankSkills(
  skills: Skills,
  query: string,
  limit: number = SEARCH_RESULTS_MAX,
): readonly SearchHit[] {
  const asked = readQuery(query.slice(0, MATCH_TEXT_MAX_CHARS))
  if (asked === null) return []
  if (asked.form === 'select') {
    const byName = new Map(skills.map((entry) => [entry.name, entry]))
    return asked.names.flatMap((name) => {
      const entry = byName.get(name)
      return entry ? [named(entry, name)] : []
    })
  }
  const { musts, text } = asked
  const fits = (entry: IndexEntry): boolean => {
    const name = fold(entry.name)
    return musts.every((must) => name.includes(must))
  }
  const wanted = wantedTerms(text)
  const hits: SearchHit[] = engineFor(skills)
    .search(wanted, limit, fits)
    .map(({ entry, score, share }) => {
      return { entry, score, fits: share >= FITS, why: [...musts.map(nameHas), ...reasons(entry, wanted)] }
    })
  // What has the demanded name is an answer, even when nothing of the rest fits.
  if (musts.length > 0)
    for (const entry of skills) {
      if (hits.length === limit) break
      if (fits(entry) && !hits.some((hit) => hit.entry === entry)) hits.push(named(entry, ...musts))
    }
  return hits
}

/** What a text asks for: its first telling terms, each once. */
export function wantedTerms(text: string): readonly string[] {
  return [...new Set(terms(text))].slice(0, SEARCH_TERMS_MAX)
}

function nameHas(term: string): Reason {
  return { term, field: 'name' }
}

function named(entry: IndexEntry, ...names: readonly string[]): SearchHit {
  return { entry, score: 0, fits: true, why: names.map(nameHas) }
}

/** The words that were asked for and are there, each in the field that weighs most. */
function reasons(entry: IndexEntry, wanted: readonly string[]): readonly Reason[] {
  const fields = searchFields(entry)
  const found: Reason[] = []
  for (const term of wanted) {
    const field = fields.find(([, has]) => has.includes(term))?.[0]
    if (field) found.push({ term: readable(entry, field, term), field })
    if (found.length === MATCH_REASONS_MAX) break
  }
  return found
}

/** The word as the skill has it, for a person to read; of the body only the term was kept. */
function readable(entry: IndexEntry, field: SearchField, term: string): string {
  const texts: Partial<Record<SearchField, string>> = {
    name: entry.name,
    tags: entry.tags.join(' '),
    description: entry.description,
  }
  const words = rawTerms(texts[field] ?? '')
  return words.find((word) => terms(word).includes(term)) ?? term
}
