// Finds skills for a query, best first, with reasons. Ranks only the skills that it is given: callers pass visible
// ones.

import { MATCH_TEXT_MAX_CHARS, SEARCH_RESULTS_MAX } from '../../limits/skills.ts'
import { MATCH_REASONS_MAX, SEARCH_TERMS_MAX } from './limits.ts'
import type { IndexEntry } from '../skill.ts'
import { buildEngine, searchFields, type SkillSearchEngine, type SearchField } from './engine.ts'
import { readQuery } from './query.ts'
import { fold, rawTerms, terms } from './tokens.ts'

/** A word of the skill that matches the query, and its field. */
export interface Reason {
  readonly term: string
  readonly field: SearchField
}

export interface SearchHit {
  readonly entry: IndexEntry
  /** Comparable only within one answer; higher is better. */
  readonly score: number
  /** False: it matches little of the query and hardly answers it. */
  readonly fits: boolean
  readonly why: readonly Reason[]
}

type Skills = readonly IndexEntry[]

/** The share of a query that a skill must match to answer it. */
const FITS = 0.3

const engines = new WeakMap<Skills, SkillSearchEngine>()
/** The engine is cached by the list of visible skills, which is cached with its index. */
function engineFor(skills: Skills): SkillSearchEngine {
  let engine = engines.get(skills)
  if (!engine) engines.set(skills, (engine = buildEngine(skills)))
  return engine
}

/**
 * The skills that match `query`, at most `limit`. `skills` are sorted by name, which breaks ties. `select:a,b` returns
 * all that it names, in query order. Reads the first MATCH_TEXT_MAX_CHARS of a query.
 */
export function rankSkills(
  skills: Skills,
  query: string,
  limit: number = SEARCH_RESULTS_MAX,
): readonly SearchHit[] {
  const parsed = readQuery(query.slice(0, MATCH_TEXT_MAX_CHARS))
  if (parsed === null) return []
  if (parsed.form === 'select') {
    const byName = new Map(skills.map((entry) => [entry.name, entry]))
    return parsed.names.flatMap((name) => {
      const entry = byName.get(name)
      return entry ? [named(entry, name)] : []
    })
  }
  const { musts, text } = parsed
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
  // A skill whose name contains what is required is returned even when nothing else matches.
  if (musts.length > 0)
    for (const entry of skills) {
      if (hits.length === limit) break
      if (fits(entry) && !hits.some((hit) => hit.entry === entry)) hits.push(named(entry, ...musts))
    }
  return hits
}

/** The search terms of a text: its first distinctive terms, each once. */
export function wantedTerms(text: string): readonly string[] {
  return [...new Set(terms(text))].slice(0, SEARCH_TERMS_MAX)
}

function nameHas(term: string): Reason {
  return { term, field: 'name' }
}

function named(entry: IndexEntry, ...names: readonly string[]): SearchHit {
  return { entry, score: 0, fits: true, why: names.map(nameHas) }
}

/** The matching words, each with the field that weighs most. */
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

/** The word as written in the skill. For the body only the term is stored. */
function readable(entry: IndexEntry, field: SearchField, term: string): string {
  const texts: Partial<Record<SearchField, string>> = {
    name: entry.name,
    tags: entry.tags.join(' '),
    description: entry.description,
  }
  const words = rawTerms(texts[field] ?? '')
  return words.find((word) => terms(word).includes(term)) ?? term
}
