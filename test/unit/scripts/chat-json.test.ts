// Promise: when `--json` detaches from a run, its output names the run that continues.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { askAsJson } from '../../../scripts/chat/json.ts'
import { Interrupts } from '../../../scripts/chat/interrupts.ts'
import { Client } from '../../../src/client/client.ts'

let printed: unknown[] = []
beforeEach(() => {
  printed = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => printed.push(JSON.parse(line)))
})
afterEach(() => {
  vi.restoreAllMocks()
})

const IDS = { 'X-Thread-Id': 'th', 'X-Run-Id': 'run' }

/**
 * Sends a message and interrupts it `times` times. `began`: whether the server has answered with a run that sends no
 * events.
 */
async function interrupted(times: number, began: boolean): Promise<readonly string[]> {
  const requested: string[] = []
  const interrupts = new Interrupts()
  const raise = (): void => {
    for (let time = 0; time < times; time++) interrupts.tryHandle()
  }
  const client = new Client({
    url: 'http://server',
    key: 'k',
    wait: async () => undefined,
    fetch: async (url, init) => {
      requested.push(new URL(url).pathname)
      const { signal } = init ?? {}
      if (requested.length > 1) return new Response(null, { status: 202 })
      if (!began) {
        raise()
        signal?.throwIfAborted()
      }
      const source = {
        start: (stream: ReadableStreamDefaultController<Uint8Array>): void =>
          signal?.addEventListener('abort', () => stream.error(signal.reason)),
        pull: raise,
      }
      // Pulled only once it is read, when its head has arrived.
      const body = new ReadableStream<Uint8Array>(source, { highWaterMark: 0 })
      return new Response(body, { headers: IDS })
    },
  })
  const server = { client, url: 'http://server', key: 'k', isDefault: false }
  expect(await askAsJson(server, undefined, 'Hello', false, interrupts)).toBe(1)
  return requested
}

test('a detached run is named once it has begun, even without any event', async () => {
  expect(await interrupted(2, true)).toEqual(['/v1/chat', '/v1/threads/th/runs/run/cancel'])
  expect(printed).toEqual([
    { thread_id: 'th', run_id: 'run', error: { code: 'left', detail: expect.any(String) } },
  ])
})

test('a run is cancelled once it has begun if the interrupt came before its response', async () => {
  expect(await interrupted(1, false)).toEqual(['/v1/chat', '/v1/threads/th/runs/run/cancel'])
})

test('a request that is abandoned before its response names none', async () => {
  expect(await interrupted(2, false)).toEqual(['/v1/chat'])
  expect(printed).toEqual([{ error: { code: 'left', detail: expect.any(String) } }])
})
