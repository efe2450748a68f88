// Guards what a run may rely on about its files: calls are executed in the model's order, a file is never overwritten
// unless its current content was read, uploads are reported once, and an image stays as it was when it was viewed.
import { afterEach, describe, expect, it } from 'vitest'
import type { Block } from '../../src/agent/message.ts'
import type { ModelRequest } from '../../src/agent/model.ts'
import { fail, ok } from '../../src/lib/result.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { png } from '../fakes/images.ts'
import { checkAgree, keysOf, tree, upload } from './files-rig.ts'
import { pauseAt, unwatch, watchPoints, type CrashMode } from './plan.ts'
import { HandClock, offers, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { answersSince, hang, ScriptedModel, text, use, type Turn } from './scripted-model.ts'
import { tool } from './world.ts'

const DONE: Turn = { content: [text('Done.')] }
const A = '/mnt/user-data/uploads/a.md'

/** A model with the turns of several runs, one run for each message. */
function scripted(...runs: readonly (readonly Turn[])[]): ScriptedModel {
  return new ScriptedModel((request) => {
    const requested = request.messages.filter(({ content }) =>
      content.some((block) => block.type === 'text' && block['text'] === 'Go.'),
    ).length
    return runs[requested - 1]?.[answersSince(request)] ?? DONE
  })
}

async function go(thread: TestThread): Promise<string> {
  const { run_id } = await thread.start('Go.')
  await thread.ended(run_id)
  return run_id
}

/** Results of the newest run that called tools, as the model got them. */
async function results(thread: TestThread): Promise<readonly [output: unknown, isError: unknown][]> {
  const messages = (await thread.messages()).filter(({ content }) => content[0]?.type === 'tool_result')
  return (messages.at(-1)?.content ?? []).map((block) => [block['content'], block['is_error']])
}

describe('a file that a person deletes', () => {
  it('is deleted even while the workspace is unavailable', async () => {
    let isAway = false
    const quotas = async (): ReturnType<ThreadPorts['quotas']> =>
      isAway
        ? fail('overloaded', 'away')
        : ok({ max_files: 10, max_file_bytes: 1_000_000, max_thread_bytes: 1_000_000 })
    const thread = new TestThread({ ...speaks(scripted()), quotas })
    value(await thread.api.createEmpty(thread.caller, thread.id))
    await upload(thread, { 'uploads/a.md': 'theirs' })
    isAway = true
    value(await thread.api.removeFile(thread.caller, 'uploads/a.md', null))
    expect(await tree(thread)).toEqual({})
  })
})

describe('two calls in one message that write one file', () => {
  it("are executed in the model's order, each on the result of the previous one", async () => {
    const path = '/mnt/user-data/outputs/a.md'
    const calls = [
      use('t1', 'write_file', { path, content: 'one\n' }),
      use('t2', 'write_file', { path, content: 'two\n' }),
      use('t3', 'write_file', { path, content: 'three\n', append: true }),
      use('t4', 'str_replace', { path, old: 'two', new: '2' }),
      use('t5', 'present_files', { paths: [path] }),
    ]
    const thread = new TestThread(speaks(scripted([{ content: calls }, DONE])))
    const runId = await go(thread)
    expect(await tree(thread)).toEqual({ 'outputs/a.md': '2\nthree\n' })
    const events = await thread.replay(runId)
    const written = events.flatMap((event) =>
      event.type === 'file.written' ? [[event.path, event.bytes]] : [],
    )
    expect(written).toEqual([4, 4, 10, 8].map((bytes) => [path, bytes]))
    expect(events.find(({ type }) => type === 'artifact.presented')).toMatchObject({
      path,
      title: 'a.md',
      media_type: 'text/markdown',
      href: `/v1/threads/${thread.id}/files/outputs/a.md`,
    })
  })
})

describe('a file whose current content the model has not read', () => {
  const read: Turn = { content: [use('r', 'read_file', { path: A })] }
  const write = (content: string): Turn => ({
    content: [use(`w${content}`, 'write_file', { path: A, content })],
  })

  it('is not overwritten, even if an earlier run read it', async () => {
    const thread = new TestThread(
      speaks(scripted([read], [write('1')], [write('2')], [write('3')], [read, write('4')], [write('5')])),
    )
    value(await thread.api.createEmpty(thread.caller, thread.id))
    await upload(thread, { 'uploads/a.md': 'theirs' })
    await go(thread)
    await thread.kill()
    // Read in the previous run, and known since because the model wrote it itself.
    await go(thread)
    await go(thread)
    expect(await tree(thread)).toEqual({ 'uploads/a.md': '2' })
    await upload(thread, { 'uploads/a.md': 'theirs again' })
    await go(thread)
    expect(await results(thread)).toEqual([
      [expect.stringContaining('you have not read its current content'), true],
    ])
    expect(await tree(thread)).toEqual({ 'uploads/a.md': 'theirs again' })
    await go(thread)
    await thread.kill()
    await go(thread)
    expect(await tree(thread)).toEqual({ 'uploads/a.md': '5' })
  })

  it("is not overwritten by a call parallel to the read, only after the read's result was returned", async () => {
    const beside: Turn = {
      content: [...(read.content ?? []), use('w', 'write_file', { path: A, content: 'blind' })],
    }
    const thread = new TestThread(speaks(scripted([beside, write('seen')])))
    value(await thread.api.createEmpty(thread.caller, thread.id))
    await upload(thread, { 'uploads/a.md': 'theirs' })
    await go(thread)
    const all = (await thread.messages()).flatMap(({ content }) => content)
    expect(all.filter(({ type }) => type === 'tool_result').map((block) => block['is_error'])).toEqual([
      false,
      true,
      false,
    ])
    expect(await tree(thread)).toEqual({ 'uploads/a.md': 'seen' })
  })

  it('because somebody changed it during a call keeps their change', async () => {
    const thread = new TestThread(speaks(scripted([read], [write('mine')])))
    value(await thread.api.createEmpty(thread.caller, thread.id))
    await upload(thread, { 'uploads/a.md': 'theirs' })
    await go(thread)
    const gate = { reached: false, open: false }
    pauseAt(thread.name, 'tool.ran', () => {
      gate.reached = true
      return eventually(
        () => gate.open,
        (open) => open,
      )
    })
    const { run_id } = await thread.start('Go.')
    await eventually(
      () => gate.reached,
      (reached) => reached,
    )
    await upload(thread, { 'uploads/a.md': 'theirs, just now' })
    gate.open = true
    await thread.ended(run_id)
    expect(await results(thread)).toEqual([
      [expect.stringMatching(/^Not written: .* has been changed by somebody else/), true],
    ])
    expect(await tree(thread)).toEqual({ 'uploads/a.md': 'theirs, just now' })
  })
})

/** Blocks that report uploads, for each message as the model got it. */
function reported(request: ModelRequest | undefined): readonly string[] {
  return (request?.messages ?? []).flatMap(({ content }) =>
    content.flatMap(({ text: words }) =>
      typeof words === 'string' && words.includes('<uploaded_files>') ? [words] : [],
    ),
  )
}

describe('a long result', () => {
  it('is stored under a free name, even if a person uploaded a file with the first one', async () => {
    const model = new ScriptedModel((request) =>
      answersSince(request) > 0 ? { content: [text('Done.')] } : { content: [use('t1', 'big', {})] },
    )
    const big = tool('big', 'read', async () => ({ content: 'x'.repeat(200_000), isError: false }), 1_000)
    const thread = new TestThread({ ...speaks(model), now: new HandClock().now, tools: () => [big] })
    value(await thread.api.createEmpty(thread.caller, thread.id))
    await upload(thread, { 'workspace/results/big-2-0.txt': 'precious' })
    await thread.ended((await thread.start('Go.')).run_id)
    const { ['workspace/results/big-2-0.txt']: brought, ...made } = await tree(thread)
    expect(brought).toBe('precious')
    expect(Object.values(made).map(({ length }) => length)).toEqual([200_000])
  })
})

describe('uploads', () => {
  afterEach(unwatch)

  for (const mode of ['lose', 'keep'] as const satisfies readonly CrashMode[])
    it(`are reported once, with the next message, wherever its run is killed (${mode})`, async () => {
      for (let at = 0; at < 20; at++) {
        const model = new ScriptedModel(() => DONE)
        const thread = new TestThread(speaks(model))
        value(await thread.api.createEmpty(thread.caller, thread.id))
        await upload(thread, { 'uploads/a <b>.md': 'a', 'uploads/b.md': 'b' })
        const crash = watchPoints(thread.name, (index) => (index === at ? mode : null))
        for (const key of ['one', 'two']) {
          const started = await eventually(
            () => thread.start('Go.', { idempotency: { key, digest: 'd' } }).catch(() => null),
            (answer) => answer !== null,
          )
          await eventually(
            async () => {
              if (crash.fired > 0) await thread.alarm()
              return thread.receipt(started?.run_id ?? '').catch(() => null)
            },
            (receipt) => receipt !== null && receipt.ended_at !== null,
          )
        }
        unwatch()
        expect(model.problems, `killed at ${at}`).toEqual([])
        const blocks = reported(model.requests.at(-1))
        expect(blocks, `killed at ${at}`).toHaveLength(1)
        expect(blocks[0]).toContain(
          '<file path="/mnt/user-data/uploads/a &lt;b&gt;.md" bytes="1" type="text/markdown"/>',
        )
        expect(blocks[0]).toContain('/mnt/user-data/uploads/b.md')
        if (crash.fired === 0) return
      }
      throw new Error('more points than thought')
    })

  it('during a run are reported with the queued message', async () => {
    const model = new ScriptedModel((_, call) =>
      call === 0 ? { act: (__, ___, signal) => hang(signal) } : DONE,
    )
    const thread = new TestThread(speaks(model))
    const first = await thread.start('Go.')
    const second = await thread.start('And on.', { onBusy: 'enqueue' })
    await upload(thread, { 'uploads/a.md': 'a' })
    value(await thread.api.cancel(thread.caller, first.run_id))
    await thread.ended(second.run_id)
    await thread.ended((await thread.start('Again.')).run_id)
    expect(model.requests.slice(1).map((request) => reported(request).length)).toEqual([1, 1])
  })

  it('are reported again after a message that the model refused', async () => {
    const fault = {
      retry: 'never',
      reason: 'invalid_request',
      detail: 'No.',
      retryAfterMs: null,
      usage: null,
    } as const
    const model = new ScriptedModel((_, call) =>
      call === 1 ? { act: async () => ({ kind: 'fault', fault }) } : DONE,
    )
    const thread = new TestThread(speaks(model))
    await go(thread)
    await upload(thread, { 'uploads/a.md': 'a' })
    for (let run = 0; run < 3; run++) await go(thread)
    expect(model.requests.map((request) => reported(request).length)).toEqual([0, 1, 1, 1])
  })

  it('are reported again when somebody overwrites them', async () => {
    const model = new ScriptedModel(() => DONE)
    const thread = new TestThread(speaks(model))
    await go(thread)
    for (const content of ['a', 'b']) {
      await upload(thread, { 'uploads/a.md': content })
      await go(thread)
    }
    expect(reported(model.requests.at(-1))).toHaveLength(2)
    expect(model.problems).toEqual([])
  })
})

function image(chars: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(png(chars).source.data), (char) => char.charCodeAt(0))
}

