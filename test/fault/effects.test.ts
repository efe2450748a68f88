// Guards "effects happen once" and "a failure speaks to its reader": whatever a tool does or fails to do becomes
// exactly one result for the model, in the right position, and the run continues.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Block } from '../../src/agent/message.ts'
import { REPEATED_CALLS_STOP_AT } from '../../src/agent/limits.ts'
import { MESSAGE_ROW_MAX_CHARS } from '../../src/limits/runs.ts'
import { SPILL_HEAD_CHARS, SPILL_TAIL_CHARS, STEP_TOOL_CALLS_MAX } from '../../src/thread/executor/limits.ts'
import { ok } from '../../src/lib/result.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import type { BuiltinTool } from '../../src/tools/record/builtin.ts'
import { speaks, TestThread, value } from './rig.ts'
import { answersSince, ScriptedModel, text, use, type Turn } from './scripted-model.ts'
import { tool, World } from './world.ts'

const DONE: Turn = { content: [text('Done.')] }

async function run(
  tools: readonly BuiltinTool[],
  turns: ConstructorParameters<typeof ScriptedModel>[0],
  ports: Partial<ThreadPorts> = {},
): Promise<{ thread: TestThread; runId: string; model: ScriptedModel; results: readonly Block[] }> {
  const model = new ScriptedModel(turns)
  const thread = new TestThread({ ...speaks(model), ...ports, tools: () => tools })
  const { run_id } = await thread.start('Go.')
  await thread.ended(run_id)
  await thread.checkEnded(run_id, model.requests.length)
  expect(model.problems).toEqual([])
  const results = (await thread.messages()).find((message) => message.content[0]?.type === 'tool_result')
  return { thread, runId: run_id, model, results: results?.content ?? [] }
}

it('a call whose ID the model used before gets its own idempotency key, so that a server does not take it for a retry', async () => {
  const keys: string[] = []
  const save = tool('save', 'idempotent', async (_, call) => {
    keys.push(call.idempotencyKey)
    return { content: 'Saved.', isError: false }
  })
  const again = (text: string): Turn => ({ content: [use('t1', 'save', { text })] })
  await run([save], [again('one'), again('two'), DONE])
  expect(new Set(keys).size).toBe(2)
})

