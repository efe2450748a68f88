// Benchmark of searching thousands of skills: the first query, which reads the complete index, and later ones. Runs in
// Node, which has the same engine as workerd.

import { utf8 } from '../../../src/lib/bytes.ts'
import { parseSkill } from '../../../src/skills/format/parse.ts'
import { indexEntry } from '../../../src/skills/package/entry.ts'
import { rankSkills } from '../../../src/skills/search/rank.ts'
import type { IndexEntry } from '../../../src/skills/skill.ts'
import { amount, line, ms, spread, type PartResult } from '../rig/lines.ts'
import { figures } from '../rig/stats.ts'
import { skillAlone } from './skill-collection.ts'

const SKILL_COUNTS = [3_000, 10_000] as const
const COLD_ROUNDS = 5
const WARM_ROUNDS = 300
const SEED = 1
const WARM_P95_GOAL_MS = 10
const COLD_GOAL_MS = 400
/** Queries that are used alternately, each with a number, so that no two are equal. */
const QUESTIONS = [
  'write the quarterly audit report of a customer account',
  'why does the payment gateway time out after the last release',
  'translate this invoice template',
  '+ledger balance sheet',
  'wie schreibe ich einen Bericht über das Budget',
  'schedule a backup of the database and test that it can be restored',
]

function entries(count: number): readonly IndexEntry[] {
  return Array.from({ length: count }, (_, index) => {
    const { name, text } = skillAlone(index, SEED)
    const parsed = parseSkill(utf8(text), name, 'lenient')
    if (!parsed.skill) throw new Error(`the made-up skill ${name} does not parse`)
    const sha256 = index.toString(16).padStart(64, '0')
    return indexEntry({
      skill: parsed.skill,
      category: 'public',
      manifest: { digest: sha256, files: [{ path: 'SKILL.md', sha256 }] },
      bytes: text.length,
      findings: parsed.findings,
    })
  }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function searchMs(skills: readonly IndexEntry[], index: number): number {
  const question = `${QUESTIONS[index % QUESTIONS.length] ?? ''} ${index}`
  const startedMs = performance.now()
  rankSkills(skills, question)
  return performance.now() - startedMs
}

export async function measureSearch(): Promise<PartResult> {
  const all = SKILL_COUNTS.map((count) => {
    const skills = entries(count)
    // A new list acts as a new catalog, so nothing is cached.
    const cold = Array.from({ length: COLD_ROUNDS }, (_, index) => searchMs([...skills], index))
    const warm = Array.from({ length: WARM_ROUNDS + 1 }, (_, index) => searchMs(skills, index)).slice(1)
    return { skills: count, cold: figures(cold), warm: figures(warm) }
  })
  const lines = all.flatMap(({ skills, cold, warm }) => {
    const what = `search over ${amount(skills)} skills`
    const figure = `${ms(warm.median)} · p95 ${ms(warm.p95)} (${warm.rounds} rounds)`
    return [
      line(`${what}, warm`, figure, `p95 ≤ ${WARM_P95_GOAL_MS} ms`, warm.p95 <= WARM_P95_GOAL_MS),
      line(`${what}, first query`, spread(cold), `≤ ${COLD_GOAL_MS} ms`, cold.median <= COLD_GOAL_MS),
    ]
  })
  return { lines, figures: all }
}
