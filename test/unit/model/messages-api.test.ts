// Guards the adapter over a real socket, against the fake Messages API: connections that break, stall or are refused,
// and two steps with parallel calls that keep the prefix.

import { afterEach, describe, expect, it } from 'vitest'
import type { ApiMessage } from '../../../src/agent/message.ts'
import { anthropicModel } from '../../../src/model/anthropic.ts'
import { startMessagesApi } from '../../fakes/messages-api.ts'
import type { MessagesApi } from '../../fakes/messages-api.ts'
import { checkExtends } from '../../fakes/messages-oracle.ts'
import type { Script } from '../../fakes/messages-wire.ts'
import { API_KEY, REQUEST, callOnce, faultOf, messageOf } from './helpers.ts'

const TEXT = [{ type: 'text', text: 'Hello there, this is an answer.' }]
const running: MessagesApi[] = []

async function start(script: Script): Promise<MessagesApi> {
  const api = await startMessagesApi(script)
  running.push(api)
  return api
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((api) => api.close()))
})

const modelAt = (baseUrl: string, silenceMaxMs = 5_000): ReturnType<typeof anthropicModel> =>
  anthropicModel({ apiKey: API_KEY, baseUrl, silenceMaxMs })

describe('over a socket', () => {
  it('answers parallel calls in one message, and every request extends the one before', async () => {
    const calls = ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'ls', input: { path: `/${id}` } }))
    const api = await start([{ content: calls, chunkBytes: 5 }, { content: TEXT }, { content: TEXT }])
    const model = modelAt(api.url)
    let messages: readonly ApiMessage[] = REQUEST.messages
    for (let step = 0; step < 3; step++) {
      const { content } = messageOf((await callOnce(model, { ...REQUEST, messages })).outcome)
      const results = content
        .filter((block) => block.type === 'tool_use')
        .map((block) => ({ type: 'tool_result', tool_use_id: block['id'], content: 'ok' }))
      const next = results.length > 0 ? results : [{ type: 'text', text: 'And then?' }]
      messages = [...messages, { role: 'assistant', content }, { role: 'user', content: next }]
    }
    expect(api.exchanges).toHaveLength(3)
    checkExtends(api.exchanges)
  })

  it.each([true, false])(
    'distinguishes a connection cut in the middle from an end (cleanly: %s)',
    async (cleanly) => {
      const api = await start([{ content: TEXT, cutAfter: 4, cleanly }])
      expect(faultOf((await callOnce(modelAt(api.url))).outcome)).toMatchObject({
        reason: 'cut',
        retry: 'later',
      })
    },
  )

  it('gives up a silent connection', async () => {
    const api = await start([{ content: TEXT, stallAfter: 4 }])
    const { outcome, deltas } = await callOnce(modelAt(api.url, 80))
    expect(faultOf(outcome)).toMatchObject({ reason: 'stalled', retry: 'later' })
    expect(deltas.length).toBeGreaterThan(0)
  })

  it('reports a refused connection', async () => {
    const api = await start([{ refuse: 'connection' }])
    expect(faultOf((await callOnce(modelAt(api.url))).outcome).reason).toBe('connection')
    await api.close()
    expect(faultOf((await callOnce(modelAt(api.url))).outcome).detail).toContain('could not be reached')
  })

  it('refuses a history whose calls and results do not pair, as the real API does', async () => {
    const api = await start([{ content: TEXT }])
    const assistant: ApiMessage = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'x', name: 'ls', input: {} }],
    }
    const messages = [...REQUEST.messages, assistant]
    const { outcome } = await callOnce(modelAt(api.url), { ...REQUEST, messages })
    expect(faultOf(outcome)).toMatchObject({ retry: 'never' })
  })

  it('says when a script is used up', async () => {
    const api = await start([])
    expect(faultOf((await callOnce(modelAt(api.url))).outcome).detail).toContain('The script has no reply 0')
  })
})
