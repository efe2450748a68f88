// POST /v1/chat: starts a run and returns its events as a stream, waits for its end, or returns its URL.

import { firstText, type Block } from '../../agent/message.ts'
import { objects } from '../../env/env.ts'
import { sha256Hex } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { derivedId, newId } from '../../lib/ids.ts'
import type { Caller } from '../../lib/caller.ts'
import { logText } from '../../lib/redact.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { CALLED_SKILLS_MAX } from '../../limits/skills.ts'
import { JSON_WAIT_MAX_MS } from './limits.ts'
import { slashCommands, type SkillCall } from '../../skills/view/slash.ts'
import type { ChatReply, StartInput, StartedRun, WaitingReply } from '../../thread/api.ts'
import { queueAdmission } from '../admission/admission-queue.ts'
import { currentBuild } from '../../skills/current-build.ts'
import { prefersJson } from '../streams/accept.ts'
import { callbackFor } from '../callbacks/callback-for.ts'
import { budgetWithin } from '../fields/budget.ts'
import { ChatRequest } from '../fields/chat-request.ts'
import { checkModel } from '../fields/run-options.ts'
import { idempotencyKey } from '../fields/idempotency-key.ts'
import { readJson, type JsonBody } from '../bodies/json-body.ts'
import { refuseOverRate } from '../admission/rate.ts'
import { json, refuse, type HttpContext, type KeyedRoute } from '../route/route.ts'
import { eventStream } from '../streams/stream.ts'

type Mode = 'stream' | 'wait' | 'async'

function responseMode(c: HttpContext, request: ChatRequest): Mode {
  if (/(^|,)\s*respond-async\s*(,|;|$)/i.test(c.req.header('Prefer') ?? '')) return 'async'
  if (request.stream !== undefined) return request.stream ? 'stream' : 'wait'
  return prefersJson(c.req.header('Accept')) ? 'wait' : 'stream'
}

/** The skills called by slash commands at the start of the message and by `skills.load`, without duplicates. */
function skillCallsOf(text: string, requestedSkills: readonly string[]): Result<readonly SkillCall[]> {
  const { names } = slashCommands(text)
  const calls: SkillCall[] = names.map((name) => ({ name, via: 'slash', path: 'message' }))
  for (const [index, name] of requestedSkills.entries())
    if (!calls.some((call) => call.name === name))
      calls.push({ name, via: 'request', path: `skills.load[${index}]` })
  const excess = calls[CALLED_SKILLS_MAX]
  if (!excess) return ok(calls)
  const detail = `A message may call at most ${CALLED_SKILLS_MAX} skills. Call the others in the next message.`
  return fail('invalid_request', detail, {
    errors: [{ path: excess.path, message: `calls more than ${CALLED_SKILLS_MAX} skills` }],
  })
}

/** Fields that belong to a run, which a message that joins another run cannot change. */
const NOT_WITH_STEER = ['secrets', 'model', 'tools', 'rebase', 'budget', 'skills', 'callback'] as const

function checkSteer(data: ChatRequest, calls: readonly SkillCall[]): Result<null> {
  if (data.on_busy !== 'steer') return ok(null)
  const paths: readonly string[] = [
    ...NOT_WITH_STEER.filter((name) => data[name] !== undefined && data[name] !== false),
    ...calls.flatMap(({ via }) => (via === 'slash' ? ['message'] : [])).slice(0, 1),
  ]
  if (paths.length === 0) return ok(null)
  const detail = `A message with on_busy: "steer" joins a run that has begun, so it cannot bring ${NOT_WITH_STEER.join(', ')} or call skills. Leave these out, or send on_busy: "enqueue".`
  return fail('invalid_request', detail, {
    errors: paths.map((path) => ({ path, message: 'cannot be used with on_busy: "steer"' })),
  })
}

