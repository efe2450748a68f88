// Promise: accepted is kept, and soon: after a kill of workerd unfinished runs go on as soon as it is up again, without
// anybody asking for them and long before their alarms.

import { afterAll, beforeAll, expect, test } from 'vitest'

import { end } from '../../scripts/lib/processes.ts'
import { startMessagesApi, type MessagesApi } from '../fakes/messages-api.ts'
import { livingWorkerd, startSatchel, until, type Satchel } from './satchel.ts'

const RUNS = 3
/** Below the 30 s of the alarm, far above what it takes. */
const SOON_MS = 20_000

let model: MessagesApi
let satchel: Satchel
beforeAll(async () => {
  model = await startMessagesApi((_, index) => {
    const content = [{ type: 'text', text: 'word '.repeat(20) }]
    // Those that are cut off hang; the one after them talks for a second; all others answer.
    if (index < RUNS) return { content, firstDelayMs: 120_000 }
    return index === RUNS ? { content, deltaChars: 5, delayMs: 50 } : { content }
  })
  satchel = await startSatchel({ env: { ANTHROPIC_API_KEY: 'any', ANTHROPIC_BASE_URL: model.url } })
})
afterAll(async () => {
  await satchel?.stop()
  await model?.close()
})

test('runs in the middle of a model call go on by themselves after kill -9', async () => {
  const started: { readonly url: string }[] = []
  for (let at = 0; at < RUNS; at++) {
    const answer = await satchel.client.json<{ url: string }>(
      'POST',
      '/v1/chat',
      { message: `Message ${at}` },
      { Prefer: 'respond-async' },
    )
    if (!answer.ok) throw new Error(JSON.stringify(answer.error))
    started.push(answer.value.body)
  }
  await until('their model calls', () => model.exchanges.length === RUNS)
  const accepted = performance.now()
  // By the end of this one what began before it is written down.
  const next = await satchel.client.chat({ message: 'Talk.' }, 'talk', { onEvent: () => {} })
  expect(next.ok && next.value.terminal.type).toBe('run.completed')

  const killed = performance.now()
  end(await livingWorkerd(satchel))
  await until('they are driven on', () => model.exchanges.length === 2 * RUNS + 1)
  expect(performance.now() - accepted).toBeLessThan(SOON_MS)
  console.log(`driven on ${Math.round(performance.now() - killed)} ms after the kill`)
  for (const { url } of started)
    await until('its end', async () => {
      const run = await satchel.client.json<{ status: string; recoveries: number }>('GET', url)
      // They were waiting for the model: that death is not theirs.
      return run.ok && run.value.body.status === 'completed' && run.value.body.recoveries === 0
    })
})
