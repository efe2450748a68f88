// Replies where a run's question came from, with an HTTP tool of the workspace. Each call is made at most once: it is on
// disk before it is made, and a call that was interrupted is not repeated.

import { textOf } from '../../agent/message.ts'
import { decodeText } from '../../lib/charset.ts'
import { logText, redact } from '../../lib/redact.ts'
import { err, fail, ok, type Result } from '../../lib/result.ts'
import { cutText } from '../../lib/text.ts'
import {
  REPLY_ANSWER_MAX_CHARS,
  REPLY_PROBLEM_MAX_CHARS,
  REPLY_RESPONSE_MAX_CHARS,
} from '../../replies/limits.ts'
import type { ReplyPlan, ReplyState } from '../../replies/plan.ts'
import { fillReply, valuesBelow, type ReplyCall, type ReplyValues } from '../../replies/template.ts'
import { liveTool } from '../../tools/http/live.ts'
import type { HttpToolDefinition } from '../../tools/http/shape.ts'
import { callHttpTool } from '../../tools/http/tool.ts'
import { RunSecrets } from '../executor/run-secrets.ts'
import type { Parts } from '../parts.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import {
  markReplyReported,
  openReplies,
  readReply,
  renewReply,
  setReply,
  setStart,
  unreportedReply,
  type ReplyRow,
} from '../rows/replies.ts'
import type { Run } from '../rows/run.ts'

type Thread = Parts<
  'ctx' | 'row' | 'runs' | 'transcript' | 'closing',
  | 'now'
  | 'workspace'
  | 'sealer'
  | 'liveCatalog'
  | 'index'
  | 'wholeTools'
  | 'toolNet'
  | 'secretsInUrl'
  | 'hook'
>

interface Outcome {
  readonly state: ReplyState
  readonly detail: string | null
  /** The response as JSON, or null. */
  readonly response: unknown
}

/** One pass at a time for each thread, so that a call that is `sending` when a pass begins was interrupted. */
const passes = new WeakMap<DurableObjectState, Promise<void>>()

/** Makes the calls that are due. Never rejects. */
export function sendReplies(thread: Thread): Promise<void> {
  const { ctx } = thread
  const pass = (passes.get(ctx) ?? Promise.resolve())
    .then(() => {
      settleInterrupted(thread)
      return sendDue(thread)
    })
    .then(() => reportToHook(thread))
    .catch((error: unknown) => {
      console.warn(JSON.stringify({ at: 'thread.reply', error: logText(error) }))
    })
  passes.set(ctx, pass)
  return pass
}

function settleInterrupted({ ctx, ports }: Thread): void {
  const { sql } = ctx.storage
  for (const { run_id, plan, start, state } of openReplies(sql)) {
    if (start === 'sending')
      setStart(sql, run_id, 'unknown', {}, startProblem(plan, INTERRUPTED), ports.now())
    if (state === 'sending') setReply(sql, run_id, 'unknown', INTERRUPTED, ports.now())
  }
}

const INTERRUPTED =
  'The call was interrupted, so its outcome is unknown. Look at its target before you repeat it.'

async function sendDue(thread: Thread): Promise<void> {
  const { ctx, runs } = thread
  const { sql } = ctx.storage
  const isDue = ({ run_id, plan, start }: ReplyRow): boolean => {
    const run = runs.get(run_id)
    if (!run) return false
    const startsNow = plan.template.start !== null && start === null && run.startedAt !== null
    return startsNow || run.endedAt !== null
  }
  // Read again after each call, because a run may have ended meanwhile.
  for (let due = openReplies(sql).find(isDue); due; due = openReplies(sql).find(isDue)) {
    const run = runs.get(due.run_id)
    if (thread.closing || !run) return
    if (due.plan.template.start !== null && due.start === null) await startReply(thread, run, due)
    else await finishReply(thread, run, due)
  }
}

/** Lets the hook show what became of the replies. A failure is repeated at the next alarm. */
async function reportToHook(thread: Thread): Promise<void> {
  const { ctx, ports, row } = thread
  const { sql } = ctx.storage
  for (let reply = unreportedReply(sql); reply && !thread.closing; reply = unreportedReply(sql)) {
    const { state, detail, at, plan } = reply
    if (state !== 'waiting' && state !== 'sending') {
      const { hook, id } = plan.delivery
      const reported = await ports.hook(hook).recordReply(row.data.workspace, id, { state, detail, at })
      if (!reported.ok && reported.error.code !== 'not_found') throw new Error(reported.error.detail)
    }
    if (!thread.closing) markReplyReported(sql, reply)
  }
}

async function startReply(thread: Thread, run: Run, { plan }: ReplyRow): Promise<void> {
  const { ctx, ports } = thread
  const { sql } = ctx.storage
  setStart(sql, run.id, 'sending', {}, null, ports.now())
  await ctx.storage.sync()
  await checkpoint('reply.starting', ctx)
  const { template, mark, values } = plan
  const input = fillReply(template.start?.input ?? {}, { ...values, ...idsOf(thread, run) }, mark)
  const { state, detail, response } = await callTool(thread, run, template.start, input, 'start')
  await checkpoint('reply.started', ctx)
  const why = detail === null ? null : startProblem(plan, detail)
  setStart(sql, run.id, state, valuesBelow('start', [template], response), why, ports.now())
}

