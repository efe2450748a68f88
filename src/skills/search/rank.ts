// Which skills a query finds, best first, and why. Ranks only what it is handed: callers hand in visible skills.

import { MATCH_REASONS_MAX, MATCH_TEXT_MAX_CHARS, SEARCH_RESULTS_MAX } from '../../limits.ts'
import type { IndexEntry } from '../skill.ts'
import { buildEngine, fieldsOf, type Engine, type Field, type Want } from './engine.ts'
import { wantsOf } from './expand.ts'
import { readQuery } from './query.ts'
import { fold, rawWords, terms } from './tokens.ts'

/** A word of the skill that answers the query, and where it stands. `meaning`: found by its embedding. */
export interface Reason {
  readonly term: string
  readonly field: Field | 'meaning'
}

export interface Hit {
  readonly entry: IndexEntry
  /** Comparable within one answer alone; more is better. */
  readonly score: number
  readonly why: readonly Reason[]
}

type Skills = readonly IndexEntry[]

const engines = new WeakMap<Skills, Engine>()
/** Lists of visible skills are kept with their index, so a warm search finds its engine by the list alone. */
function engineFor(skills: Skills): Engine {
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
): readonly Hit[] {
  const asked = readQuery(query.slice(0, MATCH_TEXT_MAX_CHARS))
  if (asked === null) return []
  if (asked.form === 'select') {
    const wanted = new Set(asked.names)
    const byName = new Map(
      skills.filter(({ name }) => wanted.has(name)).map((entry) => [entry.name, entry] as const),
    )
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
  const engine = engineFor(skills)
  const wants = wantsOf(text, engine)
  const hits: Hit[] = []
  const fitting = (at: number): boolean => {
    const entry = skills[at]
    return entry !== undefined && fits(entry)
  }
  for (const { at, score } of engine.search(wants, limit, fitting)) {
    const entry = skills[at]
    if (entry) hits.push({ entry, score, why: [...musts.map(nameHas), ...reasons(entry, wants)] })
  }
  // What has the demanded name is an answer, even when nothing of the rest fits.
  if (musts.length > 0)
    for (const entry of skills) {
      if (hits.length === limit) break
      if (fits(entry) && !hits.some((hit) => hit.entry === entry)) hits.push(named(entry, ...musts))
    }
  return hits
}

function nameHas(term: string): Reason {
  return { term, field: 'name' }
}

function named(entry: IndexEntry, ...names: readonly string[]): Hit {
  return { entry, score: 0, why: names.map(nameHas) }
}

/** For each thing that was asked for, the word that answers it best, in the field that weighs most. */
function reasons(entry: IndexEntry, wants: readonly Want[]): readonly Reason[] {
  const fields = fieldsOf(entry)
  const found: Reason[] = []
  for (const want of wants) {
    const best = Array.from(want)
      .toSorted((a, b) => b[1] - a[1])
      .flatMap(([term]) => {
        const field = fields.find(([, has]) => has.includes(term))?.[0]
        return field ? [{ term: readable(entry, field, term), field }] : []
      })[0]
    if (best && !found.some((one) => one.term === best.term)) found.push(best)
    if (found.length === MATCH_REASONS_MAX) break
  }
  return found
}

/** The word as the skill has it, for a person to read; of the body only the term was kept. */
function readable(entry: IndexEntry, field: Field, term: string): string {
  const texts: Partial<Record<Field, string>> = {
    name: entry.name,
    tags: entry.tags.join(' '),
    description: entry.description,
  }
  const words = rawWords(texts[field] ?? '')
  return words.find((word) => terms(word).includes(term)) ?? term
}