describe('an image that the model viewed', () => {
  const look = (name: string): Block =>
    use(`l${name}`, 'view_image', { path: `/mnt/user-data/uploads/${name}` })

  it('stays unchanged in every request, whatever happens to its path, and is deleted with its thread', async () => {
    const clock = new HandClock()
    const model = scripted([{ content: [look('small.png'), look('large.png')] }, DONE], [], [], [])
    const thread = new TestThread({ ...speaks(model, offers('eye')), now: clock.now })
    value(await thread.api.createEmpty(thread.caller, thread.id))
    await upload(thread, { 'uploads/small.png': image(60), 'uploads/large.png': image(400_000) })
    await go(thread)
    const shown = (): readonly unknown[] =>
      (model.requests.at(-1)?.messages ?? []).flatMap(({ content }) =>
        content.flatMap((block) => (block.type === 'tool_result' ? [block['content']] : [])),
      )
    const before = shown()
    expect(before).toEqual([
      [expect.objectContaining({ type: 'text' }), png(60)],
      [expect.objectContaining({ type: 'text' }), png(400_000)],
    ])
    await upload(thread, { 'uploads/small.png': image(64), 'uploads/large.png': image(400_004) })
    await go(thread)
    await checkAgree(thread, clock)
    for (const path of ['uploads/small.png', 'uploads/large.png'])
      value(await thread.api.removeFile(thread.caller, path, null))
    await checkAgree(thread, clock)
    await thread.kill()
    await go(thread)
    expect(shown()).toEqual(before)
    expect(model.problems).toEqual([])
    // A person's message shows only what is kept of the image, and no bytes.
    expect(JSON.stringify(await thread.messages()).length).toBeLessThan(10_000)
    expect(await keysOf(thread)).toHaveLength(1)
    await thread.api.remove(thread.caller)
    expect(await keysOf(thread)).toEqual([])
  })

  for (const mode of ['lose', 'keep'] as const satisfies readonly CrashMode[])
    it(`is the same wherever the run dies (${mode})`, async () => {
      for (let at = 0; at < 30; at++) {
        const model = scripted([{ content: [look('small.png'), look('large.png')] }, DONE], [])
        const thread = new TestThread(speaks(model, offers('eye')))
        value(await thread.api.createEmpty(thread.caller, thread.id))
        await upload(thread, { 'uploads/small.png': image(60), 'uploads/large.png': image(400_000) })
        const crash = watchPoints(thread.name, (index) => (index === at ? mode : null))
        const started = await eventually(
          () => thread.start('Go.', { idempotency: { key: 'k', digest: 'd' } }).catch(() => null),
          (answer) => answer !== null,
        )
        await eventually(
          async () => {
            if (crash.fired > 0) await thread.alarm()
            return thread.receipt(started?.run_id ?? '').catch(() => null)
          },
          (receipt) => receipt !== null && receipt.ended_at !== null,
        )
        unwatch()
        expect(model.problems, `killed at ${at}`).toEqual([])
        const last = JSON.stringify(model.requests.at(-1)?.messages)
        expect(last, `killed at ${at}`).toContain(png(400_000).source.data)
        expect(last, `killed at ${at}`).toContain(`"data":"${png(60).source.data}"`)
        if (crash.fired === 0) return
      }
      throw new Error('more points than thought')
    })

  it('is not replaced by a newer one that somebody uploads before the result is stored', async () => {
    const model = scripted([{ content: [look('small.png')] }, DONE])
    const thread = new TestThread(speaks(model, offers('eye')))
    value(await thread.api.createEmpty(thread.caller, thread.id))
    await upload(thread, { 'uploads/small.png': image(60) })
    const gate = { reached: false, open: false }
    pauseAt(thread.name, 'tool.ran', () => {
      gate.reached = true
      return eventually(
        () => gate.open,
        (open) => open,
      )
    })
    const { run_id } = await thread.start('Go.')
    await eventually(
      () => gate.reached,
      (reached) => reached,
    )
    await upload(thread, { 'uploads/small.png': image(64) })
    gate.open = true
    await thread.ended(run_id)
    unwatch()
    expect(await results(thread)).toEqual([[expect.stringContaining('View it again'), true]])
  })
})
