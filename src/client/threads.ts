// Finds, reads, renames, forks and deletes threads through the API, and rates their runs.

import { ok, type Result } from '../lib/result.ts'
import type { Rating, Receipt } from '../agent/events.ts'
import type { Message } from '../agent/message.ts'
import type { FoundThread, Page, ThreadInfo } from '../thread/api.ts'
import type { Client } from './client.ts'
import { pageOf, type PageAsk } from './pages.ts'
import type { ClientFailure } from './types.ts'

type Answered<T> = Promise<Result<T, ClientFailure>>

function threadPath(threadId: string): string {
  return `/v1/threads/${encodeURIComponent(threadId)}`
}

function runPath(threadId: string, runId: string): string {
  return `${threadPath(threadId)}/runs/${encodeURIComponent(runId)}`
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

/** Lists threads, newest first. */
export function threads(client: Client, page: PageAsk = {}): Answered<Page<ThreadInfo>> {
  return pageOf(client, '/v1/threads', {}, page)
}

/** Finds threads whose title or messages contain all search terms, the last of which may be a prefix. Newest first. */
export function searchThreads(
  client: Client,
  query: string,
  page: PageAsk = {},
): Answered<Page<FoundThread>> {
  return pageOf(client, '/v1/threads', { q: query }, page)
}

export function thread(client: Client, threadId: string): Answered<ThreadInfo> {
  return bodyOf(client, 'GET', threadPath(threadId))
}

export function renameThread(client: Client, threadId: string, title: string): Answered<ThreadInfo> {
  return bodyOf(client, 'PATCH', threadPath(threadId), { title })
}

/** Deletes a thread. This cannot be undone. */
export function deleteThread(client: Client, threadId: string): Answered<null> {
  return bodyOf(client, 'DELETE', threadPath(threadId))
}

/** Reads the messages of a thread, oldest first. */
export function messages(client: Client, threadId: string, page: PageAsk = {}): Answered<Page<Message>> {
  return pageOf(client, `${threadPath(threadId)}/messages`, {}, page)
}

/** Reads the receipts of a thread's runs, newest first. */
export function receipts(client: Client, threadId: string, page: PageAsk = {}): Answered<Page<Receipt>> {
  return pageOf(client, `${threadPath(threadId)}/runs`, {}, page)
}

export function receipt(client: Client, threadId: string, runId: string): Answered<Receipt> {
  return bodyOf(client, 'GET', runPath(threadId, runId))
}

/** Stops a run. Has no effect if it has already ended. */
export function cancel(client: Client, threadId: string, runId: string): Answered<Receipt> {
  return bodyOf(client, 'POST', `${runPath(threadId, runId)}/cancel`)
}

/**
 * Creates a thread with everything before a user's message, including files, and returns its ID. A repeated call with the same
 * key returns the same thread.
 */
export async function fork(
  client: Client,
  threadId: string,
  messageId: string,
  idempotencyKey: string,
): Answered<string> {
  const created = await bodyOf<{ readonly thread_id: string }>(
    client,
    'POST',
    `${threadPath(threadId)}/fork`,
    { message_id: messageId },
    { 'Idempotency-Key': idempotencyKey },
  )
  return created.ok ? ok(created.value.thread_id) : created
}

/** Rates the answer of a run. `note`: the person's reason, if any. */
export function rate(
  client: Client,
  threadId: string,
  runId: string,
  value: Rating['value'],
  note?: string,
): Answered<Receipt> {
  const rating = note === undefined ? { value } : { value, note }
  return bodyOf(client, 'POST', `${runPath(threadId, runId)}/rating`, rating)
}

export function unrate(client: Client, threadId: string, runId: string): Answered<Receipt> {
  return bodyOf(client, 'DELETE', `${runPath(threadId, runId)}/rating`)
}
