// `npm run bench`: measures Satchel against a bare Worker, and the other parts with a target, and prints one table.

import { writeFileSync } from 'node:fs'

import { latencyLines, measureLatency, LATENCY_SCENES } from './lab/bench/latency.ts'
import { PART_GROUPS, BENCH_PARTS, type BenchPart } from './lab/bench/registry.ts'
import { linesAsText } from './lab/rig/lines.ts'
import { writeTables, type MeasuredPart } from './lab/bench/write.ts'
import { command } from './lib/command.ts'
import { paint } from './lib/terminal.ts'

const PART_NAMES = [...LATENCY_SCENES, ...Object.keys(BENCH_PARTS)]
const USAGE = `npm run bench -- [options]

  --only PART   measure only this part (repeatable). The parts:
                ${[...LATENCY_SCENES, ...Object.keys(BENCH_PARTS).filter((part) => !groupOf(part))].join(', ')},
${Object.entries(PART_GROUPS)
  .map(([group, parts]) => `                ${group} (= ${parts.join(', ')})`)
  .join(',\n')}
  --rounds N    rounds of chat (default: 300); new has half as many rounds, and tools a third
  --json FILE   also write all figures to FILE
  --write       also write the tables into docs/benchmarks.md
  --help        show this text

For reliable figures, run nothing else on the machine.`

function groupOf(part: string): string | undefined {
  return Object.keys(PART_GROUPS).find((group) => PART_GROUPS[group]?.some((one) => one === part))
}

function reportProgress(text: string): void {
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
    const roundsOf = { chat: rounds, new: Math.ceil(rounds / 2), tools: Math.ceil(rounds / 3) }
    for (const scene of await measureLatency(scenes, roundsOf, reportProgress)) {
      figures[scene.scene] = scene
      parts.push({ name: scene.scene, lines: latencyLines(scene) })
    }
  }
  for (const [name, part] of Object.entries<BenchPart>(BENCH_PARTS)) {
    if (!names.includes(name)) continue
    reportProgress(name)
    const result = await part(reportProgress)
    figures[name] = result.figures
    parts.push({ name, lines: result.lines })
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
    const unknown = only.find((part) => !PART_NAMES.includes(part))
    if (unknown !== undefined) return `--only ${unknown}: There is no such part. Run with --help for a list.`
    if (!/^[1-9]\d{0,5}$/.test(values.rounds))
      return `--rounds ${values.rounds}: Use a whole number, such as 300.`
    if (values.write && only.length > 0) return '--write replaces all tables. Leave out --only.'
    const rounds = Number(values.rounds)
    const { parts, figures } = await measure(only.length === 0 ? PART_NAMES : only, rounds)
    const lines = parts.flatMap((part) => part.lines)
    console.log(`\n${linesAsText(lines)}\n`)
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`)
    if (values.write) writeTables(parts, rounds)
    const missed = lines.filter(({ met }) => met === false)
    if (missed.length > 0) console.log(`Goals missed: ${missed.length}`)
    return 0
  },
)
