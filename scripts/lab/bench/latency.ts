// The three latency comparisons, interleaved: each round sends one request to every subject, with the same pause
// before each, so that other load on the machine affects all of them.

import { setTimeout as sleep } from 'node:timers/promises'

import Anthropic from '@anthropic-ai/sdk'

import {
  line,
  plain,
  withSign,
  spread,
  times,
  under,
  type FigureLine,
  type ReportProgress,
} from '../rig/lines.ts'
import { askTimed, say, type Timed } from '../rig/requests.ts'
import { figures, type Figures } from '../rig/stats.ts'
import { startFakeApi, startWorker, withServers, type WorkerServer } from '../rig/worker.ts'

import type { ModelApi } from '../rig/model-api.ts'

import type { BareRequest, RecordedRun } from './bare-worker.ts'

/** A pause in ms, so that work after one response does not affect the next request. */
const PAUSE_MS = 12
/** Number of messages in one thread before a new one starts, so that histories have a realistic length. */
const THREAD_MESSAGES = 20
const WARM_UP_ROUNDS = 30
const QUESTION = 'What is in the satchel?'
const TOOLS_QUESTION = 'TOOLS 4: load the skill and read on.'

const BARE_SERVER = new URL('./bare-server.ts', import.meta.url)
const ADDED_GOAL_MS = { chat: 2.5, new: 5 } as const
const P99_RATIO = 1.5
const TOOLS_RATIO = 1.8

export const LATENCY_SCENES = ['chat', 'new', 'tools'] as const
export type LatencyScene = (typeof LATENCY_SCENES)[number]
const TITLES: Readonly<Record<LatencyScene, string>> = {
  chat: 'first text, next message',
  new: 'first text, new thread',
  tools: 'run of five model calls and four tool calls',
}
/** `bare` sends only the message. `same` is the bare Worker sending as many bytes as Satchel. */
type Subject = 'direct' | 'bare' | 'same' | 'satchel'
const SUBJECTS: readonly Subject[] = ['direct', 'bare', 'same', 'satchel']

export interface SceneFigures {
  readonly scene: LatencyScene
  readonly direct: Figures | null
  readonly bare: Figures
  readonly same: Figures
  readonly satchel: Figures
}

type TimedRequest = () => Promise<number>

type Round = Partial<Record<Subject, TimedRequest>> & Record<'bare' | 'same' | 'satchel', TimedRequest>

interface Servers {
  readonly api: ModelApi
  readonly bare: WorkerServer
  readonly satchel: WorkerServer
}

/** Calls the API with the SDK, without a Worker. Returns the ms until the first text. */
function requestDirectly(baseURL: string): () => Promise<number> {
  const anthropic = new Anthropic({ apiKey: 'any-key', baseURL, maxRetries: 0 })
  return async () => {
    const startedMs = performance.now()
    let firstTextMs = Number.NaN
    const stream = await anthropic.messages.create({
      model: 'claude-sonnet-5-5',
      max_tokens: 1_024,
      messages: [{ role: 'user', content: QUESTION }],
      stream: true,
    })
    for await (const event of stream)
      if (Number.isNaN(firstTextMs) && event.type === 'content_block_delta')
        firstTextMs = performance.now() - startedMs
    return firstTextMs
  }
}

class Subjects {
  readonly #servers: Servers
  readonly #direct: ReturnType<typeof requestDirectly>
  #count = 0

  constructor(servers: Servers) {
    this.#servers = servers
    this.#direct = requestDirectly(servers.api.url)
  }

