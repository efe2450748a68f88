// Helpers for a thread inside workerd: start runs, read them, wait for their ends, and wake a killed object.

import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { isTerminal, type Event, type Receipt } from '../../src/agent/events.ts'
import type { Message } from '../../src/agent/message.ts'
import type { Model } from '../../src/agent/model.ts'
import { objects } from '../../src/env/env.ts'
import type { Caller } from '../../src/lib/caller.ts'
import { newId } from '../../src/lib/ids.ts'
import { ok, type Failure, type Result } from '../../src/lib/result.ts'
import {
  RUN_RECOVERIES_DEFAULT,
  RUN_STEPS_DEFAULT,
  RUN_TOKENS_DEFAULT,
  RUN_TOOL_CALLS_DEFAULT,
  RUN_USD_DEFAULT,
  RUN_WALL_DEFAULT_S,
} from '../../src/limits/runs.ts'
import { modelRegistry, type ModelRegistry } from '../../src/model/registry.ts'
import type { Page, RunBudget, StartInput, StartedRun, ThreadApi } from '../../src/thread/api.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { seedBuild, type SeedSkill } from '../workers/seed-build.ts'
import { plan } from './plan.ts'
import { read, Reader } from './reader.ts'
import { pairing } from './scripted-model.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

export const ANN: Caller = { workspace: 'w1', keyId: 'k1', role: 'chat', user: 'ann' }
export const BUDGET: RunBudget = {
  tokens: RUN_TOKENS_DEFAULT,
  usd: RUN_USD_DEFAULT,
  steps: RUN_STEPS_DEFAULT,
  tool_calls: RUN_TOOL_CALLS_DEFAULT,
  wall_s: RUN_WALL_DEFAULT_S,
  recoveries: RUN_RECOVERIES_DEFAULT,
}
const SKILLS: readonly SeedSkill[] = [{ name: 'api-design' }, { name: 'code-review' }]

let build: Promise<string> | undefined

export function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

export function failure(result: Result<unknown>): Failure {
  if (result.ok) throw new Error('expected a failure')
  return result.error
}

const DEMO = modelRegistry({ apiKey: null, baseUrl: null, model: '', models: null })

/** A port that answers with this model, whichever model of the registry is requested. */
export function speaks(model: Model, registry: ModelRegistry = DEMO): Pick<ThreadPorts, 'models'> {
  const resolve = (id: string): ReturnType<ModelRegistry['resolve']> => {
    const found = registry.resolve(id)
    return found && { ...found, call: (...requested) => model.call(...requested) }
  }
  return { models: { ...registry, resolve } }
}

/** A registry that allows these models at no cost; the first is the default. */
export function offers(first: string, ...others: readonly string[]): ModelRegistry {
  const price = { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 }
  const models = [first, ...others].map((id) => ({ id, price, images: true }))
  return modelRegistry({ apiKey: 'k', baseUrl: null, model: first, models })
}

/** A scripted workspace that has room for every run. */
export const ROOM = {
  admit: async (): Promise<Result<null>> => ok(null),
  resume: async (): Promise<Result<null>> => ok(null),
  leave: async (): Promise<Result<null>> => ok(null),
}

/** A clock that a test advances. */
export class HandClock {
  ms = Date.parse('2030-01-01T00:00:00Z')
  /** Advances by this much at every reading, so that waits are over as soon as they begin. */
  readonly haste: number

  constructor(haste = 0) {
    this.haste = haste
  }

  readonly now = (): number => (this.ms += this.haste)
}

export class TestThread {
  readonly id = newId('th')
  readonly caller: Caller
  #ports: Partial<ThreadPorts> = {}

  constructor(ports: Partial<ThreadPorts> = {}, caller: Caller = ANN) {
    this.caller = caller
    this.replan(ports)
  }

  /** Sets the ports of the next instance of the object. */
  replan(ports: Partial<ThreadPorts>): void {
    this.#ports = ports
    // The hosts of these tests do not exist, so the guard would refuse them all.
    plan(this.caller.workspace, this.id, { whyUnreachable: async () => null, ...ports })
  }

