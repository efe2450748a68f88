// Promise: a run replies at most once to the place its question came from, whatever dies in between; an interrupted
// reply has an unknown outcome, which its receipt shows, and is repeated only by hand.

import { env } from 'cloudflare:workers'
import { afterAll, describe, expect, it } from 'vitest'

import type { Receipt } from '../../src/agent/events.ts'
import { err, ok } from '../../src/lib/result.ts'
import type { GuardedFetch, Outgoing } from '../../src/net/fetch.ts'
import type { ReplyOutcome, ReplyPlan } from '../../src/replies/plan.ts'
import type { ToolEntry } from '../../src/skills/skill.ts'
import { portsOf } from '../../src/thread/ports.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { unwatch, watchPoints, type CrashMode } from './plan.ts'
import { failure, speaks, TestThread, value } from './rig.ts'
import { ScriptedModel, text } from './scripted-model.ts'

function tool(name: string): ToolEntry {
  const definition = {
    name,
    description: 'Posts a message.',
    input_schema: {
      type: 'object',
      properties: { text: { type: 'string' }, ts: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    },
    request: {
      method: 'POST',
      url: `https://chat.example.com/${name}`,
      body: { text: '{{input.text}}', ts: '{{input.ts}}' },
    },
    effect: 'once',
  }
  return { name, digest: '', definition, enabled: true, source: 'workspace', updated_at: null }
}

/** A chat service that records messages. */
class Service {
  readonly requests: Outgoing[] = []
  /** What the log of the hook shows. */
  shown: ReplyOutcome | null = null
  /** How often the hook fails before it shows something. */
  hookFailures = 0
  answer: GuardedFetch = async ({ url }) => {
    const body = new TextEncoder().encode('{"ok":true,"ts":"171.5"}')
    return ok({ status: 200, url, headers: {}, body, cut: false })
  }

  readonly fetch: GuardedFetch = async (request, terms) => {
    this.requests.push(request)
    return this.answer(request, terms)
  }

  get posts(): readonly string[] {
    return this.requests.map(({ url, body }) => `${url.split('/').at(-1)} ${body}`)
  }
}

const MARK = '\u200B\u2060'
const PLAN: ReplyPlan = {
  template: { tool: 'post', input: { text: '{{answer}} for {{payload.user}}' }, start: null },
  values: { 'payload.user': 'U1' },
  mark: MARK,
  delivery: { hook: 'hk_1', id: 'dl_1' },
}
const TWO_CALLS: ReplyPlan = {
  ...PLAN,
  template: {
    tool: 'update',
    input: { text: '{{answer}}', ts: '{{start.ts}}' },
    start: { tool: 'post', input: { text: 'Working on it.' } },
  },
}

function threadWith(service: Service, tools = [tool('post'), tool('update')]): TestThread {
  return new TestThread({
    ...speaks(new ScriptedModel([{ content: [text('All is done.')] }])),
    toolNet: () => service.fetch,
    hook: () => ({
      forgetThread: async () => ok(null),
      recordReply: async (_, id, outcome) => {
        if (service.hookFailures-- > 0) throw new Error('The hook is not reachable.')
        expect(id).toBe('dl_1')
        service.shown = outcome
        return ok(null)
      },
    }),
    index: async (...args) => {
      const index = await portsOf(env).index(...args)
      return index.ok ? ok({ ...index.value, tools }) : index
    },
  })
}

/** The receipt once nothing is left to do for the reply; then the log of the hook has its state, too. */
async function settled(thread: TestThread, runId: string, service: Service): Promise<Receipt> {
  const receipt = await eventually(
    async () => {
      await thread.alarm()
      return thread.receipt(runId)
    },
    ({ reply }) => reply !== undefined && reply.state !== 'waiting' && reply.state !== 'sending',
  )
  await eventually(async () => {
    await thread.alarm()
    return service.shown?.state === receipt.reply?.state && service.shown?.detail === receipt.reply?.detail
  })
  return receipt
}

describe('a run with a reply', () => {
  afterAll(unwatch)

  it('sends it once with its answer, and its receipt shows it', async () => {
    const service = new Service()
    const thread = threadWith(service)
    const { run_id } = await thread.start('Do it.', { reply: PLAN })
    expect((await settled(thread, run_id, service)).reply).toMatchObject({
      tool: 'post',
      state: 'sent',
      detail: null,
    })
    expect(service.posts).toEqual([`post {"text":"${MARK}All is done. for U1"}`])
    expect(failure(await thread.api.repeatReply(thread.caller, run_id)).code).toBe('invalid_request')
  })

  it('posts a placeholder at once, and replaces it with the answer', async () => {
    const service = new Service()
    const thread = threadWith(service)
    const { run_id } = await thread.start('Do it.', { reply: TWO_CALLS })
    expect((await settled(thread, run_id, service)).reply).toMatchObject({ tool: 'update', state: 'sent' })
    expect(service.posts).toEqual([
      'post {"text":"Working on it."}',
      `update {"text":"${MARK}All is done.","ts":"171.5"}`,
    ])
  })

  it('whose second call needs the response of a failed first one reports why the first failed', async () => {
    const service = new Service()
    const body = new TextEncoder().encode('{"ok":false,"error":"not_in_channel"}')
    service.answer = async ({ url }) => ok({ status: 200, url, headers: {}, body, cut: false })
    const thread = threadWith(service)
    const { run_id } = await thread.start('Do it.', { reply: TWO_CALLS })
    const { reply } = await settled(thread, run_id, service)
    expect(reply).toMatchObject({
      tool: 'update',
      state: 'failed',
      detail: expect.stringMatching(/post.*not_in_channel.*start\.ts/),
    })
    expect(service.posts).toHaveLength(1)
  })

  it('has an unknown outcome, and does not delay later ones, if the pass that sends it fails', async () => {
    const service = new Service()
    const thread = threadWith(service)
    service.answer = async () => {
      service.answer = async ({ url }) =>
        ok({ status: 200, url, headers: {}, body: new Uint8Array(), cut: false })
      throw new Error('A fault of ours.')
    }
    const { run_id } = await thread.start('Do it.', { reply: PLAN })
    expect((await settled(thread, run_id, service)).reply).toMatchObject({ state: 'unknown' })
    const next = await thread.start('Do it.', { reply: PLAN, create: false })
    expect((await settled(thread, next.run_id, service)).reply).toMatchObject({ state: 'sent' })
    expect(service.posts).toHaveLength(2)
  })

  it('sends at most one, killed at each point; an interrupted one has an unknown outcome', async () => {
    const killed = async (
      plan: ReplyPlan,
      when: (index: number) => CrashMode | null,
    ): Promise<readonly string[]> => {
      const service = new Service()
      const thread = threadWith(service)
      const crash = watchPoints(thread.name, when)
      const started = await eventually(
        () =>
          thread.start('Do it.', { idempotency: { key: 'one', digest: 'd' }, reply: plan }).catch(() => null),
        (answer) => answer !== null,
      )
      const runId = started?.run_id ?? ''
      const { reply } = await eventually(
        () => settled(thread, runId, service).catch(() => null),
        (receipt) => receipt !== null,
      ).then((receipt) => receipt ?? thread.receipt(runId))
      const made = new Set(service.posts)
      expect(service.posts.length, 'each call at most once').toBe(made.size)
      const replies = service.posts.filter((post) => post.includes(MARK))
      if (reply?.state === 'sent') expect(replies.length).toBe(1)
      // Without the placeholder's ID, the second call is not made.
      else
        expect([reply?.state, replies.length <= 1]).toEqual([expect.stringMatching(/unknown|failed/), true])
      return crash.points
    }
    for (const plan of [PLAN, TWO_CALLS]) {
      const points = await killed(plan, () => null)
      expect(points).toContain('reply.answered')
      for (const mode of ['lose', 'keep'] as const)
        for (const [at, point] of points.entries())
          if (point.startsWith('reply.') || point === 'run.ended' || point === 'accepted')
            await killed(plan, (index) => (index === at ? mode : null))
    }
  })

  it.each([
    ['failed', 'is not there', [], undefined],
    [
      'failed',
      'answers 500',
      undefined,
      async () => ok({ status: 500, url: '', headers: {}, body: new Uint8Array(), cut: false }),
    ],
    [
      'failed',
      'says ok: false',
      undefined,
      async () =>
        ok({
          status: 200,
          url: '',
          headers: {},
          body: new TextEncoder().encode('{"ok":false,"error":"not_in_channel"}'),
          cut: false,
        }),
    ],
    [
      'unknown',
      'does not answer',
      undefined,
      async () => err({ code: 'timeout', detail: 'It did not respond.', sent: true } as const),
    ],
  ] as const)('is %s if its tool %s, and can be repeated by hand', async (state, _, tools, answer) => {
    const service = new Service()
    service.hookFailures = 1
    const works = service.answer
    if (answer) service.answer = answer
    const thread = threadWith(service, tools ? [...tools] : undefined)
    const { run_id } = await thread.start('Do it.', { reply: PLAN })
    const { reply, status } = await settled(thread, run_id, service)
    expect([status, reply?.state]).toEqual(['completed', state])
    expect(reply?.detail).toMatch(/post|500|not_in_channel|respond/)
    service.answer = works
    value(await thread.api.repeatReply(thread.caller, run_id))
    const again = await settled(thread, run_id, service)
    if (tools === undefined) expect(again.reply).toMatchObject({ state: 'sent' })
    expect(service.posts.length).toBe(tools ? 0 : 2)
  })
})
