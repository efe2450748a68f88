// Commands that never end by themselves: how late each is ended, what its result says, and how long the small requests of
// another thread take meanwhile, beside the same requests while nothing runs.

import { setTimeout as sleep } from 'node:timers/promises'

import { HOSTILE, type HostileScript } from './hostile-scripts.ts'
import { asked } from './search.ts'
import { startFakeApi, startSatchel, type FakeApi, type Server } from './servers.ts'
import { figures } from './stats.ts'
import type { Line } from './table.ts'

const LIMIT_S = 2
/** One request each of these, whether the one before was answered or not: a standstill counts for all that fall into it. */
const PING_EVERY_MS = 20
const QUIET_MS = 3_000
const OVER_MS = 500
const OTHERS_P99_MS = 150
/** One command of the shell cannot pause. */
const STALL_MS = 1_000

interface Waits {
  readonly p99: number
  readonly max: number
}

interface HostileFigures {
  readonly program: HostileScript['program']
  readonly what: string
  /** Milliseconds from the call's beginning to its end. */
  readonly ms: number
  /** Milliseconds over the limit; 0 where another limit ended it before. */
  readonly over: number
  /** Our words at the end of the result, or its last line. */
  readonly said: string
  /** Whether the result names a limit or why it failed. */
  readonly clear: boolean
  readonly others: Waits
}

/** Requests of another thread until `work` is done. */
async function beside<T>(
  url: string,
  thread: string,
  work: Promise<T>,
): Promise<{ readonly took: T; readonly waits: Waits }> {
  const waits: number[] = []
  const open = new Set<Promise<void>>()
  let over = false
  const done = work.finally(() => (over = true))
  const one = async (): Promise<void> => {
    const began = performance.now()
    await (await asked(`${url}/v1/threads/${thread}`, 'GET')).arrayBuffer()
    waits.push(performance.now() - began)
  }
  while (!over) {
    const asking = one()
    open.add(asking)
    void asking.finally(() => open.delete(asking)).catch(() => {})
    await sleep(PING_EVERY_MS)
  }
  await Promise.all(open)
  return { took: await done, waits: { p99: figures(waits).p99, max: Math.max(...waits) } }
}

async function newThread(url: string): Promise<string> {
  const made: unknown = await (await asked(`${url}/v1/threads`, 'POST')).json()
  return made !== null && typeof made === 'object' && 'thread_id' in made ? String(made.thread_id) : ''
}

/** Milliseconds of the call, by its events. */
async function called(url: string, thread: string, command: string): Promise<number> {
  const message = `CALL bash ${JSON.stringify({ command, timeout_s: LIMIT_S })} END`
  const body = JSON.stringify({ message, thread_id: thread, stream: true })
  const response = await asked(`${url}/v1/chat`, 'POST', body)
  const events = await response.text()
  const done = /^data: (.*"tool\.completed".*)$/m.exec(events)?.[1]
  const event: unknown = done === undefined ? null : JSON.parse(done)
  if (event === null || typeof event !== 'object' || !('duration_ms' in event))
    throw new Error(`${command} did not end: ${events.slice(-500)}`)
  return Number(event.duration_ms)
}

/** What the model was told of the last call. */
async function told(api: FakeApi): Promise<string> {
  const raw = await api.last()
  const from = raw.lastIndexOf('"tool_result"')
  const text = /"content":"((?:[^"\\]|\\.)*)"/.exec(raw.slice(from))?.[1] ?? ''
  // A string of JSON.
  return String(JSON.parse(`"${text}"`))
}

const FAILED =
  /Error|not here|too (?:deep|many|large)|memory|No space left|stopped|Stopped|Operation not supported/