  /** Replaces some of the ports. */
  adjust(ports: Partial<ThreadPorts>): void {
    this.replan({ ...this.#ports, ...ports })
  }

  get name(): string {
    return `${this.caller.workspace}/${this.id}`
  }

  /** A new stub for each call, because a broken stub stays broken. */
  get api(): ThreadApi {
    return objects(env).thread(this.caller.workspace, this.id)
  }

  async input(words: string, more: Partial<StartInput> = {}): Promise<StartInput> {
    build ??= seedBuild(env, SKILLS)
    return {
      threadId: this.id,
      create: true,
      message: [{ type: 'text', text: words }],
      metadata: {},
      context: {},
      allowSkills: null,
      tools: null,
      calls: [],
      fenced: false,
      model: null,
      effort: null,
      onBusy: 'reject',
      onDisconnect: 'continue',
      budget: BUDGET,
      idempotency: null,
      runId: null,
      build: await build,
      requestId: 'req_test',
      follow: false,
      ...more,
    }
  }

  async start(words = 'Hello', more: Partial<StartInput> = {}): Promise<StartedRun> {
    return value(await this.api.start(this.caller, await this.input(words, more)))
  }

  async refused(words = 'Hello', more: Partial<StartInput> = {}): Promise<Failure> {
    return failure(await this.api.start(this.caller, await this.input(words, more)))
  }

  receipt(runId: string): Promise<Receipt> {
    return this.api.receipt(this.caller, runId).then(value)
  }

  /** The receipt once the run has ended without further requests. */
  ended(runId: string): Promise<Receipt> {
    return eventually(
      () => this.receipt(runId),
      ({ ended_at }) => ended_at !== null,
    )
  }

  /** Fires the object's alarm, if it has one. A crash in it is ignored. */
  async alarm(): Promise<boolean> {
    return runDurableObjectAlarm(env.THREADS.getByName(this.name)).catch(() => true)
  }

  /** The time of the next alarm in epoch milliseconds. */
  alarmAt(): Promise<number | null> {
    return this.sql((_, state) => state.storage.getAlarm())
  }

  /** Runs `look` inside the object. */
  sql<T>(look: (sql: SqlStorage, state: DurableObjectState) => T | Promise<T>): Promise<T> {
    return runInDurableObject(env.THREADS.getByName(this.name), (_, state) => look(state.storage.sql, state))
  }

  /** kill -9: what is on disk stays, including the alarm unless `alarm lost`. */
  async kill(alarm: 'alarm stays' | 'alarm lost' = 'alarm stays'): Promise<void> {
    const dies = this.sql(async (_, state) => {
      if (alarm === 'alarm lost') await state.storage.deleteAlarm()
      await state.storage.sync()
      state.abort('killed by a test')
    })
    await dies.catch(() => undefined)
  }

  /** Read from the rows, which does not wake the object. */
  status(runId: string): Promise<unknown> {
    return this.sql((sql) => sql.exec('SELECT status FROM runs WHERE id = ?', runId).one()['status'])
  }

  async messages(): Promise<readonly Message[]> {
    const all: Message[] = []
    for (let cursor: string | null = null; ;) {
      const page: Page<Message> = value(await this.api.messages(this.caller, cursor, 100))
      all.push(...page.data)
      if (page.next_cursor === null) return all
      cursor = page.next_cursor
    }
  }

  async stream(runId: string | null, after: number | null = null): Promise<ReadableStream<Uint8Array>> {
    return value(await this.api.events(this.caller, runId, after))
  }

  /** The events of a run that has ended. */
  async replay(runId: string, after: number | null = null): Promise<readonly Event[]> {
    return (await read(await this.stream(runId, after))).events
  }

  /** The thread's events up to the end of a run. */
  async threadReplay(runId: string, after: number | null = null): Promise<readonly Event[]> {
    const last = (event: Event): boolean => event.run_id === runId && isTerminal(event.type)
    return (await read(await this.stream(null, after), last)).events
  }

  /**
   * Checks what must hold of every run that has ended, whatever happened to it: one terminal event and state, numbers
   * without gaps, a legal transcript, the same events for each reader, and no uncharged call. `alone`: no other run's
   * events come between its own.
   */
  async checkEnded(runId: string, calls: number, alone = true): Promise<readonly Event[]> {
    const receipt = await this.receipt(runId)
    expect(receipt.ended_at).not.toBeNull()
    const whole = await this.replay(runId)
    const first = (whole[0]?.from ?? whole[0]?.seq ?? 1) - 1
    const faithful = new Reader(first, alone).apply(whole)
    expect(faithful.problems).toEqual([])
    expect(faithful.terminal).toMatchObject({ receipt: { status: receipt.status } })
    expect(whole.filter((event) => isTerminal(event.type))).toHaveLength(1)
    const messages = await this.messages()
    expect(pairing(messages)).toEqual([])
    const sent = messages.filter((message) => message.run_id === runId && message.role === 'assistant')
    expect(faithful.transcript()).toEqual(sent.map((message) => message.content))
    expect(receipt.model_calls).toBeGreaterThanOrEqual(calls)
    for (const [name, { used, limit }] of Object.entries(receipt.budget))
      if (name !== 'wall_s' && name !== 'recoveries') expect(used, name).toBeLessThanOrEqual(limit)
    return whole
  }
}

/** The boundaries between the numbers of frames: where a reader may have stopped. */
export function cursors(events: readonly Event[]): readonly number[] {
  return [...new Set(events.flatMap(({ seq, from }) => [(from ?? seq) - 1, from ?? seq, seq - 1, seq]))]
}
