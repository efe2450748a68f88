// A server that receives what a run sends: calls of a reply's tools, and events of a callback. It runs as long as the
// soak, whatever is killed, and counts what arrives.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { Webhook } from 'standardwebhooks'

import type { AddressInfo } from 'node:net'

/** The requests that can arrive for a run. */
type Arrival = 'start' | 'reply' | 'callback'
/** A moment at which a request arrives or, with `+`, its response has been sent. */
export type Moment = Arrival | `${Arrival}+`

export interface Receiver {
  /** `host:port`. */
  readonly host: string
  /** The number of calls of a tool for this run. */
  calls(kind: 'start' | 'reply', runId: string): number
  /** The IDs of the run's events, with repetitions. */
  events(runId: string): readonly string[]
  /** Events whose signature does not match the secret. */
  readonly forged: readonly string[]
  /** Calls `then` at the next such moment of any run. */
  onNext(moment: Moment, then: () => void): void
  /** Accepts events signed with this secret. */
  trust(secret: string): void
  stop(): Promise<void>
}

interface ToolCall {
  readonly kind: 'start' | 'reply'
  readonly run: string
}

/** `slowMs` returns the duration of each response. */
export async function startReceiver(slowMs: () => number): Promise<Receiver> {
  const calls = new Map<string, number>()
  const events = new Map<string, string[]>()
  const forged: string[] = []
  const waiting = new Map<Moment, (() => void)[]>()
  let secret = ''
  const reached = (moment: Moment): void => {
    const all = waiting.get(moment) ?? []
    waiting.delete(moment)
    for (const then of all) then()
  }
  const take = (url: string, text: string, headers: Record<string, string>): Arrival => {
    if (url.startsWith('/callback')) {
      try {
        // Throws if the signature is invalid. The cast is safe: Satchel signed this body.
        const { data } = new Webhook(secret).verify(text, headers) as {
          readonly data: { readonly run_id: string }
        }
        events.set(data.run_id, [...(events.get(data.run_id) ?? []), headers['webhook-id'] ?? ''])
      } catch (error) {
        forged.push(String(error))
      }
      return 'callback'
    }
    // The cast is safe: the tool's definition sets this body.
    const { kind, run } = JSON.parse(text) as ToolCall
    calls.set(`${kind} ${run}`, (calls.get(`${kind} ${run}`) ?? 0) + 1)
    return kind
  }
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    void request
      .toArray()
      .then(async (parts) => {
        // The cast is safe: only Set-Cookie has several values.
        const headers = request.headers as Record<string, string>
        const kind = take(request.url ?? '', Buffer.concat(parts).toString(), headers)
        reached(kind)
        await sleep(slowMs())
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true,"ts":"171.5"}')
        reached(`${kind}+`)
      })
      .catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe: a server that listens on a port has an address of this kind.
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    calls: (kind, runId) => calls.get(`${kind} ${runId}`) ?? 0,
    events: (runId) => events.get(runId) ?? [],
    forged,
    onNext: (moment, then) => void waiting.set(moment, [...(waiting.get(moment) ?? []), then]),
    trust: (given) => void (secret = given),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
