// Commands of a run: how long the tool `bash` takes for an empty script, in existing isolates and in new ones.

import { setTimeout as sleep } from 'node:timers/promises'

import { withinBoth, type FigureLine, type Measured, type ReportProgress } from '../rig/lines.ts'
import { callMessage, streamedAnswer } from '../rig/requests.ts'
import { figures } from '../rig/stats.ts'
import { startFakeApi, startWorker, withServers } from '../rig/worker.ts'

const WARM_UP = 5
const ROUNDS = 100
/** Each on its own server: the first program of a workspace is cold once. */
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

/** Milliseconds between the frames for the start and the end of the call. Rejects if it failed. */
async function called(
  url: string,
  command: string,
  thread: string | null,
): Promise<{ readonly ms: number; readonly thread: string }> {
  const body = {
    message: callMessage('bash', { command }),
    stream: true,
    ...(thread !== null && { thread_id: thread }),
  }
  const { at, text, threadId } = await streamedAnswer(`${url}/v1/chat`, body, {
    begun: 'event: tool.started\n',
    ended: 'event: tool.completed\n',
  })
  if (Number.isNaN(at.ended) || !text.includes('"is_error":false'))
    throw new Error(`${command}: ${text.slice(-2_000)}`)
  return { ms: at.ended - at.begun, thread: threadId }
}

interface Times {
  /** With the thread's shell and the workspace's programs loaded. */
  readonly warm: number[]
  /** A thread's first command, with the workspace's programs loaded. */
  readonly newThread: number[]
  /** The first command of a server. */
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

export async function measureTool(tell: ReportProgress): Promise<Measured> {
  return withServers(async (keep) => {
    const api = await keep(startFakeApi())
    const all: object[] = []
    const lines: FigureLine[] = []
    for (const [what, command] of Object.entries(SCRIPTS)) {
      tell(`sandbox-tool: ${what}`)
      const into: Times = { warm: [], newThread: [], first: [] }
      for (let at = 0; at < SERVERS; at++)
        await withServers(async (keepOne) => {
          const { url } = await keepOne(startWorker(api.url))
          await times(url, command, ROUNDS / SERVERS, into)
        })
      const [warm, newThread, first] = [figures(into.warm), figures(into.newThread), figures(into.first)]
      all.push({ what, warm, newThread, first })
      lines.push(
        withinBoth(`empty script, ${what}: warm`, warm, WARM_MS),
        withinBoth(`empty script, ${what}: first in a thread`, newThread, COLD_MS),
        withinBoth(`empty script, ${what}: first after a server start`, first, COLD_MS),
      )
    }
    return { figures: all, lines }
  })
}
