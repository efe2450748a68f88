// The three comparisons, interleaved: in each round everybody is asked once, with the same pause before each, so that
// whatever else the machine does meanwhile happens to all of them.

import { setTimeout as sleep } from 'node:timers/promises'

import { ask, directly, type Timed } from './ask.ts'
import { ADMIN_KEY, startBare, startFakeApi, startSatchel, type Server } from './servers.ts'
import { figures, type Figures } from './stats.ts'

import type { BareRequest } from './bare-worker.ts'

/** What a server still does after its answer must not fall into the next one's time. */
const PAUSE_MS = 12
/** Messages in one thread before another one is begun: histories stay as long as real ones are. */
const THREAD_MESSAGES = 20
const WARM_UP_ROUNDS = 30
const QUESTION = 'What is in the satchel?'
const TOOLS_QUESTION = 'TOOLS 4: load the skill and read on.'

export type Scene = 'chat' | 'new' | 'tools'
type Subject = 'direct' | 'bare' | 'satchel'

export interface SceneFigures {
  readonly scene: Scene
  readonly direct: Figures | null
  readonly bare: Figures
  readonly satchel: Figures
}

type Ask = () => Promise<number>

interface Field {
  readonly api: Server
  readonly bare: Server
  readonly satchel: Server
}

class Subjects {
  readonly #field: Field
  readonly #direct: (message: string) => Promise<Timed>
  #count = 0

  constructor(field: Field) {
    this.#field = field
    this.#direct = directly(field.api.url)
  }

  async #bare(thread: string, message: string): Promise<Timed> {
    const body: BareRequest = { thread, message }
    return ask(`${this.#field.bare.url}/chat`, ADMIN_KEY, body)
  }

  async #satchel(threadId: string | null, message: string): Promise<Timed> {
    const thread = threadId === null ? {} : { thread_id: threadId }
    return ask(`${this.#field.satchel.url}/v1/chat`, ADMIN_KEY, { message, stream: true, ...thread })
  }

  /** Both have been asked once before: the next message is to a warm object and a thread that exists. */
  async #warmThreads(): Promise<{ readonly bare: string; readonly satchel: string }> {
    const bare = `warm-${this.#count++}`
    await this.#bare(bare, QUESTION)
    const { threadId } = await this.#satchel(null, QUESTION)
    await sleep(PAUSE_MS)
    return { bare, satchel: threadId }
  }

  async chat(): Promise<() => Promise<Record<Subject, Ask>>> {
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
        satchel: async () => (await this.#satchel(threads.satchel, QUESTION)).firstTextMs,
      }
    }
  }

  new(): () => Promise<Record<'bare' | 'satchel', Ask>> {
    return async () => ({
      bare: async () => (await this.#bare(`new-${this.#count++}`, QUESTION)).firstTextMs,
      satchel: async () => (await this.#satchel(null, QUESTION)).firstTextMs,
    })
  }

  tools(): () => Promise<Record<'bare' | 'satchel', Ask>> {
    return async () => {
      const threads = await this.#warmThreads()
      return {
        bare: async () => (await this.#bare(threads.bare, TOOLS_QUESTION)).totalMs,
        satchel: async () => (await this.#satchel(threads.satchel, TOOLS_QUESTION)).totalMs,
      }
    }
  }
}

async function interleaved(
  scene: Scene,
  rounds: number,
  round: () => Promise<Partial<Record<Subject, Ask>> & Record<'bare' | 'satchel', Ask>>,
): Promise<SceneFigures> {
  const samples: Record<Subject, number[]> = { direct: [], bare: [], satchel: [] }
  for (let at = -WARM_UP_ROUNDS; at < rounds; at++) {
    const asks = await round()
    for (const subject of ['direct', 'bare', 'satchel'] as const) {
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
  const keep = async (starting: Promise<Server>): Promise<Server> => {
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