  async #bare(thread: string, message: string, same = false): Promise<Timed> {
    const body: BareRequest = { thread, message, same }
    return askTimed(`${this.#servers.bare.url}/chat`, body)
  }

  async #satchel(threadId: string | null, message: string): Promise<Timed> {
    return say(this.#servers.satchel.url, threadId, message)
  }

  /** Gives Satchel's request and the results of its calls to the bare Worker. */
  async recordRun(): Promise<void> {
    const { api, bare } = this.#servers
    await this.#satchel(null, TOOLS_QUESTION)
    // Satchel's last request.
    const { last = '{}' } = await api.state()
    const { messages, ...request } = JSON.parse(last) as Anthropic.MessageCreateParamsStreaming
    const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    const results = blocks.flatMap((block) =>
      block.type === 'tool_result' ? [typeof block.content === 'string' ? block.content : ''] : [],
    )
    const same: RecordedRun = { request, results }
    await fetch(`${bare.url}/same`, { method: 'POST', body: JSON.stringify(same) })
  }

  /** Warms up: the next message goes to a warm object and an existing thread. */
  async #warmThreads(): Promise<Record<'bare' | 'same' | 'satchel', string>> {
    const at = this.#count++
    const [bare, same] = [`bare-${at}`, `same-${at}`]
    await this.#bare(bare, QUESTION)
    await this.#bare(same, QUESTION, true)
    const { threadId } = await this.#satchel(null, QUESTION)
    await sleep(PAUSE_MS)
    return { bare, same, satchel: threadId }
  }

  async chat(): Promise<() => Promise<Round>> {
    let messagesLeft = 0
    let threads = await this.#warmThreads()
    return async () => {
      if (messagesLeft-- === 0) {
        threads = await this.#warmThreads()
        messagesLeft = THREAD_MESSAGES
      }
      return {
        direct: this.#direct,
        bare: async () => (await this.#bare(threads.bare, QUESTION)).firstTextMs,
        same: async () => (await this.#bare(threads.same, QUESTION, true)).firstTextMs,
        satchel: async () => (await this.#satchel(threads.satchel, QUESTION)).firstTextMs,
      }
    }
  }

  new(): () => Promise<Round> {
    return async () => ({
      bare: async () => (await this.#bare(`new-${this.#count++}`, QUESTION)).firstTextMs,
      same: async () => (await this.#bare(`new-${this.#count++}`, QUESTION, true)).firstTextMs,
      satchel: async () => (await this.#satchel(null, QUESTION)).firstTextMs,
    })
  }

  tools(): () => Promise<Round> {
    return async () => {
      const threads = await this.#warmThreads()
      return {
        bare: async () => (await this.#bare(threads.bare, TOOLS_QUESTION)).totalMs,
        same: async () => (await this.#bare(threads.same, TOOLS_QUESTION, true)).totalMs,
        satchel: async () => (await this.#satchel(threads.satchel, TOOLS_QUESTION)).totalMs,
      }
    }
  }
}

async function measureInterleaved(
  scene: LatencyScene,
  rounds: number,
  round: () => Promise<Round>,
): Promise<SceneFigures> {
  const samples: Record<Subject, number[]> = { direct: [], bare: [], same: [], satchel: [] }
  for (let at = -WARM_UP_ROUNDS; at < rounds; at++) {
    const requests = await round()
    for (const subject of SUBJECTS) {
      const request = requests[subject]
      if (!request) continue
      await sleep(PAUSE_MS)
      const ms = await request()
      if (at >= 0) samples[subject].push(ms)
    }
  }
  return {
    scene,
    direct: samples.direct.length > 0 ? figures(samples.direct) : null,
    bare: figures(samples.bare),
    same: figures(samples.same),
    satchel: figures(samples.satchel),
  }
}

/** Measures the scenes one after the other, on the same servers. */
export async function measureLatency(
  scenes: readonly LatencyScene[],
  rounds: Readonly<Record<LatencyScene, number>>,
  tell: ReportProgress,
): Promise<readonly SceneFigures[]> {
  return withServers(async (keep) => {
    const api = await keep(startFakeApi())
    const bare = await keep(startWorker(api.url, { program: BARE_SERVER }))
    const subjects = new Subjects({ api, bare, satchel: await keep(startWorker(api.url)) })
    await subjects.recordRun()
    const results: SceneFigures[] = []
    for (const scene of scenes) {
      tell(`${scene}: ${rounds[scene]} rounds after ${WARM_UP_ROUNDS} to warm up`)
      const round = scene === 'chat' ? await subjects.chat() : subjects[scene]()
      results.push(await measureInterleaved(scene, rounds[scene], round))
    }
    return results
  })
}

/** Formats a figure of Satchel next to that of a bare Worker. */
function comparisonLines(scene: LatencyScene, satchel: Figures, bare: Figures): readonly FigureLine[] {
  const ratio = satchel.median / bare.median
  const what = `${TITLES[scene]}: Satchel over bare Worker`
  if (scene === 'tools') return [under(what, times(ratio), ratio, TOOLS_RATIO, '×')]
  const limit = ADDED_GOAL_MS[scene]
  const addedMs = satchel.median - bare.median
  const p99Ratio = satchel.p99 / bare.p99
  const added = `${withSign(addedMs, 'ms', 1)} (${times(ratio)})`
  return [
    line(what, added, `≤ + ${limit} ms`, addedMs <= limit),
    under(`${what}, p99`, times(p99Ratio), p99Ratio, P99_RATIO, '×'),
  ]
}

/** The goal applies to the bare Worker that sends as many bytes. The one that sends the fewest is only listed. */
export function latencyLines({ scene, direct, same, satchel }: SceneFigures): readonly FigureLine[] {
  const of = (who: string, taken: Figures): FigureLine => plain(`${TITLES[scene]}: ${who}`, spread(taken))
  return [
    ...(direct ? [of('no Worker', direct)] : []),
    of('bare Worker', same),
    of('Satchel', satchel),
    ...comparisonLines(scene, satchel, same),
  ]
}
