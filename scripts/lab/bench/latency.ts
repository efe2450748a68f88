// The three comparisons, interleaved: in each round everybody is asked once, with the same pause before each, so that
// whatever else the machine does meanwhile happens to all of them.

import { setTimeout as sleep } from 'node:timers/promises'

import type Anthropic from '@anthropic-ai/sdk'

import { ask, directly, type Timed } from './ask.ts'
import { ADMIN_KEY, startBare, startFakeApi, startSatchel, type FakeApi, type Server } from './servers.ts'
import { figures, type Figures } from './stats.ts'

import type { BareRequest, Same } from './bare-worker.ts'

/** What a server still does after its answer must not fall into the next one's time. */
const PAUSE_MS = 12
/** Messages in one thread before another one is begun: histories stay as long as real ones are. */
const THREAD_MESSAGES = 20
const WARM_UP_ROUNDS = 30
const QUESTION = 'What is in the satchel?'
const TOOLS_QUESTION = 'TOOLS 4: load the skill and read on.'

export type Scene = 'chat' | 'new' | 'tools'
/** `bare`: the message alone. `same`: the bare Worker with as many bytes to send as Satchel. */
type Subject = 'direct' | 'bare' | 'same' | 'satchel'
const SUBJECTS: readonly Subject[] = ['direct', 'bare', 'same', 'satchel']

export interface SceneFigures {
  readonly scene: Scene
  readonly direct: Figures | null
  readonly bare: Figures
  readonly same: Figures
  readonly satchel: Figures
}

type Ask = () => Promise<number>

type Round = Partial<Record<Subject, Ask>> & Record<'bare' | 'same' | 'satchel', Ask>

interface Field {
  readonly api: FakeApi
  readonly bare: Server
  readonly satchel: Server
}

class Subjects {
  readonly #field: Field
  readonly #direct: ReturnType<typeof directly>
  #count = 0

  constructor(field: Field) {
    this.#field = field
    this.#direct = directly(field.api.url)
  }

  async #bare(thread: string, message: string, same = false): Promise<Timed> {
    const body: BareRequest = { thread, message, same }
    return ask(`${this.#field.bare.url}/chat`, ADMIN_KEY, body)
  }

  async #satchel(threadId: string | null, message: string): Promise<Timed> {
    const thread = threadId === null ? {} : { thread_id: threadId }
    return ask(`${this.#field.satchel.url}/v1/chat`, ADMIN_KEY, { message, stream: true, ...thread })
  }

  /** Tells the bare Worker what Satchel sends: its request, and the results of its calls. */
  async learn(): Promise<void> {
    const { api, bare } = this.#field
    await this.#satchel(null, TOOLS_QUESTION)
    // What Satchel sent a moment ago.
    const { messages, ...request } = JSON.parse(await api.last()) as Anthropic.MessageCreateParamsStreaming
    const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    const results = blocks.flatMap((block) =>
      block.type === 'tool_result' ? [typeof block.content === 'string' ? block.content : ''] : [],
    )
    const same: Same = { request, results }
    await fetch(`${bare.url}/same`, { method: 'POST', body: JSON.stringify(same) })
  }

  /** All have been asked once before: the next message is to a warm object and a thread that exists. */
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
    let left = 0
    let threads = await this.#warmThreads()
    return async () => {
      if (left-- === 0) {
        threads = await this.#warmThreads()
        left = THREAD_MESSAGES
      }
      return {
        direct: async () => (await this.#direct(QUESTION)).firstTextMs,
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

async function interleaved(scene: Scene, rounds: number, round: () => Promise<Round>): Promise<SceneFigures> {
  const samples: Record<Subject, number[]> = { direct: [], bare: [], same: [], satchel: [] }
  for (let at = -WARM_UP_ROUNDS; at < rounds; at++) {
    const asks = await round()
    for (const subject of SUBJECTS) {
      const asked = asks[subject]
      if (!asked) continue
      await sleep(PAUSE_MS)
      const ms = await asked()
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

/** Starts all servers, measures the scenes one after the other, ends the servers in any case. */
export async function measureLatency(
  scenes: readonly Scene[],
  rounds: Readonly<Record<Scene, number>>,
  tell: (text: string) => void,
): Promise<readonly SceneFigures[]> {
  const started: Server[] = []
  const keep = async <T extends Server>(starting: Promise<T>): Promise<T> => {
    const server = await starting
    started.push(server)
    return server
  }
  try {
    const api = await keep(startFakeApi())
    const subjects = new Subjects({
      api,
      bare: await keep(startBare(api.url)),
      satchel: await keep(startSatchel(api.url)),
    })
    await subjects.learn()
    const results: SceneFigures[] = []
    for (const scene of scenes) {
      tell(`${scene}: ${rounds[scene]} rounds after ${WARM_UP_ROUNDS} to warm up`)
      const round = scene === 'chat' ? await subjects.chat() : subjects[scene]()
      results.push(await interleaved(scene, rounds[scene], round))
    }
    return results
  } finally {
    for (const server of started.toReversed()) await server.stop()
  }
}
