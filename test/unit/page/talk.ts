// A scripted server, and a page without a browser that talks with it: tabs, and streams that a test feeds.

import { signal } from '@preact/signals'

import type { Event } from '../../../src/agent/events.ts'
import { Client } from '../../../src/client/client.ts'
import type { Ports } from '../../../src/page/lib/platform.ts'
import { createConversation } from '../../../src/page/state/chat/conversation.ts'
import type { Conversation } from '../../../src/page/state/chat/conversation-api.ts'
import { RUN } from './frames.ts'
import { browserOf, emptyAt, storeOf } from './ports.ts'

export interface Call {
  readonly name: string
  readonly headers: Headers
  readonly body: unknown
}
type Reply = (call: Call, before: number) => Response | Promise<Response>

export function offline(): Response {
  throw new TypeError('failed to fetch')
}

/** A stream that a test feeds, and ends or interrupts. */
export function line(threadId = 'th_1', runId = RUN) {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) })
  const headers = { 'x-thread-id': threadId, 'x-run-id': runId, 'content-type': 'text/event-stream' }
  return {
    response: new Response(body, { headers }),
    push(events: readonly Event[]): void {
      const frames = events.map(
        (event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      )
      controller?.enqueue(encoder.encode(frames.join('')))
    },
    end: () => controller?.close(),
    excerptOf: () => controller?.error(new Error('reset')),
  }
}

/** A stream of these frames that then ends, or is interrupted. */
export function stream(events: readonly Event[], how: 'end' | 'cut' = 'end'): Response {
  const fed = line(events[0]?.thread_id, events[0]?.run_id)
  fed.push(events)
  // Frames in the stream are read before it is interrupted.
  if (how === 'end') fed.end()
  else setTimeout(fed.excerptOf, 0)
  return fed.response
}

export interface Talk {
  readonly conversation: Conversation
  readonly calls: readonly Call[]
  /** The waits, in ms. */
  readonly waits: readonly number[]
  /** Threads whose URL was opened, and threads whose runs were reported. */
  readonly opened: readonly string[]
  readonly runs: readonly string[]
  /** The calls with this name. */
  readonly of: (name: string) => readonly Call[]
}

/** `replies`: by "METHOD path"; anything else is an empty list. Each gets the number of earlier requests. */
export function talk(
  replies: Readonly<Record<string, Reply>>,
  tab: Pick<Ports, 'broadcast' | 'onBroadcast'> = browserOf().join(),
): Talk {
  const calls: Call[] = []
  const waits: number[] = []
  const opened: string[] = []
  const runs: string[] = []
  let keys = 0
  const fetch: Ports['fetch'] = async (url, init) => {
    const name = `${init?.method ?? 'GET'} ${new URL(url).pathname}`
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : null
    const before = calls.filter((call) => call.name === name).length
    const call = { name, headers: new Headers(init?.headers), body }
    calls.push(call)
    return replies[name]?.(call, before) ?? emptyAt(name)
  }
  const ports: Ports = {
    ...tab,
    fetch,
    upload: async (url, init) => fetch(url, init),
    now: () => 0,
    // No time passes, but others get their turn: an endless retry would otherwise block the test that ends it.
    wait: async (ms) => {
      waits.push(ms)
      await new Promise((resolve) => setImmediate(resolve))
    },
    beforeNextFrame: (run) => run(),
    newSendKey: () => `key-${++keys}`,
    tab: storeOf(),
    browser: storeOf(),
    notifications: null,
  }
  const client = signal(new Client({ url: 'http://server', key: 'k', fetch: ports.fetch, wait: ports.wait }))
  const conversation = createConversation({
    ports,
    client,
    hiddenIds: signal(new Set<string>()),
    onThreadAssigned: (id) => opened.push(id),
    onRunChanged: (id) => runs.push(id),
  })
  return {
    conversation,
    calls,
    waits,
    opened,
    runs,
    of: (name) => calls.filter((call) => call.name === name),
  }
}
