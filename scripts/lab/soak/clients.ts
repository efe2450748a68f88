// Clients that never give up. Each sends messages in sequence, each with its own key, follows its run to the end
// across broken connections, and sends some requests twice concurrently.

import { setTimeout as sleep } from 'node:timers/promises'

import { err, ok, type Result } from '../../../src/lib/result.ts'
import { clientOf } from '../rig/satchel.ts'
import { filesMessage, uploadText } from './file-story.ts'
import { requestUntilAnswered } from './insist.ts'

import type { Event } from '../../../src/agent/events.ts'
import type { Client } from '../../../src/client/client.ts'
import type { ChatEnd, ChatRequest, Listener } from '../../../src/client/types.ts'
import type { Chance } from '../rig/random.ts'

/** A message, and what its readers saw. */
export interface FollowedRun {
  readonly key: string
  readonly threadId: string
  readonly runId: string
  readonly status: string
  /** Whether the run was asked to write files. */
  readonly writes: boolean
  /** The events that each reader received. */
  readonly readers: readonly (readonly Event[])[]
}

/** A file that a client uploaded; null if the client has removed it again. */
export interface SoakUpload {
  readonly threadId: string
  readonly path: string
  readonly text: string | null
}

export interface ClientOutcome {
  readonly uploaded: readonly SoakUpload[]
  readonly runs: readonly FollowedRun[]
  readonly problems: readonly string[]
  readonly reconnects: number
}

const TWICE_SHARE = 0.25
const WRITES_SHARE = 0.3
const UPLOADS_SHARE = 0.3
const REMOVES_SHARE = 0.3
/** Sizes of uploads: some fit into a row of the thread, others go to R2. */
const UPLOAD_BYTES = [20_000, 200_000, 400_000] as const
const NEW_THREAD_SHARE = 0.3
const ATTEMPTS_MAX = 60
const RETRY_DELAY_MS = 250

interface RunReading {
  readonly end: ChatEnd
  readonly events: readonly Event[]
}

/**
 * Retries until it gets a response (safe because of the idempotency key), then reads the run to its end. Fails with a
 * message.
 */
export async function followRun(
  client: Client,
  key: string,
  request: ChatRequest,
  { onEvent, onReconnect }: Partial<Listener>,
): Promise<Result<RunReading, string>> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const events: Event[] = []
    const chat = await client.chat(request, key, {
      onEvent: (event) => {
        events.push(event)
        onEvent?.(event)
      },
      ...(onReconnect ? { onReconnect } : {}),
    })
    if (chat.ok) return ok({ end: chat.value, events })
    const { error } = chat
    const retry = error.kind === 'unreachable' || (error.kind === 'problem' && error.problem.status === 503)
    if (!retry) {
      const message =
        error.kind === 'problem' ? `${error.problem.code}: ${error.problem.detail}` : error.detail
      return err(`${key}: ${message}`)
    }
    await sleep(RETRY_DELAY_MS)
  }
  return err(`${key}: never accepted`)
}

export class SoakClient {
  readonly #url: string
  readonly #client: Client
  readonly #name: string
  readonly #random: Chance
  readonly #runs: FollowedRun[] = []
  readonly #problems: string[] = []
  readonly #uploaded: SoakUpload[] = []
  #reconnects = 0

  constructor(url: string, name: string, random: Chance) {
    this.#url = url
    this.#client = clientOf(url)
    this.#name = name
    this.#random = random
  }

  /** Sends messages until `isOver` returns true, and follows the last run to its end. */
  async run(isOver: () => boolean): Promise<ClientOutcome> {
    let thread: string | null = null
    for (let count = 1; !isOver(); count++) {
      if (this.#random.yes(NEW_THREAD_SHARE)) thread = null
      thread = await this.#message(`${this.#name}-${count}`, thread)
      if (thread !== null && this.#random.yes(UPLOADS_SHARE))
        await this.#upload(`${this.#name}-${count}`, thread)
      await sleep(this.#random.between(0, 60))
    }
    return {
      runs: this.#runs,
      uploaded: this.#uploaded,
      problems: this.#problems,
      reconnects: this.#reconnects,
    }
  }

  async #message(key: string, thread: string | null): Promise<string | null> {
    const writes = this.#random.yes(WRITES_SHARE)
    const request: ChatRequest = {
      message: writes ? filesMessage(key) : `ROUNDS ${this.#random.between(0, 3)}: message ${key}`,
      ...(thread === null ? {} : { thread_id: thread }),
    }
    const copies = this.#random.yes(TWICE_SHARE) ? 2 : 1
    const readings = await Promise.all(Array.from({ length: copies }, async () => this.#follow(key, request)))
    const completed = readings.filter((reading) => reading !== null)
    const [first] = completed
    if (!first) return thread
    const { threadId, runId, terminal } = first.end
    for (const { end } of completed)
      if (end.runId !== runId || end.threadId !== threadId)
        this.#problems.push(`${key}: one key made the runs ${runId} and ${end.runId}`)
    const readers = completed.map(({ events }) => events)
    this.#runs.push({ key, threadId, runId, writes, status: terminal.type, readers })
    return threadId
  }

  /** Uploads a file until it gets a response, and removes some files in the same way. Both may happen twice. */
  async #upload(key: string, threadId: string): Promise<void> {
    const path = `uploads/${key}.txt`
    const route = `/v1/threads/${threadId}/files/${path}`
    const text = uploadText(key, UPLOAD_BYTES[this.#random.between(0, UPLOAD_BYTES.length - 1)] ?? 0)
    if (!(await this.#file(`PUT ${route}`, text, 200, 201))) return
    const removed = this.#random.yes(REMOVES_SHARE)
    if (removed && !(await this.#file(`DELETE ${route}`, null, 204, 404))) return
    this.#uploaded.push({ threadId, path, text: removed ? null : text })
  }

  async #file(line: string, body: string | null, ...done: readonly number[]): Promise<boolean> {
    const { status, text } = await requestUntilAnswered(this.#url, line, { body })
    if (!done.includes(status)) this.#problems.push(`${line}: ${status} ${text}`)
    return done.includes(status)
  }

  async #follow(key: string, request: ChatRequest): Promise<RunReading | null> {
    const followed = await followRun(this.#client, key, request, {
      onReconnect: () => this.#reconnects++,
    })
    if (followed.ok) return followed.value
    this.#problems.push(followed.error)
    return null
  }
}
