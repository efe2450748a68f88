// The browser features that the page uses, without a browser: a scripted server, a clock that a test advances, storage,
// and tabs.

import { signal, type Signal } from '@preact/signals'

import { NO_USAGE } from '../../../src/agent/message.ts'
import { Client } from '../../../src/client/client.ts'
import type { ModelInfo } from '../../../src/client/skills.ts'
import type { ThreadDetails, ThreadTree } from '../../../src/thread/api.ts'
import type { Ports, Store } from '../../../src/page/lib/platform.ts'

/** By `METHOD /path`, without the query. Throws: nobody answers. */
export type Answers = Record<string, (url: URL, init: RequestInit) => Response | Promise<Response>>

export const list = (data: readonly unknown[], next: string | null = null): Response =>
  Response.json({ data, next_cursor: next })
export const refusal = (status: number, code: string): Response =>
  Response.json({ status, code, detail: `It is ${code}.`, request_id: 'req_1' }, { status })

/** An empty thread, or an empty list. */
export function emptyAt(name: string): Response {
  const id = /^GET \/v1\/threads\/([^/]+)$/.exec(name)?.[1]
  return id === undefined ? list([]) : Response.json(threadInfo(id))
}

export interface FakePage {
  readonly ports: Ports
  readonly client: Signal<Client | null>
  /** `METHOD /path?query`, in order. */
  readonly calls: string[]
  /** Advances the clock and runs everything that is due then. */
  readonly pass: (ms: number) => Promise<void>
}

/** `tabs`: those of one browser, if there are several. */
export function fakePage(answers: Answers, tabs: Tabs = browserOf()): FakePage {
  const calls: string[] = []
  let now = Date.parse('2026-03-04T12:00:00')
  let waits: { readonly at: number; readonly done: () => void }[] = []
  const fetch: Ports['fetch'] = async (address, init = {}) => {
    const url = new URL(address)
    const name = `${init.method ?? 'GET'} ${url.pathname}`
    calls.push(name + url.search)
    const answer = answers[name]
    return answer ? answer(url, init) : emptyAt(name)
  }
  const ports: Ports = {
    fetch,
    upload: async (url, init) => fetch(url, init),
    now: () => now,
    wait: async (ms) => new Promise((done) => waits.push({ at: now + ms, done })),
    beforeNextFrame: (run) => queueMicrotask(run),
    newSendKey: () => 'k',
    tab: storeOf(),
    browser: tabs.store,
    notifications: null,
    ...tabs.join(),
  }
  return {
    ports,
    client: signal(new Client({ url: 'http://page.test', key: 'a-key', fetch, wait: ports.wait })),
    calls,
    async pass(ms) {
      now += ms
      const due = waits.filter(({ at }) => at <= now)
      waits = waits.filter(({ at }) => at > now)
      for (const { done } of due) done()
      await settled()
    },
  }
}

/** Lets pending work proceed as far as it can without the clock. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 50; round++) await new Promise((done) => setImmediate(done))
}

export interface Tabs {
  readonly store: Store
  join(): Pick<Ports, 'broadcast' | 'onBroadcast'>
}

export function browserOf(): Tabs {
  const tabs: Set<(message: unknown) => void>[] = []
  return {
    store: storeOf(),
    join() {
      const own = new Set<(message: unknown) => void>()
      tabs.push(own)
      return {
        broadcast: (message) => {
          for (const tab of tabs)
            if (tab !== own) for (const listener of tab) listener(structuredClone(message))
        },
        onBroadcast: (listener) => {
          own.add(listener)
          return () => own.delete(listener)
        },
      }
    },
  }
}

export function storeOf(): Store {
  const kept = new Map<string, string>()
  return {
    get: (name) => kept.get(name) ?? null,
    set: (name, value) => void kept.set(name, value),
    remove: (name) => void kept.delete(name),
    names: () => [...kept.keys()],
  }
}

/** A model as listed. */
export function modelInfo(id: string, given: Partial<ModelInfo> = {}): ModelInfo {
  return {
    id,
    name: id,
    default: false,
    demo: false,
    window: 1_000,
    images: true,
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    price: { input: 4, output: 20, cache_write: 5, cache_read: 0.2 },
    ...given,
  }
}

/** A thread as listed, by default without branches. */
export function threadInfo(
  id: string,
  given: Partial<ThreadTree & ThreadDetails> = {},
): ThreadTree & ThreadDetails {
  const { title = `Title of ${id}`, status = 'idle' } = given
  return {
    id,
    title,
    user: null,
    status,
    created_at: '2026-03-04T09:00:00.000Z',
    updated_at: '2026-03-04T09:00:00.000Z',
    model: 'demo',
    catalog_version: 1,
    usage: NO_USAGE,
    charged: { tokens: 0, usd: 0, estimated: false },
    metadata: {},
    context_tokens: 0,
    root: id,
    forked_from: null,
    branches: [],
    plan: null,
    window: 1,
    tree: { title, count: 1, threads: [{ thread_id: id, status }] },
    ...given,
  }
}
