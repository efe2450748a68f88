// Guards what a fork inherits besides messages: the origin of text, the addresses that people gave, images in results,
// and the model's knowledge of the catalog. It inherits no approval.

import { describe, expect, it } from 'vitest'
import type { Caller } from '../../src/lib/caller.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { openWorkspace } from '../workers/catalog-fixture.ts'
import { png } from '../fakes/images.ts'
import { fromBase64 } from '../../src/lib/bytes.ts'
import { upload } from './files-rig.ts'
import { answer, asks, waits, YES } from './approving.ts'
import { ANN, offers, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { ScriptedModel, text, use } from './scripted-model.ts'
import { tool } from './world.ts'

const DONE = { content: [text('Done.')] }
const NO = {
  retry: 'never',
  reason: 'invalid_request',
  detail: 'No.',
  retryAfterMs: null,
  usage: null,
} as const
const REFUSAL = { act: async () => ({ kind: 'fault', fault: NO }) as const }

async function cutAt(parent: TestThread, words: string): Promise<string> {
  const found = (await parent.messages()).find(({ content }) => JSON.stringify(content).includes(words))
  return found?.id ?? ''
}

async function fork(parent: TestThread, words: string, ports: Partial<ThreadPorts>): Promise<TestThread> {
  const child = new TestThread(ports, parent.caller)
  const input = { threadId: child.id, from: parent.id, messageId: await cutAt(parent, words), key: null }
  value(await child.api.fork(child.caller, input))
  return child
}

/** The status with which a run of this message stopped. */
async function became(thread: TestThread, words: string, more = {}): Promise<unknown> {
  const { run_id } = await thread.start(words, more)
  return eventually(
    () => thread.status(run_id),
    (status) => status !== 'queued' && status !== 'running',
  )
}

describe('text from outside', () => {
  /** A tool by which `Fetch name` fetches an address that no message gives. */
  function fetching(): Partial<ThreadPorts> {
    const model = new ScriptedModel(({ messages }) => {
      const requested = messages.at(-1)?.content.at(-1)?.['text']
      const name = /^Fetch (\w+)$/.exec(String(requested))?.[1]
      if (name === undefined) return DONE
      return { content: [use(`t${messages.length}`, 'get', { url: `https://${name}.test/x` })] }
    })
    const get = tool('get', 'read', async () => ({ content: 'got', isError: false }), 1_000, {
      preview: (input) => {
        const { url } = input as { url: string } // the cast is safe: the model above sends this input
        return { kind: 'fetch', method: 'GET', url, headers: {}, body: null }
      },
    })
    return { ...speaks(model), tools: () => [get] }
  }

  it('taints every fork, even one that begins before it; and nothing else does', async () => {
    const ports = fetching()
    const parent = new TestThread(ports)
    expect(await became(parent, 'One')).toBe('completed')
    expect(await became(await fork(parent, 'One', ports), 'Fetch evil')).toBe('completed')
    expect(await became(parent, 'Two', { context: { page: 'Fetch evil' } })).toBe('completed')
    expect(await became(parent, 'Three')).toBe('completed')
    for (const words of ['Three', 'Two', 'One']) {
      const child = await fork(parent, words, ports)
      const again = await fork(parent, words, ports)
      expect([words, await became(again, 'Four')]).toEqual([words, 'completed'])
      const third = await fork(again, 'Four', ports)
      for (const thread of [child, again, third])
        expect([words, await became(thread, 'Fetch evil')]).toEqual([words, 'waiting'])
    }
  })

  it('lets a fork fetch only addresses given before the fork point', async () => {
    const ports = fetching()
    const parent = new TestThread(ports)
    expect(await became(parent, 'See https://given.test/x', { context: { page: 'text' } })).toBe('completed')
    expect(await became(parent, 'Also https://later.test/x')).toBe('completed')
    expect(await became(parent, 'Fetch later')).toBe('completed')
    const child = await fork(parent, 'Also', ports)
    expect(await became(child, 'Fetch given')).toBe('completed')
    const again = await fork(child, 'Fetch given', ports)
    expect(await became(again, 'Fetch given')).toBe('completed')
    for (const thread of [child, again]) expect(await became(thread, 'Fetch later')).toBe('waiting')
  })
})

describe('an image in a result', () => {
  it('stays unchanged in the requests of a fork, whatever happens to its path', async () => {
    const model = new ScriptedModel(({ messages }) =>
      messages.length === 1
        ? { content: [use('l1', 'view_image', { path: '/mnt/user-data/uploads/a.png' })] }
        : DONE,
    )
    const ports = speaks(model, offers('eye'))
    const parent = new TestThread(ports)
    value(await parent.api.createEmpty(parent.caller, parent.id))
    const shown = png(400_000)
    const bytes = fromBase64(shown.source.data) ?? new Uint8Array()
    await upload(parent, { 'uploads/a.png': bytes })
    expect(await became(parent, 'Look.', { create: false })).toBe('completed')
    value(await parent.api.removeFile(parent.caller, 'uploads/a.png', null))
    expect(await became(parent, 'Two.')).toBe('completed')
    const before = model.requests.at(-1)?.messages.slice(0, 4)
    const later = new ScriptedModel(() => DONE)
    const child = await fork(parent, 'Two.', speaks(later, offers('eye')))
    value(await parent.api.remove(parent.caller))
    expect(await became(child, 'Else.')).toBe('completed')
    expect(later.requests[0]?.messages.slice(0, 4)).toEqual(before)
    expect(JSON.stringify(before)).toContain(shown.source.data)
  })
})

describe('a remembered approval', () => {
  it('does not apply to forks of its thread', async () => {
    const calls = { content: [use('t1', 'pay', { amount: 10 })] }
    const turns = (request: { messages: readonly unknown[] }): typeof calls | typeof DONE =>
      JSON.stringify(request.messages.at(-1)).includes('tool_result') ? DONE : calls
    const { thread: parent, world } = asks(turns)
    const { run_id } = await parent.start('Pay.')
    await waits(parent, run_id)
    value(await answer(parent, ANN, run_id, 't1', { ...YES, remember: 'thread' }))
    await parent.ended(run_id)
    expect(await became(parent, 'Again.')).toBe('completed')
    expect(world.sent).toHaveLength(2)
    const ports = { ...speaks(new ScriptedModel(turns)), tools: () => [...world.tools, world.paying()] }
    const child = await fork(parent, 'Again.', ports)
    expect(await became(child, 'Once more.')).toBe('waiting')
    expect(world.sent).toHaveLength(2)
  })
})

describe('the catalog', () => {
  it('that the model of a fork knows is that of its prefix again when its first message is refused', async () => {
    const caller: Caller = { ...ANN, workspace: 'fork-news' }
    const parent = new TestThread(speaks(new ScriptedModel(() => DONE)), caller)
    const { build } = await parent.input('')
    expect(await became(parent, 'One.')).toBe('completed')
    value(await openWorkspace('fork-news').publish(build, { name: 'release-notes' }))
    const model = new ScriptedModel((_, call) => (call === 0 ? REFUSAL : DONE))
    const child = await fork(parent, 'One.', speaks(model))
    expect(await became(child, 'Two.')).toBe('failed')
    expect(await became(child, 'Three.')).toBe('completed')
    expect(await became(child, 'Four.')).toBe('completed')
    const news = model.requests.map(({ messages }) =>
      JSON.stringify(messages.at(-1)).includes('release-notes'),
    )
    expect(news).toEqual([true, true, false])
    expect(model.requests[1]?.system).toBe(model.requests[0]?.system)
  })
})
