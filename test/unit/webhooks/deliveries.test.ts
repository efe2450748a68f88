// Guards deliveries: an accepted one is started once under its promised IDs, waits if the cause can be fixed, and is
// set aside with its reason if it cannot.
import { describe, expect, it } from 'vitest'
import { utf8 } from '../../../src/lib/bytes.ts'
import type { Caller } from '../../../src/lib/caller.ts'
import { fail, ok } from '../../../src/lib/result.ts'
import type { Result } from '../../../src/lib/result.ts'
import {
  START_FIRST_PAUSE_MS,
  START_PROBLEM_MAX_CHARS,
  START_ATTEMPTS_MAX,
  NO_SLOT_RECHECK_MS,
  NOT_READY_TIMEOUT_MS,
  NOT_READY_RECHECK_MS,
} from '../../../src/unattended/limits.ts'
import type { StartedRun, StartInput, StartFailureReason } from '../../../src/thread/api.ts'
import { startDelivery } from '../../../src/webhooks/deliveries.ts'
import { backoffMs } from '../../../src/unattended/start.ts'
import { RUN_OPTIONS } from '../unattended/run-options.ts'
import type { RecordedDelivery } from '../../../src/webhooks/deliveries.ts'

const HOOK = {
  ...RUN_OPTIONS,
  reply: null,
  id: 'hk_default_1',
  workspace: 'default',
  user: 'ada',
  template: 'Look: {{payload}}',
}

const DELIVERY: RecordedDelivery = {
  id: 'dl_1',
  webhookId: 'msg_1',
  digest: 'd'.repeat(64),
  body: utf8('{"a":1}'),
  threadId: 'th_1',
  runId: 'run_1',
  build: 'b'.repeat(64),
  receivedAt: 1_000_000,
  tries: 0,
}

const NOW = DELIVERY.receivedAt + 1

// A thread that gives one scripted answer and records its requests.
function thread(answer: () => Promise<Result<StartedRun>>) {
  const calls: [Caller, StartInput][] = []
  const failed: [runId: string | null, why: string, stop: StartFailureReason][] = []
  return {
    calls,
    failed,
    async startFailed(_: Caller, input: StartInput, why: string, stop: StartFailureReason) {
      failed.push([input.runId, why, stop])
      return ok(null)
    },
    start(caller: Caller, input: StartInput) {
      calls.push([caller, input])
      return answer()
    },
  }
}

const started = async (): Promise<Result<StartedRun>> =>
  ok({ thread_id: 'th_1', run_id: 'run_1', created: true, events: null })

