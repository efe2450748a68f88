// Guards what a thread answers over RPC without failures: a run with the demo model and the real tools over a real
// catalog, its transcript, receipts and pages.
import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/agent/message.ts'
import type { Model } from '../../src/agent/model.ts'
import { DEMO_MODEL } from '../../src/demo/demo.ts'
import { modelRegistry } from '../../src/model/registry.ts'
import type { Page } from '../../src/thread/api.ts'
import { failure, speaks, TestThread, value } from '../fault/rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { read } from '../fault/reader.ts'
import { ScriptedModel, text } from '../fault/scripted-model.ts'

// The demo model, whatever key this machine has.
const DEMO = { models: modelRegistry({ apiKey: null, baseUrl: null, model: '', models: null }) }
const QUESTION = 'Use the api-design skill on this endpoint.'

describe('a run with the demo model', () => {
  it('loads a skill, answers, and lists in its receipt what it used', async () => {
    const thread = new TestThread(DEMO)
    const started = await thread.start(QUESTION, { follow: true, metadata: { ticket: '7' } })
    expect(started).toMatchObject({ thread_id: thread.id, created: true })
    const { events, end } = await read(started.events)
    expect(end).toBe('closed')
    expect(events[2]).toMatchObject({ type: 'run.started', demo: true, model: DEMO_MODEL })
    expect(events.find(({ type }) => type === 'skill.loaded')).toMatchObject({
      name: 'api-design',
      via: 'tool',
    })
    const receipt = await thread.receipt(started.run_id)
    expect(events.at(-1)).toMatchObject({ type: 'run.completed', stop_reason: 'answered', receipt })
    expect(receipt).toMatchObject({
      status: 'completed',
      error: null,
      skills: [{ name: 'api-design', category: 'public', via: 'tool' }],
      recoveries: 0,
    })
    expect(receipt.tools[0]).toMatchObject({ name: 'load_skill', errors: 0 })
    const reply = value(await thread.api.reply(thread.caller, started.run_id, 1_000))
    expect(reply).toMatchObject({ status: 'completed', stop_reason: 'answered', receipt })
    if (!reply || !('text' in reply)) throw new Error('no reply')
    expect(reply.text).toContain('skill **api-design**')
    const messages = await thread.messages()
    expect(reply.message).toEqual(messages.at(-1))
    for (const { role, model } of messages) expect(model).toBe(role === 'assistant' ? DEMO_MODEL : null)
    await thread.checkEnded(started.run_id, receipt.model_calls)
  })

  it('is reported by the thread: title, status, use', async () => {
    const thread = new TestThread(DEMO)
    const { run_id } = await thread.start(QUESTION, { metadata: { ticket: '7' } })
    await thread.ended(run_id)
    const info = value(await thread.api.info(thread.caller))
    expect(info).toMatchObject({
      id: thread.id,
      title: QUESTION,
      user: 'ann',
      status: 'idle',
      metadata: { ticket: '7' },
    })
    expect(info.usage.output_tokens).toBeGreaterThan(0)
    const patched = value(await thread.api.patch(thread.caller, { title: 'Mine', metadata: {} }))
    expect(patched).toMatchObject({ title: 'Mine', metadata: {} })
    const next = await thread.start('And this one?')
    await thread.ended(next.run_id)
    expect(value(await thread.api.info(thread.caller)).title).toBe('Mine')
  })
})

describe('pages', () => {
  it('return every message once, oldest first, and every receipt once, newest first', async () => {
    const thread = new TestThread(DEMO)
    const runs: string[] = []
    for (const words of ['One.', 'Two.', 'Three.']) {
      const { run_id } = await thread.start(words)
      await thread.ended(run_id)
      runs.push(run_id)
    }
    const all = await thread.messages()
    const ids: string[] = []
    let cursor: string | null = null
    do {
      const page: Page<Message> = value(await thread.api.messages(thread.caller, cursor, 2))
      ids.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(ids).toEqual(all.map(({ id }) => id))
    const first = value(await thread.api.receipts(thread.caller, null, 2))
    const rest = value(await thread.api.receipts(thread.caller, first.next_cursor, 2))
    expect([...first.data, ...rest.data].map((receipt) => receipt.run_id)).toEqual(runs.toReversed())
    expect(rest.next_cursor).toBeNull()
    for (const answer of [
      await thread.api.messages(thread.caller, 'x', 2),
      await thread.api.receipts(thread.caller, 'x', 2),
    ])
      expect(failure(answer).code).toBe('bad_cursor')
  })
})

describe('a reply', () => {
  it('arrives at the end, or not at all if that takes too long', async () => {
    const gate = { open: false }
    const slow: Model = {
      call: async (...requested) => {
        while (!gate.open) await scheduler.wait(1)
        return new ScriptedModel([{ content: [text('Done.')] }]).call(...requested)
      },
    }
    const thread = new TestThread(speaks(slow))
    const { run_id } = await thread.start('Hello')
    expect(value(await thread.api.reply(thread.caller, run_id, 5))).toBeNull()
    const waiting = thread.api.reply(thread.caller, run_id, 20_000)
    gate.open = true
    expect(value(await waiting)).toMatchObject({ run_id, status: 'completed' })
    await eventually(
      () => thread.api.info(thread.caller),
      (info) => info.ok && info.value.status === 'idle',
    )
    expect(failure(await thread.api.reply(thread.caller, 'run_x', 5)).code).toBe('not_found')
  })
})
