// `npm run bench`: measures Satchel against a bare Worker, and the other parts with a target, and prints one table.

import { writeFileSync } from 'node:fs'

import { latencyLines, measureLatency, LATENCY_SCENES } from './lab/bench/latency.ts'
import { PART_GROUPS, BENCH_PARTS, type BenchPart } from './lab/bench/registry.ts'
import { linesAsText } from './lab/rig/lines.ts'
import { writeTables, type MeasuredPart } from './lab/bench/write.ts'
import { command } from './lib/command.ts'
import { paint } from './lib/terminal.ts'

const NAMES = [...LATENCY_SCENES, ...Object.keys(BENCH_PARTS)]
const USAGE = `npm run bench -- [options]

  --only PART   repeatable; without it all of them:
                ${[...LATENCY_SCENES, ...Object.keys(BENCH_PARTS).filter((part) => !groupOf(part))].join(', ')},
${Object.entries(PART_GROUPS)
  .map(([group, parts]) => `                ${group} (= ${parts.join(', ')})`)
  .join(',\n')}
  --rounds N    rounds of chat (300); half as many of new, a third of tools
  --json FILE   also writes all figures to FILE
  --write       also writes the tables into docs/benchmarks.md
  --help        this text

For figures worth keeping nothing else should run on the machine.`

function groupOf(part: string): string | undefined {
  return Object.keys(PART_GROUPS).find((group) => PART_GROUPS[group]?.some((one) => one === part))
}

function tell(text: string): void {
  console.log(paint('dim', `  ${text}`))
}

async function measure(
  names: readonly string[],
  rounds: number,
): Promise<{ readonly parts: readonly MeasuredPart[]; readonly figures: Readonly<Record<string, unknown>> }> {
  const figures: Record<string, unknown> = {}
  const parts: MeasuredPart[] = []
  const scenes = LATENCY_SCENES.filter((scene) => names.includes(scene))
  if (scenes.length > 0) {
    const share = { chat: rounds, new: Math.ceil(rounds / 2), tools: Math.ceil(rounds / 3) }
    for (const scene of await measureLatency(scenes, share, tell)) {
      figures[scene.scene] = scene
      parts.push({ name: scene.scene, lines: latencyLines(scene) })
    }
  }
  for (const [name, part] of Object.entries<BenchPart>(BENCH_PARTS)) {
    if (!names.includes(name)) continue
    tell(name)
    const made = await part(tell)
    figures[name] = made.figures
    parts.push({ name, lines: made.lines })
  }
  return { parts, figures }
}

command(
  USAGE,
  {
    options: {
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string', default: '300' },
      json: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  },
  async ({ values }) => {
    const only = values.only.flatMap((part) => PART_GROUPS[part] ?? [part])
    const unknown = only.find((part) => !NAMES.includes(part))
    if (unknown !== undefined) return `--only ${unknown}: there is no such part.`
    if (!/^[1-9]\d{0,5}$/.test(values.rounds)) return `--rounds ${values.rounds}: give a number.`
    if (values.write && only.length > 0) return '--write keeps all tables: run it without --only.'
    const rounds = Number(values.rounds)
    const { parts, figures } = await measure(only.length === 0 ? NAMES : only, rounds)
    const lines = parts.flatMap((part) => part.lines)
    console.log(`\n${linesAsText(lines)}\n`)
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`)
    if (values.write) writeTables(parts, rounds)
    const missed = lines.filter(({ met }) => met === false)
    if (missed.length > 0) console.log(`${missed.length} of the goals missed.`)
    return 0
  },
)
