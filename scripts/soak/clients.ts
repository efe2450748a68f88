// Clients that go on whatever happens: each sends messages one after the other, each with a key of its own, follows
// its run to the end over dropped connections, and sends some requests twice at once.

import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from '../../src/client/client.ts'
import { ADMIN_KEY } from './server.ts'

import type { Event } from '../../src/agent/events.ts'
import type { ChatEnd, ChatRequest } from '../../src/client/types.ts'
import type { Chance } from './random.ts'

/** One message that was sent, and what its readers saw. */
export interface Told {
  readonly key: string
  readonly threadId: string
  readonly runId: string
  readonly status: string
  /** One list a reader. */
  readonly readers: readonly (readonly Event[])[]
}

export interface Outcome {
  readonly told: readonly Told[]
  readonly problems: readonly string[]
  readonly reconnects: number
}

const TWICE = 0.25
const NEW_THREAD = 0.3
const TRIES = 60
const TRY_AGAIN_MS = 250

export function clientOf(url: string): Client {
  return new Client({ url, key: ADMIN_KEY, fetch, wait: async (ms) => sleep(ms) })
}

interface Reading {
  readonly end: ChatEnd
  readonly events: readonly Event[]
}

export class SoakClient {
  readonly #client: Client
  readonly #name: string
  readonly #luck: Chance
  readonly #told: Told[] = []
  readonly #problems: string[] = []
  #reconnects = 0

  constructor(url: string, name: string, luck: Chance) {
    this.#client = clientOf(url)
    this.#name = name
    this.#luck = luck
  }

  /** Sends until `over`; the last run is followed to its end. */
  async run(over: () => boolean): Promise<Outcome> {
    let thread: string | null = null
    for (let count = 1; !over(); count++) {
      if (this.#luck.yes(NEW_THREAD)) thread = null
      thread = await this.#message(`${this.#name}-${count}`, thread)
      await sleep(this.#luck.between(0, 60))
    }
    return { told: this.#told, problems: this.#problems, reconnects: this.#reconnects }
  }

  async #message(key: string, thread: string | null): Promise<string | null> {
    const request: ChatRequest = {
      message: `ROUNDS ${this.#luck.between(0, 3)}: message ${key}`,
      ...(thread === null ? {} : { thread_id: thread }),
    }
    const copies = this.#luck.yes(TWICE) ? 2 : 1
    const readings = await Promise.all(Array.from({ length: copies }, async () => this.#follow(key, request)))
    const got = readings.filter((reading) => reading !== null)
    const [first] = got
    if (!first) return thread
    const { threadId, runId, terminal } = first.end
    for (const { end } of got)
      if (end.runId !== runId || end.threadId !== threadId)
        this.#problems.push(`${key}: one key made the runs ${runId} and ${end.runId}`)
    this.#told.push({ key, threadId, runId, status: terminal.type, readers: got.map(({ events }) => events) })
    return threadId
  }

  /** Sends until somebody answers: the key makes that safe. */
  async #follow(key: string, request: ChatRequest): Promise<Reading | null> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const events: Event[] = []
      const chat = await this.#client.chat(request, key, {
        onEvent: (event) => events.push(event),
        onReconnect: () => this.#reconnects++,
      })
      if (chat.ok) return { end: chat.value, events }
      const { error } = chat
      const retry = error.kind === 'unreachable' || (error.kind === 'problem' && error.problem.status === 503)
      if (!retry) {
        const said =
          error.kind === 'problem' ? `${error.problem.code}: ${error.problem.detail}` : error.detail
        this.#problems.push(`${key}: ${said}`)
        return null
      }
      await sleep(TRY_AGAIN_MS)
    }
    this.#problems.push(`${key}: never accepted`)
    return null
  }
}