async function measured(
  url: string,
  api: FakeApi,
  { program, what, command }: HostileScript,
  other: string,
): Promise<HostileFigures> {
  const thread = await newThread(url)
  // The shell of the thread, and a program of the workspace, are there.
  await called(url, thread, program === 'bash' ? 'true' : `${program} -e '' 2>/dev/null`)
  const { took: ms, waits } = await beside(url, other, called(url, thread, command))
  const text = await told(api)
  const lines = text.trimEnd().split('\n')
  const said = /\[([^\]]*)\]$/.exec(text.trimEnd())?.[1] ?? lines.at(-1) ?? ''
  return {
    program,
    what,
    ms,
    over: Math.max(0, ms - LIMIT_S * 1_000),
    said: said.slice(0, 200),
    clear: FAILED.test(text.slice(-3_000)),
    others: waits,
  }
}

interface Measured {
  readonly lines: readonly Line[]
  readonly figures: { readonly quiet: Waits; readonly scripts: readonly HostileFigures[] }
}

export async function measureSandboxHostile(tell: (text: string) => void): Promise<Measured> {
  const started: Server[] = []
  try {
    const api = await startFakeApi()
    started.push(api)
    const satchel = await startSatchel(api.url)
    started.push(satchel)
    const { url } = satchel
    const other = await newThread(url)
    await called(url, await newThread(url), "python3 -c ''; node -e ''")
    const { waits: quiet } = await beside(url, other, sleep(QUIET_MS))
    tell(`sandbox-hostile: nothing runs: others p99 ${ms(quiet.p99)} · longest ${ms(quiet.max)}`)
    const scripts: HostileFigures[] = []
    for (const script of HOSTILE) {
      const one = await measured(url, api, script, other)
      scripts.push(one)
      tell(
        `${one.program}, ${one.what}: ${ms(one.ms)} · ${ms(one.over)} over · others p99 ${ms(one.others.p99)} · longest ${ms(one.others.max)} · ${one.said}`,
      )
    }
    return { figures: { quiet, scripts }, lines: hostileLines(quiet, scripts) }
  } finally {
    for (const server of started.toReversed()) await server.stop()
  }
}

function hostileLines(quiet: Waits, all: readonly HostileFigures[]): readonly Line[] {
  const programs = [...new Set(all.map(({ program }) => program))]
  const most = (
    of: readonly HostileFigures[],
    by: (one: HostileFigures) => number,
  ): HostileFigures | undefined => of.toSorted((a, b) => by(b) - by(a))[0]
  return programs.flatMap((program) => {
    const mine = all.filter((one) => one.program === program)
    const late = most(mine, ({ over }) => over)
    const felt = most(mine, ({ others }) => others.p99)
    const stalled = most(mine, ({ others }) => others.max)
    const unclear = mine.filter(({ clear }) => !clear)
    const what = `${mine.length} hostile scripts of ${program}`
    return [
      {
        what: `${what}: over the limit, the latest`,
        figure: `${ms(late?.over)} (${late?.what})`,
        goal: `≤ ${OVER_MS} ms`,
        met: (late?.over ?? 0) <= OVER_MS,
      },
      {
        what: `${what}: results that say which limit it was, or what failed`,
        figure: `${mine.length - unclear.length}${unclear.map((one) => `, not: ${one.what}`).join('')}`,
        goal: 'all',
        met: unclear.length === 0,
      },
      {
        what: `${what}: small requests of another thread, p99 of the worst (nothing running: ${ms(quiet.p99)})`,
        figure: `${ms(felt?.others.p99)} (${felt?.what})`,
        ...(program === 'bash'
          ? { goal: '', met: null }
          : { goal: `≤ ${OTHERS_P99_MS} ms`, met: (felt?.others.p99 ?? 0) <= OTHERS_P99_MS }),
      },
      {
        what: `${what}: the longest that one of them waited (nothing running: ${ms(quiet.max)})`,
        figure: `${ms(stalled?.others.max)} (${stalled?.what})`,
        ...(program === 'bash'
          ? { goal: `≤ ${STALL_MS} ms`, met: (stalled?.others.max ?? 0) <= STALL_MS }
          : { goal: '', met: null }),
      },
    ]
  })
}

function ms(value: number | undefined): string {
  return `${(value ?? Number.NaN).toFixed(0)} ms`
}