async function startInput(
  c: HttpContext,
  caller: Caller,
  { data, digest }: JsonBody<ChatRequest>,
  key: string | null,
  mode: Mode,
): Promise<Result<StartInput>> {
  const message: readonly Block[] =
    typeof data.message === 'string' ? [{ type: 'text', text: data.message }] : data.message
  const create = data.thread_id === undefined
  const model = data.model ?? null
  const modelCheck = checkModel(c.env, model)
  if (!modelCheck.ok) return modelCheck
  const budget = budgetWithin(data.budget, caller.maxBudget)
  if (!budget.ok) return budget
  const calls = skillCallsOf(firstText(message), data.skills?.load ?? [])
  if (!calls.ok) return calls
  const steerCheck = checkSteer(data, calls.value)
  if (!steerCheck.ok) return steerCheck
  const callback = await callbackFor(c.env, caller.workspace, data.callback)
  if (!callback.ok) return callback
  // Without a thread id, the id is derived from the idempotency key, so that a retry reaches the same object.
  const newThreadId = async (): Promise<string> =>
    key === null ? newId('th') : derivedId('th', [caller.workspace, caller.keyId, key])
  return ok({
    threadId: data.thread_id ?? (await newThreadId()),
    create,
    message,
    fenced: false,
    metadata: data.metadata ?? {},
    context: data.context ?? {},
    secrets: data.secrets ?? {},
    ...(callback.value ? { callback: callback.value } : {}),
    allowSkills: data.skills?.allow ?? null,
    tools: data.tools ?? null,
    ...(data.plan === undefined ? {} : { plan: data.plan }),
    calls: calls.value,
    model,
    rebase: data.rebase ?? false,
    effort: data.effort ?? null,
    onBusy: data.on_busy ?? 'reject',
    onDisconnect: data.on_disconnect ?? 'continue',
    budget: budget.value,
    // Keys of new threads have a separate scope, so that the creator of a thread may use the same key inside it. They are stored as
    // digests, because they remain for a day after the thread.
    idempotency:
      key === null
        ? null
        : { key: `${create ? 'new' : 'in'} ${await sha256Hex(key)}`, digest: await digestOf(data, digest) },
    runId: null,
    build: currentBuild(),
    requestId: c.var.requestId,
    follow: mode === 'stream',
  })
}

/** The digest that identifies a repeated request. It excludes the values of secrets, because short ones could be guessed from it. */
async function digestOf({ secrets, ...fields }: ChatRequest, bodyDigest: string): Promise<string> {
  if (secrets === undefined) return bodyDigest
  return sha256Hex(canonicalJson({ ...fields, secrets: Object.keys(secrets).toSorted() }))
}

/** Starts the run. A request that may have to create a thread waits in the admission queue. */
async function start(c: HttpContext, caller: Caller, input: StartInput): Promise<Result<StartedRun>> {
  const send = (): Promise<Result<StartedRun>> =>
    objects(c.env).thread(caller.workspace, input.threadId).start(caller, input)
  return input.create ? queueAdmission(caller, send) : send()
}

/** The rate limit for messages, and for creating and forking threads, which cost as much. */
export function limitMessages(c: HttpContext, caller: Caller): Result<null> {
  const key = `${caller.workspace}/${caller.keyId}`
  return (
    refuseOverRate(
      c,
      c.env.CHAT_RATE,
      key,
      'Too many messages were sent with this key. Wait, then try again.',
    ) ?? ok(null)
  )
}

async function chat(c: HttpContext, caller: Caller): Promise<Response> {
  const rateCheck = limitMessages(c, caller)
  if (!rateCheck.ok) return refuse(c, rateCheck.error)
  const key = idempotencyKey(c)
  if (!key.ok) return refuse(c, key.error)
  const body = await readJson(c.req.raw, ChatRequest)
  if (!body.ok) return refuse(c, body.error)
  const mode = responseMode(c, body.value.data)
  const input = await startInput(c, caller, body.value, key.value, mode)
  if (!input.ok) return refuse(c, input.error)
  const started = await start(c, caller, input.value)
  if (!started.ok) return refuse(c, started.error)
  const { thread_id, run_id, events } = started.value
  const headers = { 'X-Thread-Id': thread_id, 'X-Run-Id': run_id }
  if (events) return eventStream(events, headers)
  const url = `/v1/threads/${thread_id}/runs/${run_id}`
  if (mode === 'wait') {
    const reply = await replyOf(c, caller, thread_id, run_id)
    if (!reply.ok) return refuse(c, reply.error)
    if (reply.value?.status === 'waiting')
      return json({ thread_id, run_id, url, ...reply.value }, 202, { ...headers, Location: url })
    if (reply.value) return json(reply.value, 200, headers)
  }
  const preferenceHeader: Record<string, string> =
    mode === 'async' ? { 'Preference-Applied': 'respond-async' } : {}
  return json({ thread_id, run_id, url }, 202, { ...headers, ...preferenceHeader, Location: url })
}

/**
 * Waits for the run and returns its reply, or null if it continues. Also null if the object failed, because the response to an accepted
 * message must not be an error.
 */
async function replyOf(
  c: HttpContext,
  caller: Caller,
  threadId: string,
  runId: string,
): Promise<Result<ChatReply | WaitingReply | null>> {
  try {
    return await objects(c.env).thread(caller.workspace, threadId).reply(caller, runId, JSON_WAIT_MAX_MS)
  } catch (error) {
    console.warn(JSON.stringify({ at: 'http.reply', request_id: c.var.requestId, error: logText(error) }))
    return ok(null)
  }
}

export const chatRoutes: readonly KeyedRoute[] = [
  { method: 'POST', path: '/v1/chat', role: 'chat', handle: chat },
]
