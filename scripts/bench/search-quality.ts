// How often search finds the right skill, measured on your own library: a folder of skills and a file of tasks.
// `node scripts/bench/search-quality.ts --skills DIR --tasks FILE`, the file being [{"query": "…", "skill": "name"}, …].

import { readFile } from 'node:fs/promises'

import * as z from 'zod'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { SEARCH_RESULTS_MAX } from '../../src/limits.ts'
import { rankSkills } from '../../src/skills/search/rank.ts'
import type { IndexEntry } from '../../src/skills/skill.ts'
import { EVERYBODY, visibleSkills } from '../../src/skills/view/visibility.ts'
import { makeBuild } from '../build/build.ts'
import { readArgs } from '../lib/args.ts'
import { oneLine } from '../lib/terminal.ts'

const USAGE = `node scripts/bench/search-quality.ts --skills DIR --tasks FILE [--misses]

  --skills DIR  a folder of skills (repeatable; the first of a name counts)
  --tasks FILE  JSON: [{"query": "what a user says", "skill": "name"}, …]; "skill" may be a list: any of them is right
  --misses      list the tasks whose skill was not among the answers, and what was answered

Prints how often the right skill is first and among the first ${SEARCH_RESULTS_MAX}, beside plain BM25 over name and description.`

const Tasks = z.array(z.object({ query: z.string(), skill: z.union([z.string(), z.array(z.string())]) }))

interface Task {
  readonly query: string
  readonly right: readonly string[]
}

interface Tally {
  readonly label: string
  first: number
  found: number
  /** Of each task 1/rank of the right answer, 0 for none. */
  reciprocal: number
  readonly ms: number[]
  readonly misses: string[]
}

type Find = (query: string) => readonly string[]

async function readTasks(path: string): Promise<Result<readonly Task[], string>> {
  let json: unknown
  try {
    json = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    return err(`--tasks ${path} cannot be read as JSON: ${String(error)}`)
  }
  const parsed = Tasks.safeParse(json)
  if (!parsed.success) return err(`--tasks ${path}: want [{"query": "…", "skill": "name"}, …]`)
  return ok(parsed.data.map(({ query, skill }) => ({ query, right: [skill].flat() })))
}

/** The usual yardstick: BM25 with k1 1.2 and b 0.75 over the words of name and description as they are written. */
function plainBm25(skills: readonly IndexEntry[]): Find {
  const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const texts = skills.map((entry) => wordsOf(`${entry.name} ${entry.description}`))
  const have = new Map<string, number>()
  for (const text of texts) for (const word of new Set(text)) have.set(word, (have.get(word) ?? 0) + 1)
  const mean = texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length)
  return (query) => {
    const asked = new Set(wordsOf(query))
    const scores = texts.map((text, at) => {
      let score = 0
      for (const word of asked) {
        const times = text.filter((one) => one === word).length
        const having = have.get(word) ?? 0
        const rarity = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5))
        score += (rarity * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * text.length) / mean))
      }
      return { name: skills[at]?.name ?? '', score }
    })
    return scores
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, SEARCH_RESULTS_MAX)
      .map(({ name }) => name)
  }
}

function measure(label: string, tasks: readonly Task[], find: Find): Tally {
  const tally: Tally = { label, first: 0, found: 0, reciprocal: 0, ms: [], misses: [] }
  // Tables are read at the first word that needs them: warm times are those of the second round.
  for (const { query } of tasks) find(query)
  for (const { query, right } of tasks) {
    const begun = performance.now()
    const names = find(query)
    tally.ms.push(performance.now() - begun)
    const rank = names.findIndex((name) => right.includes(name))
    if (rank === 0) tally.first++
    if (rank >= 0) tally.found++
    else tally.misses.push(`${query}\n    wanted ${right.join(' or ')}; got ${names.join(', ') || 'nothing'}`)
    tally.reciprocal += rank < 0 ? 0 : 1 / (rank + 1)
  }
  tally.ms.sort((a, b) => a - b)
  return tally
}

function line({ label, first, found, reciprocal, ms }: Tally): string {
  const share = (count: number): string => `${((100 * count) / ms.length).toFixed(1)} %`
  const at = (part: number): string => (ms[Math.floor(ms.length * part)] ?? 0).toFixed(1)
  const times = `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`
  return `${label.padEnd(12)} first ${share(first)}, top ${SEARCH_RESULTS_MAX} ${share(found)}, MRR ${(reciprocal / ms.length).toFixed(3)}, ${times}`
}

async function main(): Promise<number> {
  const args = readArgs({
    options: {
      skills: { type: 'string', multiple: true, default: [] },
      tasks: { type: 'string' },
      misses: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (args.ok && args.value.values.help) {
    console.log(USAGE)
    return 0
  }
  const flags = args.ok ? args.value.values : null
  if (!args.ok || !flags || flags.skills.length === 0 || flags.tasks === undefined) {
    console.error(`${args.ok ? 'Give --skills and --tasks.' : oneLine(args.error)}\n\n${USAGE}`)
    return 2
  }
  const tasks = await readTasks(flags.tasks)
  if (!tasks.ok || tasks.value.length === 0) {
    console.error(oneLine(tasks.ok ? `--tasks ${flags.tasks} holds no task.` : tasks.error))
    return 1
  }
  const { build } = await makeBuild(flags.skills, false)
  const skills = visibleSkills(build.index, EVERYBODY)
  const known = new Set(skills.map((entry) => entry.name))
  const asked = tasks.value.filter(({ right }) => right.some((name) => known.has(name)))
  const absent = tasks.value.length - asked.length
  if (absent > 0) console.log(`${absent} tasks want a skill that is not here or not visible: left out.`)
  const begun = performance.now()
  rankSkills(skills, 'the first query builds the index')
  const cold = performance.now() - begun
  console.log(`${skills.length} skills, ${asked.length} tasks; the first query took ${Math.round(cold)} ms`)
  const ours = measure('search', asked, (query) => rankSkills(skills, query).map(({ entry }) => entry.name))
  console.log(line(ours))
  console.log(line(measure('plain BM25', asked, plainBm25(skills))))
  if (flags.misses) for (const miss of ours.misses) console.log(`  ${oneLine(miss)}`)
  return 0
}

process.exitCode = await main()
