// Benchmark of commands that never end: how late each is ended, what its result says, and how long small requests of
// another thread take meanwhile, compared with an idle server.

import { setTimeout as sleep } from 'node:timers/promises'

import { HOSTILE, type HostileScript } from './hostile-scripts.ts'
import { line, ms, under, type FigureLine, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { callTool, newThread, adminRequest } from '../rig/requests.ts'
import { figures } from '../rig/stats.ts'
import { withSatchel } from '../rig/worker.ts'

import type { ModelApi } from '../rig/model-api.ts'

const LIMIT_S = 2
/**
 * Interval in ms at which requests are sent, whether or not earlier ones were answered, so that a standstill delays
 * all of them.
 */
const PING_EVERY_MS = 20
const QUIET_MS = 3_000
const LATE_STOP_MAX_MS = 500
const OTHERS_P99_MAX_MS = 150
const LANGUAGES = { bash: 'bash', python3: 'Python', node: 'Node' } as const
/** A single shell command cannot pause. */
const STALL_MAX_MS = 1_000

interface Waits {
  readonly p99: number
  readonly max: number
}

interface HostileFigures {
  readonly program: HostileScript['program']
  readonly what: string
  /** Duration of the call in ms. */
  readonly ms: number
  /** Milliseconds beyond the limit; 0 if another limit ended it first. */
  readonly over: number
  /** Satchel's message at the end of the result, or its last line. */
  readonly message: string
  /** Whether the result names a limit or the failure. */
  readonly clear: boolean
  readonly others: Waits
}

/** Sends requests of another thread until `work` is done. */
async function measureOthers<T>(
  url: string,
  thread: string,
  work: Promise<T>,
): Promise<{ readonly took: T; readonly waits: Waits }> {
  const waits: number[] = []
  const open = new Set<Promise<void>>()
  let isOver = false
  const done = work.finally(() => (isOver = true))
  const one = async (): Promise<void> => {
    const startedMs = performance.now()
    await (await adminRequest(url, `GET /v1/threads/${thread}`)).arrayBuffer()
    waits.push(performance.now() - startedMs)
  }
  while (!isOver) {
    const request = one()
    open.add(request)
    void request.finally(() => open.delete(request)).catch(() => {})
    await sleep(PING_EVERY_MS)
  }
  await Promise.all(open)
  return { took: await done, waits: { p99: figures(waits).p99, max: Math.max(...waits) } }
}

/** The duration of the call in ms, measured by its events. */
async function runCommandMs(url: string, thread: string, command: string): Promise<number> {
  const [call] = await callTool(url, thread, 'bash', { command, timeout_s: LIMIT_S })
  return call?.duration_ms ?? Number.NaN
}

/** The result of the last call, as sent to the model. */
async function lastResult(api: ModelApi): Promise<string> {
  const { last: raw = '' } = await api.state()
  const from = raw.lastIndexOf('"tool_result"')
  const text = /"content":"((?:[^"\\]|\\.)*)"/.exec(raw.slice(from))?.[1] ?? ''
  // The text is a JSON string.
  return String(JSON.parse(`"${text}"`))
}

const FAILURE_MESSAGE =
  /Error|not here|too (?:deep|many|large)|memory|No space left|stopped|Stopped|Operation not supported/

async function measureScript(
  url: string,
  api: ModelApi,
  { program, what, command }: HostileScript,
  otherThread: string,
): Promise<HostileFigures> {
  const thread = await newThread(url)
  // Load the thread's shell and the workspace's program before measuring.
  await runCommandMs(url, thread, program === 'bash' ? 'true' : `${program} -e '' 2>/dev/null`)
  const { took: ms, waits } = await measureOthers(url, otherThread, runCommandMs(url, thread, command))
  const text = await lastResult(api)
  const lines = text.trimEnd().split('\n')
  const message = /\[([^\]]*)\]$/.exec(text.trimEnd())?.[1] ?? lines.at(-1) ?? ''
  return {
    program,
    what,
    ms,
    over: Math.max(0, ms - LIMIT_S * 1_000),
    message: message.slice(0, 200),
    clear: FAILURE_MESSAGE.test(text.slice(-3_000)),
    others: waits,
  }
}

export async function measureSandboxHostile(tell: ReportProgress): Promise<PartResult> {
  return withSatchel(async ({ url }, api) => {
    const otherThread = await newThread(url)
    await runCommandMs(url, await newThread(url), "python3 -c ''; node -e ''")
    const { waits: quiet } = await measureOthers(url, otherThread, sleep(QUIET_MS))
    tell(`sandbox-hostile: nothing runs: others p99 ${ms(quiet.p99, 0)} · longest ${ms(quiet.max, 0)}`)
    const scripts: HostileFigures[] = []
    for (const script of HOSTILE) {
      const one = await measureScript(url, api, script, otherThread)
      scripts.push(one)
      const others = `others p99 ${ms(one.others.p99, 0)} · longest ${ms(one.others.max, 0)}`
      tell(
        `${one.program}, ${one.what}: ${ms(one.ms, 0)} · ${ms(one.over, 0)} over · ${others} · ${one.message}`,
      )
    }
    return { figures: { quiet, scripts }, lines: linesOf(quiet, scripts) }
  })
}

function linesOf(quiet: Waits, all: readonly HostileFigures[]): readonly FigureLine[] {
  return Object.entries(Object.groupBy(all, ({ program }) => LANGUAGES[program])).flatMap(
    ([language, mine]) => {
      const of = `${mine.length} hostile ${language} scripts`
      /** Returns the worst case and its description. */
      const worst = (by: (one: HostileFigures) => number): readonly [number, string] => {
        const [most] = mine.toSorted((a, b) => by(b) - by(a))
        return most ? [by(most), `${ms(by(most), 0)} (${most.what})`] : [0, '']
      }
      const [late, lateLabel] = worst(({ over: isOver }) => isOver)
      const [felt, p99Label] = worst(({ others }) => others.p99)
      const [stalled, longestLabel] = worst(({ others }) => others.max)
      const unclear = mine.filter(({ clear }) => !clear).map(({ what }) => `, not: ${what}`)
      const otherThread = `${of}: small request in another thread`
      return [
        under(`${of}: latest stop after the limit`, lateLabel, late, LATE_STOP_MAX_MS, 'ms'),
        line(
          `${of}: results that name the limit or the failure`,
          `${mine.length - unclear.length}${unclear.join('')}`,
          'all',
          unclear.length === 0,
        ),
        language === 'bash'
          ? under(
              `${otherThread}, slowest (idle: ${ms(quiet.max, 0)})`,
              longestLabel,
              stalled,
              STALL_MAX_MS,
              'ms',
            )
          : under(`${otherThread}, p99 (idle: ${ms(quiet.p99, 0)})`, p99Label, felt, OTHERS_P99_MAX_MS, 'ms'),
      ]
    },
  )
}
