// Threads over the API: find, read, rename, fork and delete; and ratings of their runs.

import { ok, type Result } from '../lib/result.ts'
import type { Rating, Receipt } from '../agent/events.ts'
import type { Message } from '../agent/message.ts'
import type { FoundThread, Page, ThreadInfo } from '../thread/api.ts'
import type { Client } from './client.ts'
import { pageOf, type PageAsk } from './pages.ts'
import type { ClientFailure } from './types.ts'

type Answered<T> = Promise<Result<T, ClientFailure>>

function pathOf(threadId: string): string {
  return `/v1/threads/${encodeURIComponent(threadId)}`
}

function runOf(threadId: string, runId: string): string {
  return `${pathOf(threadId)}/runs/${encodeURIComponent(runId)}`
}

async function bodyOf<T>(
  client: Client,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answered<T> {
  const answer = await client.json<T>(method, path, body, headers)
  return answer.ok ? ok(answer.value.body) : answer
}

/** Newest first. */
export function threads(client: Client, page: PageAsk = {}): Answered<Page<ThreadInfo>> {
  return pageOf(client, '/v1/threads', {}, page)
}

/** Threads whose title or messages have all search terms, the last one as a prefix; newest first. */
export function searchThreads(
  client: Client,
  query: string,
  page: PageAsk = {},
): Answered<Page<FoundThread>> {
  return pageOf(client, '/v1/threads', { q: query }, page)
}

export function thread(client: Client, threadId: string): Answered<ThreadInfo> {
  return bodyOf(client, 'GET', pathOf(threadId))
}

export function renameThread(client: Client, threadId: string, title: string): Answered<ThreadInfo> {
  return bodyOf(client, 'PATCH', pathOf(threadId), { title })
}

/** Permanent once this succeeds. */
export function deleteThread(client: Client, threadId: string): Answered<null> {
  return bodyOf(client, 'DELETE', pathOf(threadId))
}

/** The transcript, oldest first. */
export function messages(client: Client, threadId: string, page: PageAsk = {}): Answered<Page<Message>> {
  return pageOf(client, `${pathOf(threadId)}/messages`, {}, page)
}

/** Of its runs, newest first. */
export function receipts(client: Client, threadId: string, page: PageAsk = {}): Answered<Page<Receipt>> {
  return pageOf(client, `${pathOf(threadId)}/runs`, {}, page)
}

export function receipt(client: Client, threadId: string, runId: string): Answered<Receipt> {
  return bodyOf(client, 'GET', runOf(threadId, runId))
}

/** Stops a run. Does nothing to a finished one. */
export function cancel(client: Client, threadId: string, runId: string): Answered<Receipt> {
  return bodyOf(client, 'POST', `${runOf(threadId, runId)}/cancel`)
}

/**
 * A new thread with everything before a user's message, including files; returns its id. The same key returns the same thread.
 */
export async function fork(
  client: Client,
  threadId: string,
  messageId: string,
  idempotencyKey: string,
): Answered<string> {
  const made = await bodyOf<{ readonly thread_id: string }>(
    client,
    'POST',
    `${pathOf(threadId)}/fork`,
    { message_id: messageId },
    { 'Idempotency-Key': idempotencyKey },
  )
  return made.ok ? ok(made.value.thread_id) : made
}

/** `note`: the person's reason, if any. */
export function rate(
  client: Client,
  threadId: string,
  runId: string,
  value: Rating['value'],
  note?: string,
): Answered<Receipt> {
  const rating = note === undefined ? { value } : { value, note }
  return bodyOf(client, 'POST', `${runOf(threadId, runId)}/rating`, rating)
}

export function unrate(client: Client, threadId: string, runId: string): Answered<Receipt> {
  return bodyOf(client, 'DELETE', `${runOf(threadId, runId)}/rating`)
}
