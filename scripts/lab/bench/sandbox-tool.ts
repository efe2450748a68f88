// Benchmark of the tool `bash`: how long it takes for an empty script, in existing isolates and in new ones.

import { setTimeout as sleep } from 'node:timers/promises'

import { withinBoth, type FigureLine, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { callMessage, streamedAnswer } from '../rig/requests.ts'
import { figures } from '../rig/stats.ts'
import { startFakeApi, startWorker, withServers } from '../rig/worker.ts'

const WARM_UP = 5
const ROUNDS = 100
/** Number of servers, because only the first program of a workspace is a cold start. */
const SERVERS = 5
const PAUSE_MS = 12

/** Goals for p50 and p99 in ms. */
const WARM_GOALS_MS = [45, 120] as const
const COLD_GOALS_MS = [250, 500] as const

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: 'true',
  'python3 in bash': "python3 -c ''",
  'node in bash': "node -e ''",
}

/** Milliseconds between the events for the start and the end of the call. Rejects if it failed. */
async function runCommandMs(
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

interface Samples {
  /** Durations with the thread's shell and the workspace's programs loaded. */
  readonly warm: number[]
  /** Durations of a thread's first command, with the workspace's programs loaded. */
  readonly newThread: number[]
  /** Durations of a server's first command. */
  readonly first: number[]
}

async function measureTimes(url: string, command: string, rounds: number, samples: Samples): Promise<void> {
  const { ms, thread } = await runCommandMs(url, command, null)
  samples.first.push(ms)
  for (let at = -WARM_UP; at < rounds; at++) {
    await sleep(PAUSE_MS)
    const warm = await runCommandMs(url, command, thread)
    const cold = await runCommandMs(url, command, null)
    if (at < 0) continue
    samples.warm.push(warm.ms)
    samples.newThread.push(cold.ms)
  }
}

export async function measureTool(tell: ReportProgress): Promise<PartResult> {
  return withServers(async (keep) => {
    const api = await keep(startFakeApi())
    const all: object[] = []
    const lines: FigureLine[] = []
    for (const [what, command] of Object.entries(SCRIPTS)) {
      tell(`sandbox-tool: ${what}`)
      const samples: Samples = { warm: [], newThread: [], first: [] }
      for (let at = 0; at < SERVERS; at++)
        await withServers(async (keepOne) => {
          const { url } = await keepOne(startWorker(api.url))
          await measureTimes(url, command, ROUNDS / SERVERS, samples)
        })
      const [warm, newThread, first] = [
        figures(samples.warm),
        figures(samples.newThread),
        figures(samples.first),
      ]
      all.push({ what, warm, newThread, first })
      lines.push(
        withinBoth(`empty script, ${what}: warm`, warm, WARM_GOALS_MS),
        withinBoth(`empty script, ${what}: first in a thread`, newThread, COLD_GOALS_MS),
        withinBoth(`empty script, ${what}: first after a server start`, first, COLD_GOALS_MS),
      )
    }
    return { figures: all, lines }
  })
}
