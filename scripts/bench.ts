// `npm run bench`: measures Satchel against a bare Worker, and what else has a goal, and prints one table.

import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import { rfc3339, systemClock } from '../src/lib/clock.ts'
import { measureFiles } from './lab/bench/files.ts'
import { measureLatency, type Scene } from './lab/bench/latency.ts'
import { measureLongThread } from './lab/bench/long.ts'
import { measureBuilds, measurePushes, measureSize } from './lab/bench/once.ts'
import { measureSearch } from './lab/bench/search.ts'
import { ROOT } from './lab/bench/servers.ts'
import { documentLines, measureDocuments } from './lab/bench/documents.ts'
import { measurePage } from './lab/bench/page.ts'
import { SANDBOX_PARTS } from './lab/bench/sandbox-parts.ts'
import { SKILL_PARTS } from './lab/bench/skills.ts'
import { measureStart } from './lab/bench/start.ts'
import {
  asMarkdown,
  asText,
  buildLines,
  fileLines,
  latencyLines,
  longLines,
  pushLines,
  sizeLines,
  startLines,
  type Line,
} from './lab/bench/table.ts'
import { readArgs } from './lib/args.ts'
import { paint } from './lib/terminal.ts'

const PLAIN_PARTS = [
  'chat',
  'new',
  'tools',
  'long',
  'files',
  'grep',
  'documents',
  'start',
  'build',
  'push',
  'size',
] as const
/** Parts that are about one thing, and can be asked for together by its name. */
const GROUPS = { sandbox: SANDBOX_PARTS, skills: SKILL_PARTS } as const
const GROUPED = { page: measurePage, ...SANDBOX_PARTS, ...SKILL_PARTS } as const
type Grouped = keyof typeof GROUPED
type Part = (typeof PLAIN_PARTS)[number] | Grouped
const PARTS: readonly Part[] = [...PLAIN_PARTS, ...Object.keys(GROUPED).filter(isGrouped)]

function isGrouped(part: string): part is Grouped {
  return Object.hasOwn(GROUPED, part)
}

const USAGE = `npm run bench -- [options]

  --only PART   repeatable; without it all of them:
                ${PLAIN_PARTS.join(', ')}, page,
${Object.entries(GROUPS)
  .map(([group, parts]) => `                ${group} (= ${Object.keys(parts).join(', ')})`)
  .join(',\n')}
  --rounds N    rounds of chat (300); half as many of new, a third of tools
  --json FILE   also writes all figures to FILE
  --write       also writes the table into docs/benchmarks.md
  --help        this text

For figures worth keeping nothing else should run on the machine.`

const DOCUMENT = join(ROOT, 'docs/benchmarks.md')
const MARKS = ['<!-- figures: npm run bench -- --write -->', '<!-- end of figures -->'] as const

function tell(text: string): void {
  console.log(paint('dim', `  ${text}`))
}

/** Puts the table between the marks of the document. Throws when they are not there. */
function write(lines: readonly Line[], rounds: number): void {
  const text = readFileSync(DOCUMENT, 'utf8')
  const [from, to] = [text.indexOf(MARKS[0]), text.indexOf(MARKS[1])]
  if (from === -1 || to < from) throw new Error(`${DOCUMENT} has no line ${MARKS[0]} … ${MARKS[1]}.`)
  const when = rfc3339(systemClock()).slice(0, 10)
  const note = `Measured ${when} on ${availableParallelism()} cores, ${process.platform} ${process.arch}, Node ${process.versions.node}, ${rounds} rounds.`
  const block = `${MARKS[0]}\n\n${note}\n\n${asMarkdown(lines)}\n\n`
  writeFileSync(DOCUMENT, text.slice(0, from) + block + text.slice(to))
}

async function measure(
  parts: readonly Part[],
  rounds: number,
): Promise<{ readonly lines: readonly Line[]; readonly figures: Record<string, unknown> }> {
  const figures: Record<string, unknown> = {}
  const lines: Line[] = []
  const scenes = (['chat', 'new', 'tools'] as const).filter((scene) => parts.includes(scene))
  if (scenes.length > 0) {
    const share: Record<Scene, number> = {
      chat: rounds,
      new: Math.ceil(rounds / 2),
      tools: Math.ceil(rounds / 3),
    }
    for (const scene of await measureLatency(scenes, share, tell)) {
      figures[scene.scene] = scene
      lines.push(...latencyLines(scene))
    }
  }
  if (parts.includes('long')) {
    const long = await measureLongThread(tell)
    figures['long'] = long
    lines.push(...longLines(long))
  }
  if (parts.includes('files')) {
    const files = await measureFiles(tell)
    figures['files'] = files
    lines.push(...fileLines(files))
  }
  if (parts.includes('grep')) {
    const search = await measureSearch(tell)
    figures['grep'] = search.figures
    lines.push(...search.lines)
  }
  if (parts.includes('documents')) {
    const documents = await measureDocuments(tell)
    figures['documents'] = documents
    lines.push(...documentLines(documents))
  }
  if (parts.includes('start')) {
    tell('start: npm start on a fresh state folder, edits, kills and hangs')
    const start = await measureStart()
    figures['start'] = start
    lines.push(...startLines(start))
  }
  if (parts.includes('build')) {
    const builds = await measureBuilds()
    figures['build'] = builds
    lines.push(...buildLines(builds))
  }
  if (parts.includes('push')) {
    const pushes = await measurePushes()
    figures['push'] = pushes
    lines.push(...pushLines(pushes))
  }
  if (parts.includes('size')) {
    const bytes = await measureSize()
    figures['size'] = { bytes }
    lines.push(...sizeLines(bytes))
  }
  for (const part of parts.filter(isGrouped)) {
    tell(part)
    const made = await GROUPED[part](tell)
    figures[part] = made.figures
    lines.push(...made.lines)
  }
  return { lines, figures }
}

function refuse(message: string): number {
  console.error(`${message}\n\n${USAGE}`)
  return 2
}

async function main(argv: readonly string[]): Promise<number> {
  const args = readArgs({
    args: [...argv],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string', default: '300' },
      json: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (!args.ok) return refuse(args.error)
  const { values } = args.value
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const groups: Readonly<Record<string, object>> = GROUPS
  const only = values.only.flatMap((part) => Object.keys(groups[part] ?? { [part]: null }))
  const unknown = only.find((part) => !PARTS.some((known) => known === part))
  if (unknown !== undefined) return refuse(`--only ${unknown}: there is no such part.`)
  if (!/^[1-9]\d{0,5}$/.test(values.rounds)) return refuse(`--rounds ${values.rounds}: give a number.`)
  const parts = only.length === 0 ? PARTS : PARTS.filter((part) => only.includes(part))
  if (values.write && parts.length < PARTS.length)
    return refuse('--write keeps the whole table: run it without --only.')
  const rounds = Number(values.rounds)
  const { lines, figures } = await measure(parts, rounds)
  console.log(`\n${asText(lines)}\n`)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`)
  if (values.write) write(lines, rounds)
  const missed = lines.filter((line) => line.met === false)
  if (missed.length > 0) console.log(`${missed.length} of the goals missed.`)
  return 0
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
