// Finds the skills that match a query, best first, with reasons. Callers must pass only visible skills.

import { MATCH_QUERY_MAX_CHARS, SEARCH_RESULTS_MAX } from '../../limits/skills.ts'
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
  /** Higher is better. Comparable only within the results of one query. */
  readonly score: number
  /** False if the skill matches so little of the query that it is probably not what the user needs. */
  readonly fits: boolean
  readonly why: readonly Reason[]
}

type Skills = readonly IndexEntry[]

/** The share of a query that a skill must match to be a good match. */
const GOOD_MATCH_SHARE = 0.3

const engines = new WeakMap<Skills, SkillSearchEngine>()
/** The engine for a list of visible skills. Cached by that list, which is itself cached with its index. */
function engineFor(skills: Skills): SkillSearchEngine {
  let engine = engines.get(skills)
  if (!engine) engines.set(skills, (engine = buildEngine(skills)))
  return engine
}

/**
 * The skills that match `query`, best first, at most `limit`. Ties are in the order of `skills`. `select:a,b` returns
 * all the skills that it names, in query order. Uses only the first MATCH_QUERY_MAX_CHARS of a query.
 */
export function rankSkills(
  skills: Skills,
  query: string,
  limit: number = SEARCH_RESULTS_MAX,
): readonly SearchHit[] {
  const parsed = readQuery(query.slice(0, MATCH_QUERY_MAX_CHARS))
  if (parsed === null) return []
  if (parsed.form === 'select') {
    const byName = new Map(skills.map((entry) => [entry.name, entry]))
    return parsed.names.flatMap((name) => {
      const entry = byName.get(name)
      return entry ? [nameHit(entry, name)] : []
    })
  }
  const { requiredParts, text } = parsed
  const fits = (entry: IndexEntry): boolean => {
    const name = fold(entry.name)
    return requiredParts.every((part) => name.includes(part))
  }
  const searchTerms = queryTerms(text)
  const hits: SearchHit[] = engineFor(skills)
    .search(searchTerms, limit, fits)
    .map(({ entry, score, share }) => {
      return {
        entry,
        score,
        fits: share >= GOOD_MATCH_SHARE,
        why: [...requiredParts.map(nameReason), ...reasons(entry, searchTerms)],
      }
    })
  // A skill whose name contains all required parts is returned even if nothing else matches.
  if (requiredParts.length > 0)
    for (const entry of skills) {
      if (hits.length === limit) break
      if (fits(entry) && !hits.some((hit) => hit.entry === entry)) hits.push(nameHit(entry, ...requiredParts))
    }
  return hits
}

/** The search terms of a query: its first SEARCH_TERMS_MAX terms, each once. */
export function queryTerms(text: string): readonly string[] {
  return [...new Set(terms(text))].slice(0, SEARCH_TERMS_MAX)
}

function nameReason(term: string): Reason {
  return { term, field: 'name' }
}

function nameHit(entry: IndexEntry, ...names: readonly string[]): SearchHit {
  return { entry, score: 0, fits: true, why: names.map(nameReason) }
}

/** The matching words, each with the most heavily weighted field that contains it. */
function reasons(entry: IndexEntry, queryTerms: readonly string[]): readonly Reason[] {
  const fields = searchFields(entry)
  const matches: Reason[] = []
  for (const term of queryTerms) {
    const field = fields.find(([, fieldTerms]) => fieldTerms.includes(term))?.[0]
    if (field) matches.push({ term: wordAsWritten(entry, field, term), field })
    if (matches.length === MATCH_REASONS_MAX) break
  }
  return matches
}

/** The word as written in the skill. For headings and body, only the term is stored and returned. */
function wordAsWritten(entry: IndexEntry, field: SearchField, term: string): string {
  const texts: Partial<Record<SearchField, string>> = {
    name: entry.name,
    tags: entry.tags.join(' '),
    description: entry.description,
  }
  const words = rawTerms(texts[field] ?? '')
  return words.find((word) => terms(word).includes(term)) ?? term
}
