// How often search finds the right skill, measured on your own library: a folder of skills and a file of tasks.
// `node scripts/bench/search-quality.ts --skills DIR --tasks FILE`, the file being [{"query": "…", "skill": "name"}, …].
// By words as it always works; by meaning, too, where models lie in a folder.

import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

import * as z from 'zod'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { SEARCH_RESULTS_MAX } from '../../src/limits.ts'
import { rankSkills } from '../../src/skills/search/rank.ts'
import { DIGEST_PREFIX, rankByMeaning, type SemanticIndex } from '../../src/skills/search/semantic.ts'
import type { IndexEntry } from '../../src/skills/skill.ts'
import { EVERYBODY, visibleSkills } from '../../src/skills/view/visibility.ts'
import { makeBuild } from '../build/build.ts'
import { readArgs } from '../lib/args.ts'
import { oneLine } from '../lib/terminal.ts'
import { toEnglish } from './search-english.ts'
import { MODELS_INSTALL, modelsIn } from './search-models.ts'
import { memoryIndex } from './search-vectors.ts'

const USAGE = `node scripts/bench/search-quality.ts --skills DIR --tasks FILE [--embeddings FOLDER] [--misses]

  --skills DIR         a folder of skills (repeatable; the first of a name counts)
  --tasks FILE         JSON: [{"query": "what a user says", "skill": "name"}, …]; "skill" may be a list: any of them is
                       right (repeatable: one set each)
  --embeddings FOLDER  measure by meaning, too, with the models in FOLDER/node_modules (some minutes). To fill it:
                       ${MODELS_INSTALL}
  --misses             list the tasks whose skill was not among the answers by words, and what was answered

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

type Find = (query: string) => readonly string[] | Promise<readonly string[]>

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

async function measure(label: string, tasks: readonly Task[], find: Find): Promise<Tally> {
  const tally: Tally = { label, first: 0, found: 0, reciprocal: 0, ms: [], misses: [] }
  // Tables are read at the first word that needs them: warm times are those of the second round.
  for (const { query } of tasks) await find(query)
  for (const { query, right } of tasks) {
    const begun = performance.now()
    const names = await find(query)
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
  return `${label.padEnd(34)} first ${share(first)}, top ${SEARCH_RESULTS_MAX} ${share(found)}, MRR ${(reciprocal / ms.length).toFixed(3)}, ${times}`
}

type Finds = readonly (readonly [label: string, find: Find])[]

/** For each model: by meaning alone and fused with words, the query as it is and in English. */
async function meaningFinds(skills: readonly IndexEntry[], folder: string | undefined): Promise<Finds> {
  const models = folder === undefined ? [] : await modelsIn(folder, skills)
  if (models.length === 0)
    console.log(`By words alone: ${folder ?? '--embeddings'} has no model. To get them:\n  ${MODELS_INSTALL}`)
  const byDigest = new Map(skills.map((entry) => [entry.digest.slice(0, DIGEST_PREFIX), entry.name]))
  const english = toEnglish(skills)
  const finds: [string, Find][] = []
  for (const { label, embed } of models) {
    const index = memoryIndex(embed)
    await index.upsert(skills)
    const glossed: SemanticIndex = { ...index, nearest: (text, limit) => index.nearest(english(text), limit) }
    for (const [how, one] of [
      ['', index],
      [' glossed', glossed],
    ] as const) {
      finds.push([
        `${label}${how}`,
        async (query) =>
          (await one.nearest(query, SEARCH_RESULTS_MAX)).map((digest) => byDigest.get(digest) ?? ''),
      ])
      finds.push([
        `search and ${label}${how}`,
        async (query) => (await rankByMeaning(skills, query, one)).map(({ entry }) => entry.name),
      ])
    }
  }
  return finds
}

async function measureSet(
  path: string,
  tasks: readonly Task[],
  skills: readonly IndexEntry[],
  meanings: Finds,
  misses: boolean,
): Promise<void> {
  const known = new Set(skills.map((entry) => entry.name))
  const asked = tasks.filter(({ right }) => right.some((name) => known.has(name)))
  const absent = tasks.length - asked.length
  console.log(`\n${basename(path)}: ${asked.length} tasks`)
  if (absent > 0) console.log(`${absent} tasks want a skill that is not here or not visible: left out.`)
  const ours = await measure('search', asked, (query) =>
    rankSkills(skills, query).map(({ entry }) => entry.name),
  )
  console.log(line(ours))
  console.log(line(await measure('plain BM25', asked, plainBm25(skills))))
  for (const [label, find] of meanings) console.log(line(await measure(label, asked, find)))
  if (misses) for (const miss of ours.misses) console.log(`  ${oneLine(miss)}`)
}

async function main(): Promise<number> {
  const args = readArgs({
    options: {
      skills: { type: 'string', multiple: true, default: [] },
      tasks: { type: 'string', multiple: true, default: [] },
      embeddings: { type: 'string' },
      misses: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (args.ok && args.value.values.help) {
    console.log(USAGE)
    return 0
  }
  const flags = args.ok ? args.value.values : null
  if (!args.ok || !flags || flags.skills.length === 0 || flags.tasks.length === 0) {
    console.error(`${args.ok ? 'Give --skills and --tasks.' : oneLine(args.error)}\n\n${USAGE}`)
    return 2
  }
  const { build } = await makeBuild(flags.skills, false)
  const skills = visibleSkills(build.index, EVERYBODY)
  const begun = performance.now()
  rankSkills(skills, 'the first query builds the index')
  const cold = performance.now() - begun
  console.log(`${skills.length} skills; the first query took ${Math.round(cold)} ms`)
  const meanings = await meaningFinds(skills, flags.embeddings)
  for (const path of flags.tasks) {
    const tasks = await readTasks(path)
    if (!tasks.ok || tasks.value.length === 0) {
      console.error(oneLine(tasks.ok ? `--tasks ${path} holds no task.` : tasks.error))
      return 1
    }
    await measureSet(path, tasks.value, skills, meanings, flags.misses)
  }
  return 0
}

process.exitCode = await main()
