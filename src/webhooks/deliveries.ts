// Turns one recorded delivery into the run that it promised: builds its message, and asks its thread to start the run.
// Pure: accesses no storage and no clock.

import { fromUtf8 } from '../lib/bytes.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { replyMark } from '../replies/marker.ts'
import type { ReplyPlan } from '../replies/plan.ts'
import { valuesBelow } from '../replies/template.ts'
import type { ThreadApi } from '../thread/api.ts'
import { START_TIMEOUT_MS } from '../unattended/limits.ts'
import { callerOf, inputOf, type RunOptions } from '../unattended/options.ts'
import {
  failPromisedRun,
  shortenProblem,
  startPromisedRun,
  type Attempt,
  type StartFailedApi,
  type StartOutcome,
} from '../unattended/start.ts'
import type { HookConfig } from './api.ts'
import { parsePayload } from './schemes/payload.ts'
import { render } from './template.ts'

/** A delivery whose run has not started yet. */
export interface RecordedDelivery {
  readonly id: string
  /** The sender's ID of the delivery, or null if it sent none. */
  readonly webhookId: string | null
  readonly digest: string
  readonly body: Uint8Array
  readonly threadId: string
  readonly runId: string
  readonly build: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  /** Number of earlier attempts. */
  readonly tries: number
}

/** Advice for a frozen prefix: a hook's deliveries cannot name a thread. */
const FROZEN_PREFIX_ADVICE =
  'Delete that thread, and the next delivery will create a new one, or create another hook.'

/** What the start of a delivery needs to know about its hook. */
type DeliverySource = RunOptions &
  Pick<HookConfig, 'id' | 'workspace' | 'template'> &
  Partial<Pick<HookConfig, 'on_busy' | 'reply'>>

/** Starts the delivery's run; see startPromisedRun. */
export async function startDelivery(
  thread: Pick<ThreadApi, 'start'> & StartFailedApi,
  hook: DeliverySource,
  delivery: RecordedDelivery,
  now: number,
  timeoutMs = START_TIMEOUT_MS,
): Promise<StartOutcome> {
  const message = messageOf(hook.template, delivery.body)
  if (!message.ok) return endDelivery(thread, hook, delivery, message.error, timeoutMs)
  return startPromisedRun(thread, await attemptOf(hook, delivery, message.value), now, timeoutMs)
}

/** Ends a delivery whose run will never begin; see failPromisedRun. */
export async function endDelivery(
  thread: StartFailedApi,
  hook: DeliverySource,
  delivery: RecordedDelivery,
  reason: string,
  timeoutMs = START_TIMEOUT_MS,
): Promise<StartOutcome> {
  const message = messageOf(hook.template, delivery.body)
  const text = message.ok ? message.value : shortenProblem(reason)
  return failPromisedRun(thread, await attemptOf(hook, delivery, text), reason, timeoutMs)
}

/** The message that the template yields for a body, or why it yields none. */
export function messageOf(template: string, body: Uint8Array): Result<string, string> {
  const text = fromUtf8(body)
  if (text === null) return err('The body is not UTF-8. Send it as UTF-8 text.')
  const message = render(template, text)
  if (message.ok) return ok(message.value)
  return err(
    `The body does not fit the template: ${message.error}. Fix the sender, or create a hook with a different template.`,
  )
}

/** What the delivery's run needs to reply; null if the hook does not. */
async function replyPlan(
  { id: hook, reply }: DeliverySource,
  { id, body }: RecordedDelivery,
): Promise<ReplyPlan | null> {
  if (!reply) return null
  const payload = parsePayload(fromUtf8(body) ?? '')
  const calls = reply.start ? [reply, reply.start] : [reply]
  const values = valuesBelow('payload', calls, payload.ok ? payload.value : null)
  return { template: reply, values, mark: await replyMark(hook), delivery: { hook, id } }
}

/** A hook as the starter of runs. */
export function hookStarter(hookId: string): string {
  return `hook:${hookId}`
}

async function attemptOf(
  hook: DeliverySource,
  delivery: RecordedDelivery,
  message: string,
): Promise<Attempt> {
  const { id, webhookId, digest, threadId, runId, build } = delivery
  const reply = await replyPlan(hook, delivery)
  const input = inputOf(hook, {
    threadId,
    runId,
    build,
    message: [{ type: 'text', text: message }],
    fenced: true,
    metadata: {
      hook_id: hook.id,
      delivery_id: id,
      ...(webhookId !== null && { webhook_id: webhookId }),
    },
    // A delivery that a newer one may replace waits here instead of in the thread's queue.
    onBusy: hook.on_busy === 'latest' ? 'reject' : 'enqueue',
    idempotency: { key: `delivery:${id}`, digest },
    requestId: id,
  })
  return {
    caller: callerOf({ id: hookStarter(hook.id), workspace: hook.workspace }, hook),
    input: reply ? { ...input, reply } : input,
    tries: delivery.tries,
    promisedAt: delivery.receivedAt,
    advice: FROZEN_PREFIX_ADVICE,
  }
}
