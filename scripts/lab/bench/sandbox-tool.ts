// Commands of a run: how long the tool `bash` takes for an empty script, in isolates that are there and in new ones.

import { setTimeout as sleep } from 'node:timers/promises'

import { ADMIN_KEY, startFakeApi, startSatchel, type Server } from './servers.ts'
import { figures, type Figures } from './stats.ts'

import type { Measured, Tell } from './part.ts'
import type { Line } from './table.ts'

const WARM_UP = 5
const ROUNDS = 100
/** Each has a server of its own: the first program of a workspace is cold once. */
const SERVERS = 5
const PAUSE_MS = 12

/** p50 and p99 in milliseconds. */
const WARM_MS = [45, 120] as const
const COLD_MS = [250, 500] as const

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: 'true',
  'python3 in bash': "python3 -c ''",
  'node in bash': "node -e ''",
}

/** Milliseconds from the frame that says that the call began to the one that says that it is over. Rejects when it failed. */
async function called(
  url: string,
  command: string,
  thread: string | null,
): Promise<{ readonly ms: number; readonly thread: string }> {
  const body = {
    message: `CALL bash ${JSON.stringify({ command })} END`,
    stream: true,
    ...(thread === null ? {} : { thread_id: thread }),
  }
  const response = await fetch(`${url}/v1/chat`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${ADMIN_KEY}` },
    body: JSON.stringify(body),
  })
  if (!response.ok || !response.body) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  let [begun, ended] = [Number.NaN, Number.NaN]
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true })
    if (Number.isNaN(begun) && text.includes('event: tool.started\n')) begun = performance.now()
    if (Number.isNaN(ended) && text.includes('event: tool.completed\n')) ended = performance.now()
  }
  if (Number.isNaN(ended) || !text.includes('"is_error":false'))
    throw new Error(`${command}: ${text.slice(-2_000)}`)
  return { ms: ended - begun, thread: response.headers.get('X-Thread-Id') ?? '' }
}

interface Times {
  readonly warm: number[]
  readonly newThread: number[]
  readonly first: number[]
}

async function times(url: string, command: string, rounds: number, into: Times): Promise<void> {
  const { ms, thread } = await called(url, command, null)
  into.first.push(ms)
  for (let at = -WARM_UP; at < rounds; at++) {
    await sleep(PAUSE_MS)
    const again = await called(url, command, thread)
    const fresh = await called(url, command, null)
    if (at < 0) continue
    into.warm.push(again.ms)
    into.newThread.push(fresh.ms)
  }
}

interface ToolFigures {
  readonly what: string
  /** The thread's shell and the workspace's programs are there. */
  readonly warm: Figures
  /** A thread's first command, in a workspace whose programs are there. */
  readonly newThread: Figures
  /** The first one of a server. */
  readonly first: Figures
}

export async function measureTool(tell: Tell): Promise<Measured> {
  const started: Server[] = []
  const all: ToolFigures[] = []
  try {
    const api = await startFakeApi()
    started.push(api)
    for (const [what, command] of Object.entries(SCRIPTS)) {
      tell(`sandbox-tool: ${what}`)
      const into: Times = { warm: [], newThread: [], first: [] }
      for (let at = 0; at < SERVERS; at++) {
        const satchel = await startSatchel(api.url)
        started.push(satchel)
        await times(satchel.url, command, ROUNDS / SERVERS, into)
        await started.pop()?.stop()
      }
      const { warm, newThread, first } = into
      all.push({ what, warm: figures(warm), newThread: figures(newThread), first: figures(first) })
    }
    return { figures: all, lines: all.flatMap(linesOf) }
  } finally {
    for (const server of started.toReversed()) await server.stop()
  }
}

function linesOf({ what, warm, newThread, first }: ToolFigures): readonly Line[] {
  return [
    line(`an empty script of ${what}, warm`, warm, WARM_MS),
    line(`the same, first of a thread`, newThread, COLD_MS),
    line(`the same, first of a server`, first, COLD_MS),
  ]
}

function line(what: string, taken: Figures, [p50, p99]: readonly [number, number]): Line {
  return {
    what,
    figure: `${taken.median.toFixed(1)} ms · p99 ${taken.p99.toFixed(1)} ms (${taken.rounds} rounds)`,
    goal: `≤ ${p50} · ${p99} ms`,
    met: taken.median <= p50 && taken.p99 <= p99,
  }
}
