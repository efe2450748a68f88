// Guards the life of a thread: a deletion is final whatever was in progress, other users cannot see the thread, and
// the workspace is notified of every run, if late.
import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { objects } from '../../src/env/env.ts'
import { fail, ok } from '../../src/lib/result.ts'
import type { Message } from '../../src/agent/message.ts'
import type { Page } from '../../src/thread/api.ts'
import { portsOf } from '../../src/thread/ports.ts'
import { HISTORY_PAGE_MAX_BYTES } from '../../src/thread/report/limits.ts'
import type { ThreadRecord, WorkspaceApi } from '../../src/workspace/api.ts'
import { read } from './reader.ts'
import { ANN, HandClock, ROOM, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { hang, ScriptedModel, text, use } from './scripted-model.ts'
import { tool } from './world.ts'

const DONE = { content: [text('Done.')] }
const begun = (done: boolean): boolean => done

function hanging(): ScriptedModel {
  return new ScriptedModel(() => ({ act: (_, __, signal) => hang(signal) }))
}

/** The tables and the alarm of the object. */
async function remains(thread: TestThread): Promise<readonly unknown[]> {
  return thread.sql(async (sql, state) => {
    const tables = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'").toArray()
    const alarm = await state.storage.getAlarm()
    return [
      ...tables.map(({ name }) => String(name)).filter((name) => !name.startsWith('_cf')),
      ...(alarm ? [alarm] : []),
    ]
  })
}

async function listed(thread: TestThread): Promise<boolean> {
  const page = value(await objects(env).workspace(thread.caller.workspace).listThreads(null, null, 100))
  return page.data.some(({ id }) => id === thread.id)
}

describe('a page of messages', () => {
  it('ends after 2 MiB and has at least one message, and all pages together are complete', async () => {
    const thread = new TestThread(speaks(new ScriptedModel([DONE])))
    const { run_id } = await thread.start('Mine.')
    await thread.ended(run_id)
    const chars = 400_000
    const rest = 6
    await thread.sql((sql) => {
      const insert = `INSERT INTO messages (id, run_id, role, content, calls, created_at)
        VALUES (?, ?, 'user', '[{"type":"text","text":"' || ?, 0, 0) RETURNING seq`
      for (let at = 0; at < 12; at++)
        sql.exec(insert, `msg_${at}`, run_id, `${'x'.repeat(chars)}"}]`).toArray()
      // A message that is longer than a page, in several rows.
      const { seq } = sql.exec(insert, 'msg_long', run_id, 'x'.repeat(chars)).one()
      for (let part = 0; part < rest; part++) {
        const text = 'x'.repeat(chars) + (part === rest - 1 ? '"}]' : '')
        sql.exec('INSERT INTO message_parts (message, part, text) VALUES (?, ?, ?)', seq ?? 0, part, text)
      }
    })
    const pages: number[] = []
    const ids: string[] = []
    for (let cursor: string | null = null; ;) {
      const page: Page<Message> = value(await thread.api.messages(thread.caller, cursor, 100))
      pages.push(page.data.length)
      ids.push(...page.data.map(({ id }) => id))
      const size = JSON.stringify(page.data).length
      if (page.data.length > 1) expect(size).toBeLessThan(HISTORY_PAGE_MAX_BYTES + 10_000)
      else expect(size).toBeGreaterThan((rest + 1) * chars)
      cursor = page.next_cursor
      if (cursor === null) break
    }
    expect(pages).toEqual([7, 5, 2, 1])
    expect(ids.slice(2)).toEqual([...Array.from({ length: 12 }, (_, at) => `msg_${at}`), 'msg_long'])
  })
})

describe('a thread that is deleted', () => {
  it('while its model streams, with a message queued, is gone for good and for its readers', async () => {
    const model = hanging()
    const thread = new TestThread(speaks(model))
    const { run_id, events } = await thread.start('One.', { follow: true })
    await thread.start('Two.', { onBusy: 'enqueue' })
    const waiting = thread.api.reply(thread.caller, run_id, 20_000)
    await eventually(() => listed(thread), begun)
    expect(await thread.api.remove(thread.caller)).toEqual({ ok: true, value: null })
    expect((await read(events)).events.some(({ type }) => type.startsWith('run.c'))).toBe(false)
    expect(await waiting).toMatchObject({ ok: false, error: { code: 'not_found' } })
    expect(await remains(thread)).toEqual([])
    await thread.alarm()
    for (const answer of [
      await thread.api.info(thread.caller),
      await thread.api.receipt(thread.caller, run_id),
      await thread.api.start(thread.caller, await thread.input('Three.', { create: false })),
    ])
      expect(answer).toMatchObject({ ok: false, error: { code: 'not_found' } })
    await evictDurableObject(env.THREADS.getByName(thread.name))
    expect(await remains(thread)).toEqual([])
    expect(await listed(thread)).toBe(false)
    expect(model.requests).toHaveLength(1)
  })

  it('during a tool that ignores the deletion is not written to by it', async () => {
    const gate = { open: false, ran: 0 }
    const tools = [
      tool('send', 'once', async () => {
        gate.ran += 1
        while (!gate.open) await scheduler.wait(1)
        gate.ran += 1
        return { content: 'sent', isError: false }
      }),
    ]
    const model = new ScriptedModel(() => ({ content: [use('t1', 'send')] }))
    const thread = new TestThread({ ...speaks(model), tools: () => tools })
    await thread.start('Send.')
    await eventually(() => gate.ran === 1, begun)
    await thread.api.remove(thread.caller)
    gate.open = true
    await eventually(() => gate.ran === 2, begun)
    expect(await remains(thread)).toEqual([])
    expect(model.requests).toHaveLength(1)
  })

  it('takes no messages, and is gone as soon as the workspace can be notified', async () => {
    const gate = { open: false }
    let requested = 0
    const workspace = {
      ...ROOM,
      record: async () => ok(null),
      forget: async () => {
        requested += 1
        while (!gate.open) await scheduler.wait(1)
        return requested === 1 ? fail('internal', 'Not now.') : ok([])
      },
    } as unknown as WorkspaceApi // the cast is safe: a thread calls no other method
    const model = hanging()
    const thread = new TestThread({ ...speaks(model), workspace: () => workspace })
    await thread.start('One.')
    const going = thread.api.remove(thread.caller)
    await eventually(() => requested === 1, begun)
    expect((await thread.refused('Two.', { create: false })).code).toBe('not_found')
    expect((await thread.refused('Two.', { create: true })).code).toBe('not_found')
    gate.open = true
    // The thread is deleted, although this has not been reported to the workspace yet.
    expect(await going).toEqual({ ok: true, value: null })
    expect((await thread.refused('Two.', { create: true })).code).toBe('not_found')
    await thread.alarm()
    expect(await remains(thread)).toEqual([])
    expect(model.requests).toHaveLength(1)
  })

  it('can be created again under the same ID', async () => {
    const thread = new TestThread(speaks(new ScriptedModel(() => DONE)))
    const first = await thread.start('One.')
    await thread.ended(first.run_id)
    await thread.api.remove(thread.caller)
    const again = await thread.start('Two.')
    await thread.ended(again.run_id)
    expect(await thread.messages()).toHaveLength(2)
    expect((await thread.replay(again.run_id))[0]?.seq).toBe(1)
  })
})

describe('a message to a thread that is deleted during the catalog request', () => {
  it('does not start in the thread that replaced it, which gets its own tools', async () => {
    const gate = { open: true, requested: 0 }
    const untrusted = portsOf(env)
    const model = new ScriptedModel(() => DONE)
    const thread = new TestThread({
      ...speaks(model),
      liveCatalog: async (...requested) => {
        gate.requested += 1
        while (!gate.open) await scheduler.wait(1)
        return untrusted.liveCatalog(...requested)
      },
    })
    await thread.ended((await thread.start('One.')).run_id)
    gate.open = false
    const before = gate.requested
    const late = thread.api.start(thread.caller, await thread.input('Two.'))
    await eventually(() => gate.requested > before, begun)
    await thread.api.remove(thread.caller)
    const never = { ...(await thread.input('Never.')), runId: 'run_never' }
    value(await thread.api.startFailed(thread.caller, never, 'No.', 'budget'))
    const receipt = await thread.receipt('run_never')
    expect(receipt).toMatchObject({ status: 'failed', stop_reason: 'budget', error: { code: 'budget' } })
    gate.open = true
    expect(await late).toMatchObject({ ok: false, error: { code: 'not_found' } })
    await thread.ended((await thread.start('Three.')).run_id)
    expect(model.requests).toHaveLength(2)
    expect(model.requests[1]?.tools).toEqual(model.requests[0]?.tools)
  })
})

describe('a thread of another user', () => {
  it('does not exist for other users, other workspaces and their keys; an admin of its workspace sees it', async () => {
    const thread = new TestThread(speaks(new ScriptedModel(() => DONE)))
    const { run_id } = await thread.start('Mine.')
    await thread.ended(run_id)
    const input = await thread.input('Yours?', { create: false })
    for (const caller of [
      { ...ANN, user: 'bob' },
      { ...ANN, user: null },
      { ...ANN, role: 'publisher' as const, user: 'bob' },
      { ...ANN, workspace: 'w2', role: 'admin' as const },
    ]) {
      const { api } = thread
      const answers = [
        await api.start(caller, input),
        await api.start(caller, { ...input, create: true }),
        await api.info(caller),
        await api.patch(caller, { title: 'Ours' }),
        await api.remove(caller),
        await api.messages(caller, null, 10),
        await api.receipts(caller, null, 10),
        await api.receipt(caller, run_id),
        await api.events(caller, run_id, null),
        await api.cancel(caller, run_id),
        await api.reply(caller, run_id, 10),
      ]
      expect(answers.map((answer) => (answer.ok ? 'ok' : answer.error.code))).toEqual(
        Array(11).fill('not_found'),
      )
    }
    const admin = { ...ANN, keyId: 'k9', role: 'admin' as const, user: null }
    expect(await thread.api.info(admin)).toMatchObject({ value: { title: 'Mine.', user: 'ann' } })
    expect(await thread.messages()).toHaveLength(2)
  })

  it('with the same ID in another workspace is another thread', async () => {
    const mine = new TestThread(speaks(new ScriptedModel(() => DONE)))
    const first = await mine.start('Mine.')
    await mine.ended(first.run_id)
    const there = { ...ANN, workspace: 'w2' }
    const answer = await objects(env).thread('w2', mine.id).info(there)
    expect(answer).toMatchObject({ ok: false, error: { code: 'not_found' } })
  })
})

describe('the workspace', () => {
  it('is notified of a run once after it missed the first notification', async () => {
    let down = true
    const heard: string[] = []
    const workspace = {
      ...ROOM,
      record: async (_: unknown, run: { id: string } | null) => {
        if (down) throw new Error('away')
        if (run) heard.push(run.id)
        return ok(null)
      },
    } as unknown as WorkspaceApi // the cast is safe: a thread calls no other method
    const thread = new TestThread({ ...speaks(new ScriptedModel(() => DONE)), workspace: () => workspace })
    const { run_id } = await thread.start()
    await thread.ended(run_id)
    await eventually(
      () => thread.alarmAt(),
      (at) => at !== null,
    )
    down = false
    await thread.alarm()
    await thread.alarm()
    expect(heard).toEqual([run_id])
    expect(await thread.alarmAt()).toBeNull()
  })

  it('is notified of a new thread together with its first run', async () => {
    const heard: string[] = []
    const workspace = {
      ...ROOM,
      record: async ({ info }: ThreadRecord) => {
        heard.push(info.status)
        return ok(null)
      },
    } as unknown as WorkspaceApi // the cast is safe: a thread calls no other method
    const thread = new TestThread({ ...speaks(hanging()), workspace: () => workspace })
    await thread.start()
    await eventually(() => heard.length > 0, begun)
    expect(heard).toEqual(['busy'])
  })

  it('is notified of changes during a notification, even within the same millisecond', async () => {
    const heard: string[] = []
    const gate = { open: false, passed: 0 }
    const workspace = {
      ...ROOM,
      record: async ({ info }: ThreadRecord) => {
        heard.push(info.title)
        if (heard.length === 2) return fail('overloaded', 'Not now.')
        while (!gate.open) await scheduler.wait(1)
        gate.passed += 1
        return ok(null)
      },
    } as unknown as WorkspaceApi // the cast is safe: a thread calls no other method
    const thread = new TestThread({
      ...speaks(hanging()),
      now: new HandClock().now,
      workspace: () => workspace,
    })
    await thread.start()
    await eventually(() => heard.length === 1, begun)
    value(await thread.api.patch(thread.caller, { title: 'Named' }))
    await eventually(() => heard.length === 2, begun)
    gate.open = true
    await eventually(() => gate.passed === 1, begun)
    await thread.alarm()
    expect(heard).toEqual(['Hello', 'Named', 'Named'])
  })
})
