// One attempt to send an event: signs it as Standard Webhooks, sends it through the guard, and judges the response.
// Accesses no storage.

import { Webhook } from 'standardwebhooks'
import { cutText } from '../lib/text.ts'
import type { GuardedFetch } from '../net/fetch.ts'
import {
  CALLBACK_JITTER,
  CALLBACK_PAUSES_MS,
  CALLBACK_PROBLEM_MAX_CHARS,
  CALLBACK_RESPONSE_MAX_BYTES,
  CALLBACK_TIMEOUT_MS,
} from './limits.ts'

export interface SendResult {
  readonly sent: boolean
  /** Null if there was no response. */
  readonly status: number | null
  /** Null if the event was sent. */
  readonly problem: string | null
}

/** Sends the event once. Any response except 2xx counts as a failure, including redirects. Never throws. */
export async function attempt(
  fetch: GuardedFetch,
  { id, url, body }: { readonly id: string; readonly url: string; readonly body: string },
  secrets: readonly string[],
  now: number,
): Promise<SendResult> {
  const time = new Date(now)
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, time, body)).join(' '),
  }
  const answer = await fetch(
    { method: 'POST', url, headers, body },
    {
      signal: new AbortController().signal,
      timeoutMs: CALLBACK_TIMEOUT_MS,
      maxBytes: CALLBACK_RESPONSE_MAX_BYTES,
      maxRedirects: 0,
    },
  )
  if (!answer.ok) return failed(null, answer.error.detail)
  const { status } = answer.value
  if (status >= 200 && status < 300) return { sent: true, status, problem: null }
  return failed(status, `The receiver answered ${status}.`)
}

function failed(status: number | null, problem: string): SendResult {
  return { sent: false, status, problem: cutText(problem, CALLBACK_PROBLEM_MAX_CHARS) }
}

/** The pause after the attempt with this number, counted from 1; null if it was the last one. `random` is in [0, 1). */
export function callbackPause(attempts: number, random: number): number | null {
  const pause = CALLBACK_PAUSES_MS[attempts - 1]
  return pause === undefined ? null : Math.round(pause * (1 + CALLBACK_JITTER * random))
}
