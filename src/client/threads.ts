// Finds, reads, renames, forks and deletes threads through the API, and rates their runs.

import { ok, type Result } from '../lib/result.ts'
import type { Rating, Receipt } from '../agent/events.ts'
import type { Message } from '../agent/message.ts'
import type { FoundThread, Page, ThreadDetails, ThreadInfo, ThreadTree } from '../thread/api.ts'
import type { Client } from './client.ts'
import { readPage, type PageRequest } from './pages.ts'
import type { ClientFailure } from './types.ts'

type ClientResult<T> = Promise<Result<T, ClientFailure>>

function threadPath(threadId: string): string {
  return `/v1/threads/${encodeURIComponent(threadId)}`
}

function runPath(threadId: string, runId: string): string {
  return `${threadPath(threadId)}/runs/${encodeURIComponent(runId)}`
}

async function requestBody<T>(
  client: Client,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): ClientResult<T> {
  const answer = await client.json<T>(method, path, body, headers)
  return answer.ok ? ok(answer.value.body) : answer
}

/** Lists threads, newest first. */
export function listThreads(client: Client, page: PageRequest = {}): ClientResult<Page<ThreadInfo>> {
  return readPage(client, '/v1/threads', {}, page)
}

/** Lists the newest thread of each root, with a summary of its other threads. Newest first. */
export function listThreadTrees(client: Client, page: PageRequest = {}): ClientResult<Page<ThreadTree>> {
  return readPage(client, '/v1/threads', { branches: 'folded' }, page)
}

/** Lists the threads of one root, newest first. */
export function listBranches(
  client: Client,
  root: string,
  page: PageRequest = {},
): ClientResult<Page<ThreadInfo>> {
  return readPage(client, '/v1/threads', { root }, page)
}

/** Finds threads whose title or messages contain all search terms, the last of which may be a prefix. Newest first. */
export function searchThreads(
  client: Client,
  query: string,
  page: PageRequest = {},
): ClientResult<Page<FoundThread>> {
  return readPage(client, '/v1/threads', { q: query }, page)
}

export function readThread(client: Client, threadId: string): ClientResult<ThreadDetails> {
  return requestBody(client, 'GET', threadPath(threadId))
}

export function renameThread(client: Client, threadId: string, title: string): ClientResult<ThreadDetails> {
  return requestBody(client, 'PATCH', threadPath(threadId), { title })
}

/** Deletes a thread. This cannot be undone. */
export function deleteThread(client: Client, threadId: string): ClientResult<null> {
  return requestBody(client, 'DELETE', threadPath(threadId))
}

/** Reads the messages of a thread, oldest first. */
export function listMessages(
  client: Client,
  threadId: string,
  page: PageRequest = {},
): ClientResult<Page<Message>> {
  return readPage(client, `${threadPath(threadId)}/messages`, {}, page)
}

/** Reads the receipts of a thread's runs, newest first. */
export function listReceipts(
  client: Client,
  threadId: string,
  page: PageRequest = {},
): ClientResult<Page<Receipt>> {
  return readPage(client, `${threadPath(threadId)}/runs`, {}, page)
}

export function readReceipt(client: Client, threadId: string, runId: string): ClientResult<Receipt> {
  return requestBody(client, 'GET', runPath(threadId, runId))
}

/** Stops a run. Has no effect if it has already ended. */
export function cancelRun(client: Client, threadId: string, runId: string): ClientResult<Receipt> {
  return requestBody(client, 'POST', `${runPath(threadId, runId)}/cancel`)
}

/**
 * Creates a thread with everything before a user's message, including files, and returns its ID. A repeated call with the same
 * key returns the same thread.
 */
export async function forkThread(
  client: Client,
  threadId: string,
  messageId: string,
  idempotencyKey: string,
): ClientResult<string> {
  const created = await requestBody<{ readonly thread_id: string }>(
    client,
    'POST',
    `${threadPath(threadId)}/fork`,
    { message_id: messageId },
    { 'Idempotency-Key': idempotencyKey },
  )
  return created.ok ? ok(created.value.thread_id) : created
}

/**
 * Continues a thread in a new window, and returns the run that does it. `about`: what the person wants to keep, if anything in
 * particular.
 */
export async function compactThread(
  client: Client,
  threadId: string,
  about: string | null,
): ClientResult<string> {
  const body = about === null ? {} : { about }
  const started = await requestBody<{ readonly run_id: string }>(
    client,
    'POST',
    `${threadPath(threadId)}/compact`,
    body,
  )
  return started.ok ? ok(started.value.run_id) : started
}

/** Rates the answer of a run. `note`: the person's reason, if any. */
export function rateRun(
  client: Client,
  threadId: string,
  runId: string,
  value: Rating['value'],
  note?: string,
): ClientResult<Receipt> {
  const rating = note === undefined ? { value } : { value, note }
  return requestBody(client, 'POST', `${runPath(threadId, runId)}/rating`, rating)
}

export function unrateRun(client: Client, threadId: string, runId: string): ClientResult<Receipt> {
  return requestBody(client, 'DELETE', `${runPath(threadId, runId)}/rating`)
}

/** Sends a message that joins the thread's current answer. If there is none, it starts a run of its own. */
export function steerRun(
  client: Client,
  threadId: string,
  message: string,
  key: string,
): ClientResult<{ readonly run_id: string }> {
  const headers = { Prefer: 'respond-async', 'Idempotency-Key': key }
  return requestBody(client, 'POST', '/v1/chat', { thread_id: threadId, message, on_busy: 'steer' }, headers)
}
