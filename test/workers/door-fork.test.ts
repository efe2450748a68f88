// Guards a fork: it has all that lay before a message, byte for byte, and the model's next request extends the old one.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Message } from '../../src/agent/message.ts'
import type { ThreadInfo } from '../../src/thread/api.ts'
import {
  asked,
  chat,
  eventually,
  finished,
  got,
  makeKey,
  modelSays,
  refused,
  send,
  serveSkills,
} from './door-fixture.ts'

let ann = ''
let ben = ''

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }])
  ann = (await makeKey('chat', 'ann')).key
  ben = (await makeKey('chat', 'ben')).key
})

beforeEach(() => modelSays())

async function messagesOf(thread: string, key = ann): Promise<readonly Message[]> {
  const page = await got<{ data: readonly Message[] }>(
    send(`GET /v1/threads/${thread}/messages?limit=100`, { key }),
  )
  return page.data
}

function fork(thread: string, message_id: string, key = ann, headers = {}): Promise<Response> {
  return send(`POST /v1/threads/${thread}/fork`, { key, body: { message_id }, headers })
}

describe('a fork', () => {
  it('has the messages before, and the next request extends what the model got', async () => {
    const first = await finished(ann, 'One')
    await chat({ message: 'Two', thread_id: first.thread }, { key: ann })
    await chat({ message: 'Three', thread_id: first.thread }, { key: ann })
    const before = asked.at(-1)
    const all = await messagesOf(first.thread)
    const { thread_id } = await got<{ thread_id: string }>(fork(first.thread, all[2]?.id ?? ''), 201)
    expect(await messagesOf(thread_id)).toEqual(all.slice(0, 2))
    const info = await got<ThreadInfo>(send(`GET /v1/threads/${thread_id}`, { key: ann }))
    expect(info).toMatchObject({
      forked_from: { thread_id: first.thread, message_id: all[2]?.id },
      status: 'idle',
    })
    await chat({ message: 'Else', thread_id }, { key: ann })
    const after = asked.at(-1)
    expect([after?.system, after?.tools]).toEqual([before?.system, before?.tools])
    expect(JSON.stringify(after?.messages.slice(0, 2))).toBe(JSON.stringify(before?.messages.slice(0, 2)))
    expect(after?.messages).toHaveLength(3)
    const old = await got<ThreadInfo>(send(`GET /v1/threads/${first.thread}`, { key: ann }))
    expect(old.branches).toMatchObject([{ thread_id, message_id: all[2]?.id }])
    await refused(fork(first.thread, all[2]?.id ?? '', ben), 404, 'not_found')
    expect(eventually).toBeDefined()
  })
})
