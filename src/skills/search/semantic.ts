// The port by which a search may also go by meaning, and how its answer is fused with the one by words. Meaning is an
// extra: whatever fails there, the answer by words stands.

import { SEARCH_RESULTS_MAX, SEMANTIC_MATCHES, SEMANTIC_TIMEOUT_MS } from '../../limits.ts'
import type { IndexEntry } from '../skill.ts'
import { readQuery } from './query.ts'
import { rankSkills, type Hit } from './rank.ts'
import { fold } from './tokens.ts'

/** One workspace's skills by meaning. Both may throw; `nearest` may name skills that are gone or invisible. */
export interface SemanticIndex {
  /** The first DIGEST_PREFIX digits of the digests of skill versions, nearest first. */
  nearest(text: string, limit: number): Promise<readonly string[]>
  /** Writing the same version again changes nothing. */
  upsert(entries: readonly IndexEntry[]): Promise<void>
}

// Reciprocal rank fusion. The usual constant of 60 lets any skill that stands in both lists, however low, pass the first
// of either: over thousands of skills a weak model then spoils what words had found. With a small one the ranks decide.
// Found with a weak model and with better ones made from it (docs/benchmarks.md): neighbours do as well.
const RRF = 2
/** What a rank by meaning is worth beside the same rank by words. */
const MEANING = 0.5

/** As `rankSkills`, fused with the answer by meaning. `semantic` null, slow or failing: the answer by words alone. */
export async function rankByMeaning(
  skills: readonly IndexEntry[],
  query: string,
  semantic: SemanticIndex | null,
  limit: number = SEARCH_RESULTS_MAX,
): Promise<readonly Hit[]> {
  const asked = readQuery(query)
  if (semantic === null || asked?.form !== 'rank' || asked.text === '')
    return rankSkills(skills, query, limit)
  const pending = nearest(semantic, asked.text)
  const lexical = rankSkills(skills, query, Math.max(limit, SEMANTIC_MATCHES))
  const digests = await pending
  if (digests.length === 0) return lexical.slice(0, limit)
  const near = visibleOf(skills, digests).filter((entry) => {
    const name = fold(entry.name)
    return asked.musts.every((must) => name.includes(must))
  })
  return fuse(lexical, near).slice(0, limit)
}

async function nearest(semantic: SemanticIndex, text: string): Promise<readonly string[]> {
  const late = AbortSignal.timeout(SEMANTIC_TIMEOUT_MS)
  const given = new Promise<readonly string[]>((resolve) =>
    late.addEventListener('abort', () => resolve([]), { once: true }),
  )
  const asked = semantic.nearest(text, SEMANTIC_MATCHES).catch(() => [])
  return Promise.race([asked, given])
}

/** An id in a vector store is short and holds its owner, too; 80 bits still tell any two skills apart. */
export const DIGEST_PREFIX = 20

/** The entries that these digests name, in their order; what is not among `skills` is not visible, so it is dropped. */
function visibleOf(skills: readonly IndexEntry[], digests: readonly string[]): readonly IndexEntry[] {
  const byDigest = new Map(skills.map((entry) => [entry.digest.slice(0, DIGEST_PREFIX), entry]))
  const found = new Set<IndexEntry>()
  for (const digest of digests) {
    const entry = byDigest.get(digest)
    if (entry) found.add(entry)
  }
  return Array.from(found)
}

function fuse(lexical: readonly Hit[], near: readonly IndexEntry[]): readonly Hit[] {
  const hits = new Map<string, Hit>()
  for (const [rank, hit] of lexical.entries()) hits.set(hit.entry.name, { ...hit, score: 1 / (RRF + rank) })
  for (const [rank, entry] of near.entries()) {
    const known = hits.get(entry.name)
    hits.set(entry.name, {
      entry,
      score: (known?.score ?? 0) + MEANING / (RRF + rank),
      why: [...(known?.why ?? []), { term: entry.name, field: 'meaning' }],
    })
  }
  const name = (hit: Hit): string => hit.entry.name
  return Array.from(hits.values()).toSorted((a, b) => b.score - a.score || (name(a) < name(b) ? -1 : 1))
}

/**
 * Puts versions into the index by meaning; true when it was done. Never throws and never stops a publish: a skill that
 * is missing there is still found by its words.
 */
export async function semanticUpsert(
  semantic: SemanticIndex | null,
  entries: readonly IndexEntry[],
): Promise<boolean> {
  if (semantic === null || entries.length === 0) return false
  return semantic.upsert(entries).then(
    () => true,
    () => false,
  )
}
