// Benchmark of the runtimes alone, without Satchel: an empty script in a warm isolate and in a new one, and how long
// other requests wait during an endless loop.

import { meanwhile } from '../rig/meanwhile.ts'
import { startChildren, type Children } from '../sandbox/children.ts'
import { ROOT } from '../rig/keys.ts'
import { waiting, withinBoth, type FigureLine, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { figures, type Figures } from '../rig/stats.ts'

const WARM_UP = 5
const KEPT_ROUNDS = 300
const NEW_ROUNDS = 100
const LOOP_MS = 3_000

/**
 * Limits in ms: p50 and p99. For the waits of other requests in the shell the maximum counts, because a shell cannot
 * yield within one command.
 */
interface RuntimeCase {
  readonly what: string
  readonly runtime: string
  readonly empty: readonly string[]
  readonly endless: readonly string[]
  readonly keptMs: readonly [number, number]
  readonly newMs: readonly [number, number]
}

const OTHERS_P99_MAX_MS = 150

const CASES: readonly RuntimeCase[] = [
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

async function measureStarts(
  children: Children,
  argv: readonly string[],
  rounds: number,
  fresh: boolean,
): Promise<Figures> {
  const times: number[] = []
  for (let round = -WARM_UP; round < rounds; round++) {
    const { ms, exitCode, stderr } = await children.run({ argv, fresh })
    if (exitCode !== 0) throw new Error(`${argv.join(' ')} ended with ${exitCode}: ${stderr}`)
    if (round >= 0) times.push(ms)
  }
  return figures(times)
}

export async function measureRuntimes(tell: ReportProgress): Promise<PartResult> {
  const lines: FigureLine[] = []
  const all: object[] = []
  for (const { what, runtime, empty, endless, keptMs, newMs } of CASES) {
    tell(`sandbox-runtimes: ${what}`)
    const children = await startChildren(ROOT, runtime)
    try {
      const kept = await measureStarts(children, empty, KEPT_ROUNDS, false)
      const fresh = await measureStarts(children, empty, NEW_ROUNDS, true)
      // Send trivial requests in sequence until the loop has been ended.
      const { seen } = await meanwhile(children.run({ argv: endless, wallMs: LOOP_MS }), children.ping)
      const others = figures(seen)
      all.push({ what, kept, fresh, others })
      lines.push(
        withinBoth(`empty script, ${what} alone: kept isolate`, kept, keptMs),
        withinBoth(`empty script, ${what} alone: new isolate`, fresh, newMs),
        waiting(`an endless loop of ${what}`, others, OTHERS_P99_MAX_MS),
      )
    } finally {
      await children.dispose()
    }
  }
  return { lines, figures: all }
}