describe('a delivery', () => {
  it('starts its run as the hook, under the promised IDs', async () => {
    const fake = thread(started)
    expect(await startDelivery(fake, HOOK, DELIVERY, NOW)).toEqual({ state: 'started' })
    const [caller, input] = fake.calls[0] ?? []
    expect(caller).toEqual({ workspace: 'default', keyId: 'hook:hk_default_1', role: 'chat', user: 'ada' })
    expect(input).toMatchObject({
      threadId: 'th_1',
      runId: 'run_1',
      create: true,
      onBusy: 'enqueue',
      onDisconnect: 'continue',
      follow: false,
      requestId: 'dl_1',
      build: DELIVERY.build,
      idempotency: { key: 'delivery:dl_1', digest: DELIVERY.digest },
      metadata: { hook_id: 'hk_default_1', delivery_id: 'dl_1', webhook_id: 'msg_1' },
      message: [{ type: 'text', text: 'Look: <webhook_payload>{"a":1}</webhook_payload>' }],
    })
  })

  it('calls no skill, whatever its payload begins with', async () => {
    const fake = thread(started)
    const body = new TextEncoder().encode('/review this')
    await startDelivery(fake, { ...HOOK, template: '{{payload}}' }, { ...DELIVERY, body }, NOW)
    await startDelivery(fake, { ...HOOK, template: '/review {{payload}}' }, { ...DELIVERY, body }, NOW)
    expect(fake.calls.map(([, input]) => input.calls)).toEqual([[], []])
  })

  it('is started when the thread knows it from an earlier attempt', async () => {
    const known = async (): Promise<Result<StartedRun>> =>
      ok({ thread_id: 'th_1', run_id: 'run_1', created: false, events: null })
    expect(await startDelivery(thread(known), HOOK, DELIVERY, NOW)).toEqual({ state: 'started' })
  })

  it('waits when the thread fails, and keeps the error', async () => {
    const broken = thread(async () => fail('catalog_broken', 'The index cannot be read.'))
    expect(await startDelivery(broken, HOOK, { ...DELIVERY, tries: 2 }, NOW)).toEqual({
      state: 'recorded',
      tries: 3,
      waitMs: 20_000,
      problem: 'catalog_broken: The index cannot be read.',
      affects: null,
    })
    expect(broken.failed).toEqual([])
  })

  it.each([
    ['too_many_runs', 'starter'],
    ['storage_full', 'starter'],
    ['thread_busy', null],
  ] as const)(
    'waits for a slot when the thread answers %s, without using up an attempt',
    async (code, shared) => {
      const full = thread(async () => fail(code, 'No room.', { retryAfterS: 5 }))
      const last = { ...DELIVERY, tries: START_ATTEMPTS_MAX - 1 }
      expect(await startDelivery(full, HOOK, last, NOW)).toEqual({
        state: 'recorded',
        tries: START_ATTEMPTS_MAX - 1,
        waitMs: NO_SLOT_RECHECK_MS,
        problem: `${code}: No room.`,
        affects: shared,
      })
      expect(full.failed).toEqual([])
    },
  )

  it.each([
    ['rejects', () => Promise.reject(new Error('network lost'))],
    [
      'throws at once',
      () => {
        throw new Error('network lost')
      },
    ],
  ])('waits when the call %s', async (_, answer) => {
    const outcome = await startDelivery(thread(answer), HOOK, DELIVERY, NOW)
    expect(outcome).toMatchObject({
      state: 'recorded',
      tries: 1,
      problem: 'The thread could not be reached: network lost',
    })
  })

  it('waits when the thread never answers', async () => {
    const outcome = await startDelivery(
      thread(() => new Promise(() => {})),
      HOOK,
      DELIVERY,
      NOW,
      1,
    )
    expect(outcome).toMatchObject({
      state: 'recorded',
      problem: 'overloaded: The thread did not respond within 0.001 s.',
    })
  })

  it('waits an hour for a Worker without its skills, without using up an attempt: longer than the first pause', async () => {
    expect(NOT_READY_RECHECK_MS).toBeGreaterThan(START_FIRST_PAUSE_MS)
    const late = thread(async () => fail('not_ready', 'Still to come.', { retryAfterS: 2 }))
    const justBefore = DELIVERY.receivedAt + NOT_READY_TIMEOUT_MS - 1
    for (const tries of [0, START_ATTEMPTS_MAX - 1])
      expect(await startDelivery(late, HOOK, { ...DELIVERY, tries }, justBefore)).toEqual({
        state: 'recorded',
        tries,
        waitMs: NOT_READY_RECHECK_MS,
        problem: 'not_ready: Still to come.',
        affects: 'build',
      })
    expect(late.failed).toEqual([])
  })

  it.each([NOT_READY_TIMEOUT_MS, -NOT_READY_TIMEOUT_MS])(
    'that waited that long for skills (%d ms by the clock) uses up its attempts, and ends as a failed run',
    async (age) => {
      const never = thread(async () => fail('not_ready', 'Still to come.'))
      const now = DELIVERY.receivedAt + age
      expect(await startDelivery(never, HOOK, DELIVERY, now)).toMatchObject({
        tries: 1,
        waitMs: backoffMs(1),
      })
      const last = { ...DELIVERY, tries: START_ATTEMPTS_MAX - 1 }
      expect(await startDelivery(never, HOOK, last, now)).toMatchObject({ state: 'dead' })
      expect(never.failed).toEqual([['run_1', 'not_ready: Still to come.', 'internal']])
    },
  )

  it('to a thread with a frozen prefix is set aside at once, with a failed run that says what to do', async () => {
    const frozen = thread(async () => fail('prefix_frozen', 'This thread keeps its model.'))
    const outcome = await startDelivery(frozen, HOOK, DELIVERY, NOW)
    expect(outcome).toMatchObject({ state: 'dead', tries: 1 })
    expect(frozen.failed).toEqual([
      [
        'run_1',
        expect.stringMatching(/^prefix_frozen: This thread keeps its model\. Delete that thread, /),
        'internal',
      ],
    ])
  })

  it('whose budget covers no answer is set aside at once, with a run that failed by its budget', async () => {
    const errors = [{ path: 'budget', message: 'does not cover a first response' }]
    const poor = thread(async () => fail('invalid_request', 'Too long.', { errors }))
    expect(await startDelivery(poor, HOOK, DELIVERY, NOW)).toMatchObject({ state: 'dead', tries: 1 })
    expect(poor.failed).toEqual([['run_1', 'invalid_request: Too long.', 'budget']])
  })

  it('whose thread was deleted with its run is set aside at once, and restores nothing', async () => {
    const gone = thread(async () => fail('gone', 'The thread was deleted.'))
    const outcome = await startDelivery(gone, HOOK, DELIVERY, NOW)
    expect(outcome).toEqual({ state: 'dead', tries: 1, problem: 'gone: The thread was deleted.' })
    expect(gone.failed).toEqual([])
  })

  it('is set aside after the last attempt, with the error of the last failure', async () => {
    const broken = thread(async () => fail('internal', `Broken.\ud800${'x'.repeat(2_000)}`))
    const outcome = await startDelivery(broken, HOOK, { ...DELIVERY, tries: START_ATTEMPTS_MAX - 1 }, NOW)
    expect(outcome).toMatchObject({ state: 'dead', tries: START_ATTEMPTS_MAX })
    if (outcome.state !== 'dead') return
    expect(outcome.problem.startsWith('internal: Broken.\uFFFDx')).toBe(true)
    expect(outcome.problem.length).toBe(START_PROBLEM_MAX_CHARS)
    expect(broken.failed).toEqual([['run_1', outcome.problem, 'internal']])
  })

  it.each([
    ['is not UTF-8', HOOK.template, Uint8Array.of(0xff), /^The body is not UTF-8/],
    ['is not JSON where a value is needed', '{{a.b}}', utf8('plain'), /the body is not JSON, .*\{\{a\.b\}\}/],
    ['leaves the message empty', '{{a.b}}', utf8('{}'), /message is empty/],
  ])('is set aside at once, with a failed run, when its body %s', async (_, template, body, problem) => {
    const fake = thread(started)
    const outcome = await startDelivery(fake, { ...HOOK, template }, { ...DELIVERY, body }, NOW)
    expect(outcome).toMatchObject({ state: 'dead', tries: 1, problem: expect.stringMatching(problem) })
    expect(fake.calls).toEqual([])
    expect(fake.failed).toEqual([['run_1', expect.stringMatching(problem), 'internal']])
  })
})

it('a retry waits 5 s after the first failure, doubles, and never waits longer than 10 minutes', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 12, 5_000].map(backoffMs)).toEqual(
    [5, 10, 20, 40, 80, 160, 320, 600, 600, 600].map((seconds) => seconds * 1000),
  )
})