describe('a tool that', () => {
  const failing: Record<string, [tool: BuiltinTool, reported: string]> = {
    'throws at once': [
      tool('look', 'read', () => {
        throw new Error('no way')
      }),
      'The tool look failed: no way',
    ],
    'fails later': [
      tool('look', 'read', async () => {
        await scheduler.wait(1)
        throw new Error('password=hunter2hunter2 was wrong')
      }),
      'The tool look failed: password=[redacted] was wrong',
    ],
    'only reads and never answers': [
      tool('look', 'read', () => new Promise(() => undefined), 5),
      'The tool did not respond within 0.005 s. Try again with a smaller request, or continue without it.',
    ],
    'has side effects and never answers': [
      tool('look', 'once', () => new Promise(() => undefined), 5),
      'The tool did not respond within 0.005 s. The outcome of this call is unknown',
    ],
    'no longer exists': [
      tool('other', 'read', () => Promise.reject(new Error())),
      'There is no tool named look',
    ],
  }
  for (const [what, [bad, reported]] of Object.entries(failing))
    it(`${what} gets an error result, and its siblings are not disturbed`, async () => {
      const fine = tool('fine', 'read', async () => ({ content: 'fine', isError: false }))
      const { thread, runId, results } = await run(
        [bad, fine],
        [{ content: [use('t1', 'look'), use('t2', 'fine')] }, DONE],
      )
      expect(results).toMatchObject([
        { tool_use_id: 't1', is_error: true, content: expect.stringContaining(reported) },
        { tool_use_id: 't2', is_error: false, content: 'fine' },
      ])
      expect(await thread.receipt(runId)).toMatchObject({ status: 'completed', stop_reason: 'answered' })
    })

  it('reads has its result given to the model unchanged, and shown to readers without what looks like a secret', async () => {
    const content = 'curl -H "x-api-key: $API_KEY"\npassword = os.getenv("ANTHROPIC_API_KEY_0123456789")'
    const skill = tool('look', 'read', async () => ({ content, isError: false }))
    const { results, thread, runId } = await run([skill], [{ content: [use('t1', 'look')] }, DONE])
    expect(results[0]?.['content']).toBe(content)
    expect(JSON.stringify(await thread.replay(runId))).toContain('[redacted]')
  })

  it('has side effects and returns too much, invalid text or a secret has its result truncated, repaired and redacted', async () => {
    const content = `\ud800 key sk-ant-REDACTED0123456789 ${'x'.repeat(300_000)} the end`
    const chatty = tool('send', 'once', async () => ({ content, isError: false }))
    const { results, thread, runId } = await run([chatty], [{ content: [use('t1', 'send')] }, DONE])
    const output = String(results[0]?.['content'])
    expect(output.length).toBeLessThan(SPILL_HEAD_CHARS + SPILL_TAIL_CHARS + 500)
    expect(output).toMatch(/^\ufffd key \[redacted\] x+\n\[… \d+ characters left out here\./)
    expect(output).toMatch(/x the end$/)
    expect(JSON.stringify(await thread.replay(runId))).not.toContain('REDACTED')
    // The whole result is stored, also repaired and redacted.
    const path = /\/mnt\/user-data\/(\S+\.txt)/.exec(output)?.[1] ?? ''
    const { data, key } = value(await thread.api.fileContent(thread.caller, path))
    const bytes = data ?? (await (await env.FILES.get(key ?? ''))?.bytes())
    expect(new TextDecoder().decode(bytes)).toBe(`\ufffd key [redacted] ${'x'.repeat(300_000)} the end`)
  })

  it('cannot store its file returns its result anyway', async () => {
    let requested = 0
    // There is space when it is requested, and none when the file is written.
    const quotas = async (): ReturnType<ThreadPorts['quotas']> =>
      ok({ max_files: requested++ === 0 ? 10 : 0, max_file_bytes: 1_000_000, max_thread_bytes: 1_000_000 })
    const content = `sent to all\n${'x'.repeat(50_000)}`
    const chatty = tool('send', 'once', async () => ({ content, isError: false }))
    const { results } = await run([chatty], [{ content: [use('t1', 'send')] }, DONE], { quotas })
    expect(requested).toBe(2)
    expect(results[0]).toMatchObject({ is_error: false })
    expect(results[0]?.['content']).toMatch(
      /^sent to all\nx+\n\[… .* could not be stored: another write used the space/,
    )
  })

  it('has side effects runs in its turn among reads, with the results in the order of the calls', async () => {
    const log: string[] = []
    const look = tool('look', 'read', async (input) => {
      log.push('look')
      return { content: JSON.stringify(input), isError: false }
    })
    const acting = (name: string, effect: 'once' | 'idempotent'): BuiltinTool =>
      tool(name, effect, async () => {
        log.push(`${name} begins`)
        await scheduler.wait(2)
        log.push(`${name} ends`)
        return { content: name, isError: false }
      })
    const { results } = await run(
      [look, acting('send', 'once'), acting('put', 'idempotent')],
      [
        {
          content: [
            use('t1', 'send'),
            use('t2', 'look', { a: 1 }),
            use('t3', 'put'),
            use('t4', 'look', { a: 2 }),
          ],
        },
        DONE,
      ],
    )
    expect(results.map((result) => result['content'])).toEqual(['send', '{"a":1}', 'put', '{"a":2}'])
    expect(log).toEqual(['send begins', 'send ends', 'look', 'put begins', 'put ends', 'look'])
  })
})

describe('a message with', () => {
  it('more calls than one step makes gets errors for the rest', async () => {
    const world = new World()
    const calls = Array.from({ length: 50 }, (_, at) => use(`t${at}`, 'look', { at }))
    const { results, thread, runId } = await run(world.tools, [{ content: calls }, DONE])
    expect(results.map((result) => result['is_error'])).toEqual(
      calls.map((_, at) => at >= STEP_TOOL_CALLS_MAX),
    )
    expect(world.ran).toHaveLength(STEP_TOOL_CALLS_MAX)
    expect((await thread.receipt(runId)).budget['tool_calls']?.used).toBe(STEP_TOOL_CALLS_MAX)
  })

  it('an input too long to be kept is not run, and the run continues', async () => {
    const world = new World()
    const long = use('t1', 'look', { text: 'x'.repeat(4 * MESSAGE_ROW_MAX_CHARS) })
    const { results, model } = await run(world.tools, [{ content: [long, use('t2', 'look')] }, DONE])
    expect(results).toMatchObject([
      { is_error: true, content: expect.stringContaining('longer than') },
      { is_error: false },
    ])
    expect(world.ran).toHaveLength(1)
    // What the model said is sent back unchanged.
    expect(model.requests[1]?.messages[1]?.content[0]).toEqual(long)
  })
})

describe('a repeated call', () => {
  const again = (request: { messages: readonly unknown[] }): Block =>
    use(`t${request.messages.length}`, 'look', { b: 1, a: [2] })

  it('is warned of, then stopped, and the model sums up without tools', async () => {
    const world = new World()
    const { thread, runId, model } = await run(world.tools, (request) =>
      request.forbidTools ? DONE : { content: [again(request)] },
    )
    expect(world.ran).toHaveLength(REPEATED_CALLS_STOP_AT - 1)
    expect(model.requests.map((request) => request.forbidTools)).toEqual([
      ...Array.from({ length: REPEATED_CALLS_STOP_AT }, () => false),
      true,
    ])
    expect(await thread.receipt(runId)).toMatchObject({ status: 'completed', stop_reason: 'loop_detected' })
    const warnings = (await thread.replay(runId)).filter(({ type }) => type === 'loop.warning')
    expect(warnings.length).toBeGreaterThanOrEqual(2)
    expect((await thread.messages()).at(-1)?.content).toEqual(DONE.content)
    const reported = (await thread.messages())
      .flatMap(({ content }) => content)
      .map((block) => String(block['content']))
    expect(reported.some((words) => words.includes('several times'))).toBe(true)
  })

  it('ends the run even if the model calls tools where it must not', async () => {
    const world = new World()
    const { thread, runId, model } = await run(world.tools, (request) => ({
      content: request.forbidTools ? [text('But.'), use('u1', 'send')] : [again(request)],
    }))
    expect(model.requests).toHaveLength(REPEATED_CALLS_STOP_AT + 1)
    expect(world.sent).toEqual([])
    expect(await thread.receipt(runId)).toMatchObject({ status: 'completed', stop_reason: 'loop_detected' })
  })

  it('with other arguments is no loop', async () => {
    const world = new World()
    const { thread, runId } = await run(world.tools, (request) =>
      answersSince(request) < 8
        ? { content: [use(`t${request.messages.length}`, 'look', { at: answersSince(request) })] }
        : DONE,
    )
    expect(world.ran).toHaveLength(8)
    expect((await thread.receipt(runId)).stop_reason).toBe('answered')
  })
})
