// A workspace with caps as threads reach it, with a clock of days, and a model whose prices are known.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { Block } from '../../src/agent/message.ts'
import type { Model, ModelOutcome } from '../../src/agent/model.ts'
import { objects } from '../../src/env/env.ts'
import type { Caller } from '../../src/lib/caller.ts'
import { modelRegistry, type ModelRegistry } from '../../src/model/registry.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import type { WorkspaceApi } from '../../src/workspace/api.ts'
import type { LimitsPatch } from '../../src/workspace/cap-api.ts'
import { speaks, TestThread, value } from './rig.ts'

export const PRICE = { input: 3, output: 15, cacheWrite: 3.75, cacheRead: 0.3 }

/** A model whose window has this many tokens. */
export function priced(window = 200_000): ModelRegistry {
  return modelRegistry({
    apiKey: 'k',
    baseUrl: null,
    model: 'priced',
    models: [{ id: 'priced', price: PRICE, window, images: true }],
  })
}

/** How long runs wait for a workspace that answers: long enough for a busy machine. */
const PRESENT_WAIT_MS = 30_000

/** An answer with this usage. */
export function writes(content: readonly Block[], input: number, output: number): ModelOutcome {
  const stop = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
  const cached = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  const usage = { input_tokens: input, output_tokens: output, ...cached }
  return { kind: 'message', content, stop, stopDetail: null, usage }
}

/** The clock and the workspace of many threads. */
export class Town {
  readonly name: string
  readonly #createdMs = Date.now()
  #day: string
  away = false
  /** Milliseconds by which the clock is ahead. */
  ahead = 0
  /** How long runs wait for what they may spend while the workspace is away. */
  leaseWaitMs = 100
  /** The names of all calls of threads, in order. */
  readonly calls: string[] = []

  constructor(name: string, day: string) {
    this.name = name
    this.#day = day
  }

  get real(): WorkspaceApi {
    return objects(env).workspace(this.name)
  }

  setDay(day: string): void {
    this.#day = day
  }

  /** Always soon after noon of the day. */
  readonly now = (): number =>
    Date.parse(`${this.#day}T12:00:00Z`) + Date.now() - this.#createdMs + this.ahead

  get day(): string {
    return this.#day
  }

  /** The ports of threads that reach this workspace. */
  ports(model: Model, registry = priced()): Partial<ThreadPorts> {
    return {
      ...speaks(model, registry),
      now: this.now,
      workspace: () => this.port(),
      leaseWaitMs: async () => (this.away ? this.leaseWaitMs : PRESENT_WAIT_MS),
    }
  }

  /** A thread of one of its keys. */
  thread(model: Model, caller: Partial<Caller> = {}, more: Partial<ThreadPorts> = {}): TestThread {
    const ann = { workspace: this.name, keyId: 'k1', role: 'chat', user: 'ann' } as const
    return new TestThread({ ...this.ports(model), ...more }, { ...ann, ...caller })
  }

  /** The workspace as threads reach it. */
  port(): WorkspaceApi {
    // The cast is safe: every method of the stub is passed on.
    return new Proxy({} as WorkspaceApi, {
      get:
        (_, name: keyof WorkspaceApi) =>
        async (...args: readonly never[]) => {
          this.calls.push(name)
          if (this.away) throw new Error('the workspace is away')
          const method = this.real[name] as (...all: readonly never[]) => Promise<unknown>
          return method.call(this.real, ...args)
        },
    })
  }

  limit(patch: LimitsPatch): Promise<unknown> {
    return this.real.changeLimits({ author: 'k', patch, expectedVersion: undefined }).then(value)
  }

  sql<T>(look: (sql: SqlStorage, state: DurableObjectState) => T): Promise<T> {
    return runInDurableObject(env.WORKSPACES.getByName(this.name), (_, state) =>
      look(state.storage.sql, state),
    )
  }

  /** What is spent in a scope and leased to all runs in a window, in micro-dollars. */
  counted(window: string, scope = 'workspace'): Promise<{ readonly spent: number; readonly leased: number }> {
    return this.sql((sql) => ({
      spent: sumOf(
        sql,
        `SELECT sum(micro) AS n FROM cap_sums WHERE scope = '${scope}' AND window = '${window}'`,
      ),
      leased: sumOf(sql, `SELECT sum(micro) AS n FROM leases WHERE day LIKE '${window}%'`),
    }))
  }
}

export function sumOf(sql: SqlStorage, query: string): number {
  return sql.exec<{ n: number | null }>(query).one().n ?? 0
}
