// The runtimes of commands by themselves, no Satchel around them: an empty script in an isolate that is kept and in a new one,
// and how long others wait while an endless loop goes on.

import { startChildren, type Children } from '../sandbox/children.ts'
import { ROOT } from './servers.ts'
import { figures, type Figures } from './stats.ts'
import type { Measured, Tell } from './part.ts'
import type { Line } from './table.ts'

const WARM_UP = 5
const KEPT_ROUNDS = 300
const NEW_ROUNDS = 100
const LOOP_MS = 3_000

/** Limits in milliseconds: p50 and p99; and of others' waiting, where the longest counts for a shell that cannot yield inside one command. */
interface Case {
  readonly what: string
  readonly runtime: string
  readonly empty: readonly string[]
  readonly endless: readonly string[]
  readonly keptMs: readonly [number, number]
  readonly newMs: readonly [number, number]
}

const OTHERS_MS = 150

const CASES: readonly Case[] = [
  {
    what: 'python3',
    runtime: 'python',
    empty: ['python3', '-c', ''],
    endless: ['python3', '-c', 'while True: pass'],
    keptMs: [25, 60],
    newMs: [60, 200],
  },
  {
    what: 'node',
    runtime: 'node',
    empty: ['node', '-e', ''],
    endless: ['node', '-e', 'for (;;);'],
    keptMs: [10, 30],
    newMs: [40, 120],
  },
  {
    what: 'bash',
    runtime: 'bash',
    empty: ['bash', '-c', 'true'],
    endless: ['bash', '-c', 'while :; do :; done'],
    keptMs: [10, 40],
    newMs: [160, 350],
  },
]

interface RuntimeFigures {
  readonly what: string
  readonly kept: Figures
  readonly fresh: Figures
  readonly others: Figures
}

async function starts(
  children: Children,
  argv: readonly string[],
  rounds: number,
  isolate?: null,
): Promise<Figures> {
  const times: number[] = []
  for (let round = -WARM_UP; round < rounds; round++) {
    const { ms, exitCode, stderr } = await children.run({ argv, ...(isolate === null ? { isolate } : {}) })
    if (exitCode !== 0) throw new Error(`${argv.join(' ')} ended with ${exitCode}: ${stderr}`)
    if (round >= 0) times.push(ms)
  }
  return figures(times)
}

/** Requests that need nothing, one after the other until the loop has been ended. */
async function waited(children: Children, argv: readonly string[]): Promise<Figures> {
  let over = false
  const loop = children.run({ argv, limits: { wallMs: LOOP_MS } }).finally(() => (over = true))
  const times: number[] = []
  while (!over) times.push(await children.ping())
  await loop
  return figures(times)
}

async function measured({ what, runtime, empty, endless }: Case): Promise<RuntimeFigures> {
  const children = await startChildren(ROOT, runtime)
  try {
    return {
      what,
      kept: await starts(children, empty, KEPT_ROUNDS),
      fresh: await starts(children, empty, NEW_ROUNDS, null),
      others: await waited(children, endless),
    }
  } finally {
    await children.dispose()
  }
}

function line(what: string, taken: Figures, [p50, p99]: readonly [number, number]): Line {
  return {
    what,
    figure: `${taken.median.toFixed(1)} ms · p99 ${taken.p99.toFixed(1)} ms (${taken.rounds} rounds)`,
    goal: `≤ ${p50} · ${p99} ms`,
    met: taken.median <= p50 && taken.p99 <= p99,
  }
}

function linesOf({ what, keptMs, newMs }: Case, { kept, fresh, others }: RuntimeFigures): readonly Line[] {
  return [
    line(`an empty script of ${what} alone, kept isolate`, kept, keptMs),
    line(`the same, new isolate`, fresh, newMs),
    {
      what: `others meanwhile: a request that needs nothing, an endless loop of ${what}`,
      figure: `${others.median.toFixed(1)} ms · p99 ${others.p99.toFixed(1)} ms (${others.rounds} rounds)`,
      goal: `p99 ≤ ${OTHERS_MS} ms`,
      met: others.p99 <= OTHERS_MS,
    },
  ]
}

export async function measureRuntimes(tell: Tell): Promise<Measured> {
  const lines: Line[] = []
  const all: RuntimeFigures[] = []
  for (const one of CASES) {
    tell(`sandbox-runtimes: ${one.what}`)
    const taken = await measured(one)
    all.push(taken)
    lines.push(...linesOf(one, taken))
  }
  return { lines, figures: all }
}
