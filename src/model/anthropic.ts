// Implements the Model port with the Messages API: one streamed call. Never retries, throws or edits the response.

import { MODEL_DRAIN_TIMEOUT_MS, MODEL_SILENCE_MAX_MS } from './limits.ts'
import { NO_TOKENS, promptTokens, type Tokens } from '../agent/message.ts'
import type { Model, ModelDelta, ModelFault, ModelOutcome, ModelRequest } from '../agent/model.ts'
import { MessageBuilder } from './accumulate.ts'
import { messagesClient, type CreateMessage } from './client.ts'
import { eventBatches, StreamTooLarge } from './sse.ts'
import type { ModelClientOptions } from './client.ts'
import { fault, faultOfBody, faultOfError, faultOfReader, faultOfSize } from './failure.ts'
import { requestBody } from './request.ts'
import { watchSilence, type SilenceWatch } from './watch.ts'

export interface AnthropicOptions extends ModelClientOptions {
  /** Milliseconds of silence after which a call is aborted. */
  readonly silenceMaxMs?: number | undefined
}

type OnDelta = (delta: ModelDelta) => Promise<void> | void
type OnPrompt = (tokens: Tokens) => void

/** One call in progress. */
interface Call {
  /** True once the outcome is final; from then on, nothing more may be shown. */
  isOver: boolean
  /** The response so far; null until it begins. */
  builder: MessageBuilder | null
  readonly controller: AbortController
  readonly idle: SilenceWatch
}

const STOPPED = 'The model call was stopped.'
const ABORTED: ModelOutcome = faultOutcome(fault('never', 'aborted', STOPPED))

function faultOutcome(reason: ModelFault): ModelOutcome {
  return { kind: 'fault', fault: reason }
}

/** A Model that calls the Messages API at `baseUrl` with `apiKey`. */
export function anthropicModel(options: AnthropicOptions): Model {
  const { apiKey, silenceMaxMs = MODEL_SILENCE_MAX_MS } = options
  const secrets = [apiKey]
  let createMessage: CreateMessage | undefined
  return { call }

  async function call(
    request: ModelRequest,
    onDelta: OnDelta,
    signal: AbortSignal,
    onPrompt?: OnPrompt,
  ): Promise<ModelOutcome> {
    if (signal.aborted) return faultOutcome(fault('never', 'aborted', STOPPED, { usage: NO_TOKENS }))
    const { promise: stopped, resolve } = Promise.withResolvers<ModelOutcome>()
    const stop = (reason: ModelOutcome): void => {
      current.isOver = true
      resolve(reason)
      current.controller.abort()
    }
    const idle = watchSilence(silenceMaxMs, () => {
      stop(
        faultOutcome(
          fault('later', 'stalled', `The Messages API was silent for ${silenceMaxMs / 1000} seconds.`),
        ),
      )
    })
    const current: Call = { isOver: false, builder: null, controller: new AbortController(), idle }
    const onAbort = (): void => stop(ABORTED)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      // Races with `stopped`, because reading a body does not always end when its request is aborted.
      return withUsage(
        await Promise.race([stopped, read(request, current, onDelta, onPrompt)]),
        current.builder,
      )
    } finally {
      current.isOver = true
      idle.stop()
      signal.removeEventListener('abort', onAbort)
    }
  }

  async function read(
    request: ModelRequest,
    current: Call,
    onDelta: OnDelta,
    onPrompt?: OnPrompt,
  ): Promise<ModelOutcome> {
    const { controller, idle } = current
    let response: Response
    try {
      createMessage ??= messagesClient(options)
      response = await createMessage(requestBody(request), controller.signal)
    } catch (error) {
      return faultOutcome(faultOfError(error, secrets))
    }
    idle.reportActivity()
    const type = response.headers.get('content-type') ?? 'no content type'
    if (response.body === null || !type.includes('text/event-stream')) {
      controller.abort()
      const detail = `The Messages API responded with ${type.slice(0, 80)} instead of an event stream.`
      return faultOutcome(fault('once', 'bad_response', `${detail} Check ANTHROPIC_BASE_URL.`))
    }
    const builder = new MessageBuilder(response.headers.get('request-id') ?? '', secrets)
    current.builder = builder
    const batches = eventBatches(response.body)
    for (;;) {
      let nextBatch
      try {
        nextBatch = await batches.next()
      } catch (error) {
        controller.abort()
        return faultOutcome(
          error instanceof StreamTooLarge ? faultOfSize(error) : faultOfBody(error, secrets),
        )
      }
      if (current.isOver) return ABORTED
      if (nextBatch.done) return faultOutcome(faultOfBody('it ended without message_stop', secrets))
      idle.reportActivity()
      for (const { event, data } of nextBatch.value) {
        const result = builder.process(event ?? null, data)
        if (event === 'message_start' && result === null) reportPrompt(builder, onPrompt)
        if (result === null) continue
        if ('kind' in result) {
          if (result.kind === 'message') void drain(batches, controller)
          else controller.abort()
          return result
        }
        try {
          const pendingDelta = onDelta(result)
          if (pendingDelta !== undefined) {
            idle.suspend()
            await pendingDelta
            idle.reportActivity()
          }
        } catch (error) {
          controller.abort()
          return faultOutcome(faultOfReader(error, secrets))
        }
        if (current.isOver) return ABORTED
      }
    }
  }
}

/** Reports the prompt tokens if they are known. Some gateways report them only at the end. */
function reportPrompt(builder: MessageBuilder, onPrompt?: OnPrompt): void {
  const usage = builder.usage()
  if (usage && promptTokens(usage) > 0) onPrompt?.({ ...usage, output_tokens: 0 })
}

/** Adds the reported usage to a fault: once the API has begun to respond, it counts however the call ended. */
function withUsage(outcome: ModelOutcome, builder: MessageBuilder | null): ModelOutcome {
  if (outcome.kind === 'message' || builder === null) return outcome
  return faultOutcome({ ...outcome.fault, usage: builder.usage() })
}

/** Reads the body to its end after the last event, so that the connection can be reused. */
async function drain(
  events: AsyncGenerator<unknown, void, unknown>,
  controller: AbortController,
): Promise<void> {
  const timer = setTimeout(() => controller.abort(), MODEL_DRAIN_TIMEOUT_MS)
  try {
    while (!(await events.next()).done);
  } catch {
    // The message is already complete, so the error does not matter. The connection is closed instead of
    // reused.
    controller.abort()
  } finally {
    clearTimeout(timer)
  }
}
