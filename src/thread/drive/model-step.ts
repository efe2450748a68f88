// One call to the model: reserved before, streamed, written down whole, settled after.

import { guessTokens } from '../../agent/cost.ts'
import { isToolUse, type Block } from '../../agent/message.ts'
import type { ReachedLid } from '../../agent/loop.ts'
import type { ModelFacts, ModelFault, ModelOutcome } from '../../agent/model.ts'
import type { Effect } from '../../agent/tool.ts'
import { redact } from '../../lib/redact.ts'
import { estimateTokens } from '../../lib/text.ts'
import {
  MESSAGE_ROW_MAX_CHARS,
  MODEL_BACKOFF_CAP_MS,
  MODEL_BACKOFF_JITTER,
  MODEL_BACKOFF_MS,
  MODEL_WAIT_IN_MEMORY_MS,
  STEP_RETRIES,
  STEP_TOOL_CALLS,
} from '../../limits.ts'
import { atomically } from '../atomically.ts'
import { reserve, type Reservation } from './budget.ts'
import { charge } from './charge.ts'
import { checkpoint } from '../checkpoint.ts'
import type { Core } from '../core.ts'
import type { DriveRun } from './drive-run.ts'
import { finish } from './finish.ts'
import { LiveStep } from '../events/live-step.ts'
import { loopFound, repeatRemark } from './repeats.ts'
import { asked } from '../rows/journal.ts'
import type { StoredMessageEvent } from '../events/event-rows.ts'
import { diedBefore, type Run } from '../rows/run.ts'
import { spentOf } from './view.ts'

type Message = Extract<ModelOutcome, { kind: 'message' }>
type EffectOf = (name: string) => Effect

/** Tokens of the next request: what the last call measured, and a guess for what came since. */
function inputTokens(core: Core): number {
  const { contextTokens, system, tools } = core.row.data
  const messages = core.transcript.forModel()
  if (contextTokens === 0)
    return estimateTokens(system + JSON.stringify(tools.map(({ spec }) => spec))) + guessTokens(messages)
  const lastSaid = messages.findLastIndex((message) => message.role === 'assistant')
  return contextTokens + guessTokens(messages.slice(lastSaid + 1))
}

/** What the next call would reserve, or what stands in its way. */
function nextCall(core: Core, run: Run, facts: ModelFacts): Reservation | ReachedLid {
  return reserve(spentOf(run, core.out.now()), run.options.budget, facts, inputTokens(core))
}

/** Makes the call that the loop asked for. Resolves when its outcome is written down, or the drive has to stop. */
export async function modelStep(core: Core, drive: DriveRun, run: Run, forbidTools: boolean): Promise<void> {
  const step = run.steps + 1
  const { models } = core.out
  const model = models.resolve(run.model)
  if (!model) {
    finish(core, run.id, 'failed', 'model_error', `${models.whyNot(run.model)} Start a new thread.`)
    return
  }
  const reservation = nextCall(core, run, model.facts)
  if ('stop' in reservation) {
    finish(core, run.id, 'failed', reservation.stop, reservation.detail)
    return
  }
  drive.announce(step, 'model_fault')
  const saying = new LiveStep(run.id, step)
  core.saying = saying
  await checkpoint('step.announced', core.ctx)
  // The block that it was accepted in may have been taken back.
  if (!drive.holds()) return
  const { system, tools } = core.row.data
  // In one turn with the call: on disk, the reservation says that the request was handed over and the run waits.
  core.runs.reserve(run.id, reservation.tokens, reservation.usd)
  const outcome = await model.call(
    {
      model: run.model,
      system,
      tools: tools.map(({ spec }) => spec),
      messages: core.transcript.forModel(),
      maxTokens: reservation.maxTokens,
      effort: run.options.effort ?? undefined,
      forbidTools,
    },
    (delta) => {
      if (drive.holds()) saying.say(delta, (body) => core.log.show(run.id, body))
    },
    drive.signal,
  )
  if (diedBefore(run) && drive.holds()) {
    core.runs.answered(run.id)
    await core.log.sync()
  }
  await checkpoint('model.answered', core.ctx)
  if (outcome.kind === 'fault') return fault(core, drive, run, model.facts, outcome.fault)
  // Of a tool that nobody knows the worst is taken for granted.
  const effectOf: EffectOf = (name) => tools.find((tool) => tool.name === name)?.effect ?? 'once'
  const calls = outcome.stop === 'tool_use' ? outcome.content.filter(isToolUse) : []
  const acts = calls.some((call) => effectOf(call.name) !== 'read')
  if (calls.length > 0 && !acts) await drive.askAhead(run)
  if (!drive.holds()) return
  atomically(core, () => commit(core, run, saying, outcome, forbidTools ? null : effectOf))
  core.saying = null
  drive.spoken()
  // Before anything acts on the answer it must be on disk. Reading acts on nothing, and no request leaves the object
  // before that anyhow: then readers are shown the message once it is there, and the loop goes on meanwhile.
  if (acts || diedBefore(run)) await core.log.sync()
  else core.log.soon()
  await checkpoint('model.committed', core.ctx)
}