function startProblem({ template }: ReplyPlan, why: string): string {
  return `The call at the run's start (${template.start?.tool}) did not succeed. ${why}`
}

async function finishReply(
  thread: Thread,
  run: Run,
  { plan, values, detail: startedBadly }: ReplyRow,
): Promise<void> {
  const { ctx, ports } = thread
  const { sql } = ctx.storage
  setReply(sql, run.id, 'sending', null, ports.now())
  await ctx.storage.sync()
  await checkpoint('reply.sending', ctx)
  const answer = cutText(answerOf(thread, run), REPLY_ANSWER_MAX_CHARS)
  const all = { ...plan.values, ...values, ...idsOf(thread, run), 'run.status': run.status, answer }
  const input = fillReply(plan.template.input, all, plan.mark)
  const { state, detail } = await callTool(thread, run, plan.template, input, 'reply')
  await checkpoint('reply.answered', ctx)
  // A reply may fail because of the first call, whose response it needs.
  const why = detail === null || startedBadly === null ? detail : `${startedBadly} ${detail}`
  setReply(sql, run.id, state, why, ports.now())
}

function idsOf({ row }: Thread, run: Run): ReplyValues {
  return { 'run.id': run.id, 'thread.id': row.data.id }
}

/** The text of the answer, or a sentence about how the run ended without one. */
function answerOf({ transcript }: Thread, run: Run): string {
  const message = transcript.answer(run.id)
  const text = message ? textOf(message).trim() : ''
  return text === '' ? `There is no answer: the run is ${run.status} (${run.stopReason ?? 'unknown'}).` : text
}

async function callTool(
  thread: Thread,
  run: Run,
  call: ReplyCall | null,
  input: Result<unknown, string>,
  which: 'start' | 'reply',
): Promise<Outcome> {
  if (!input.ok) return failed(`The input of ${call?.tool} is not complete: ${input.error}.`)
  const definition = await definitionOf(thread, run, call?.tool ?? '')
  if (!definition.ok) return failed(definition.error)
  const { ports, row } = thread
  const called = await callHttpTool(
    definition.value,
    {
      fetch: ports.toolNet(row.data.workspace),
      secrets: new RunSecrets(thread, run.id),
      secretsInUrl: ports.secretsInUrl,
    },
    input.value,
    { signal: new AbortController().signal, idempotencyKey: `${run.id}:${which}` },
  )
  if (called.kind === 'not_called') return failed(called.why)
  if (called.kind === 'failed') {
    const { sent, code, detail } = called.error
    const isUnknown = sent && code !== 'redirects'
    return { ...failed(called.mask(detail)), state: isUnknown ? 'unknown' : 'failed' }
  }
  const { status, body } = called.response
  const text = called.mask(decodeText(body, [])).slice(0, REPLY_RESPONSE_MAX_CHARS)
  if (status < 200 || status >= 300) return failed(`HTTP ${status}: ${text}`)
  const response = parsed(text)
  const problem = problemIn(response)
  return problem === null ? { state: 'sent', detail: null, response } : failed(problem)
}

function failed(detail: string): Outcome {
  return { state: 'failed', detail: cutText(detail, REPLY_PROBLEM_MAX_CHARS), response: null }
}

/** Slack and GraphQL report failures with status 200: `{"ok": false, "error": …}` and `{"errors": […]}`. */
function problemIn(response: unknown): string | null {
  if (typeof response !== 'object' || response === null) return null
  const { ok: isOk, error, errors } = response as { ok?: unknown; error?: unknown; errors?: unknown }
  if (isOk === false) return `The response says: ${JSON.stringify(error ?? 'ok is false')}`
  return Array.isArray(errors) && errors.length > 0 ? `The response says: ${JSON.stringify(errors[0])}` : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The tool in the current catalog. */
async function definitionOf(
  { ports, row }: Thread,
  run: Run,
  name: string,
): Promise<Result<HttpToolDefinition, string>> {
  const { workspace } = row.data
  try {
    const catalog = await ports.liveCatalog(workspace, run.build)
    const index = catalog.ok ? await ports.index(workspace, catalog.value.index) : catalog
    if (!index.ok) return err(`The tools cannot be read: ${index.error.detail}`)
    const entries = index.value.tools?.filter((tool) => tool.name === name && tool.enabled) ?? []
    const whole = await ports.wholeTools(workspace, entries)
    if (!whole.ok) return err(`The tools cannot be read: ${whole.error.detail}`)
    const tool = whole.value[0] ? await liveTool(whole.value[0]) : null
    return tool ? ok(tool.definition) : err(`There is no enabled HTTP tool ${name}.`)
  } catch (error) {
    return err(`The tools cannot be read: ${redact(String(error))}`)
  }
}

/** Makes the calls of a reply again that failed or whose outcome is unknown. */
export function repeatReply(thread: Thread, runId: string): Result<null> {
  const { sql } = thread.ctx.storage
  const reply = readReply(sql, runId)
  if (!reply) return fail('not_found', 'This run has no reply.')
  if (reply.state !== 'failed' && reply.state !== 'unknown')
    return fail(
      'invalid_request',
      `The reply of this run is ${reply.state}. Only a failed or unknown one can be repeated.`,
    )
  renewReply(sql, runId, thread.ports.now())
  thread.ctx.waitUntil(sendReplies(thread))
  return ok(null)
}