/**
 * Writes down a whole answer: message, planned calls, money, event, in one block.
 * `effectOf` null: tools were forbidden, so calls are answered at the end of the run and never made.
 */
function commit(core: Core, run: Run, saying: LiveStep, said: Message, effectOf: EffectOf | null): void {
  const at = core.out.now()
  // A refusal takes back what was shown; an empty message is kept as a row and never sent.
  const content: readonly Block[] = said.stop === 'refusal' ? [] : said.content
  const seq = core.transcript.append({
    id: core.out.newId('msg'),
    runId: run.id,
    role: 'assistant',
    content,
    model: run.model,
    step: saying.step,
    modelStop: said.stop,
    calls: said.stop === 'tool_use' && effectOf !== null,
    at,
  })
  const usage = charge(core, run.id, said.usage, true)
  core.runs.stepDone(run.id)
  const head = { type: 'message.completed', step: saying.step } as const
  const tail = { model_stop: said.stop, usage }
  const message = core.transcript.message(seq)
  if (message)
    core.log.append(run.id, { ...head, message, ...tail }, {
      ...head,
      message_seq: seq,
      ...tail,
      spans: saying.spans(),
    } satisfies StoredMessageEvent)
  if (effectOf) planCalls(core, run, effectOf)
}

/** After the message's own event: what readers are told of its calls comes behind it. */
function planCalls(core: Core, run: Run, effectOf: EffectOf): void {
  const asking = core.transcript.last(run.id)
  if (!asking?.calls) return
  for (const call of asked(run.id, asking)) {
    const effect = effectOf(call.name)
    if (effect !== 'read') core.journal.plan(call, effect)
  }
  for (const [order, call] of core.journal.calls(run.id, asking).entries()) {
    const tooLong = (JSON.stringify(call.input) ?? '').length > MESSAGE_ROW_MAX_CHARS
    const why = tooLong
      ? `its input is longer than ${MESSAGE_ROW_MAX_CHARS} characters. Ask again with less.`
      : `at most ${STEP_TOOL_CALLS} tool calls are made in one step. Ask again.`
    if (!tooLong && order < STEP_TOOL_CALLS) continue
    const content = loopFound(core, run.id, call) ?? `Not run: ${why}${repeatRemark(core, run.id, call)}`
    core.journal.finish(call, { content, isError: true }, core.out.now())
  }
}

/** A message that the API refuses would have every later request of its thread refused, too: it is left out of them. */
function withdrawRefused(core: Core, run: Run, reason: string): boolean {
  if (run.steps > 0 || (reason !== 'invalid_request' && reason !== 'too_large')) return false
  const asked = core.transcript.last(run.id)
  if (asked?.role !== 'user') return false
  if (!core.transcript.withdraw(asked.seq)) return false
  // What changed in the catalog was told in that message: the next one tells it again.
  const told = core.runs.lastTold()
  if (told) core.row.saw(told.version, told.index)
  return true
}

/** A call that gave no answer: tried again as its fault allows, or the end of the run. */
async function fault(
  core: Core,
  drive: DriveRun,
  run: Run,
  facts: ModelFacts,
  problem: ModelFault,
): Promise<void> {
  if (!drive.holds()) return
  const spoke = core.saying?.saidAnything === true
  charge(core, run.id, problem.usage, false)
  if (drive.signal.aborted || problem.reason === 'aborted') return
  const attempts = run.attempts + 1
  const allowed = problem.retry === 'later' ? STEP_RETRIES : problem.retry === 'once' ? 1 : 0
  const wait = problem.retryAfterMs ?? Math.min(MODEL_BACKOFF_MS * 2 ** run.attempts, MODEL_BACKOFF_CAP_MS)
  const waitMs = Math.round(wait * (1 + MODEL_BACKOFF_JITTER * core.out.chance()))
  const endsAt = (run.startedAt ?? 0) + run.options.budget.wall_s * 1000
  const resumeAt = core.out.now() + waitMs
  if (attempts > allowed || resumeAt >= endsAt) {
    const stop = problem.reason === 'too_large' ? 'context_overflow' : 'model_error'
    // A message that was being answered was taken, and stands before what was said.
    const left = !spoke && withdrawRefused(core, run, problem.reason)
    const mend = left
      ? ' The message is left out of this thread from now on: change it and send it again.'
      : ''
    finish(core, run.id, 'failed', stop, problem.detail + mend)
    return
  }
  // The call that failed may have cost so much that there is no other: then it is the reason, and not the budget.
  const next = nextCall(core, core.runs.get(run.id) ?? run, facts)
  if ('stop' in next) {
    finish(core, run.id, 'failed', 'model_error', `${problem.detail} ${next.detail}`)
    return
  }
  core.runs.attemptFailed(run.id, resumeAt)
  const { reason, detail } = problem
  core.log.append(run.id, {
    type: 'model.retry',
    attempt: attempts,
    wait_ms: waitMs,
    reason,
    detail: redact(detail),
  })
  await drive.waitUntil(resumeAt, waitMs <= MODEL_WAIT_IN_MEMORY_MS)
}
