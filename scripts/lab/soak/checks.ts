// Checks threads after the soak: reads them from the server and compares them with what the clients saw.

import { readEvents } from '../../../src/client/sse.ts'
import { readAllPages, readPage } from '../../../src/client/pages.ts'
import { AUTHORIZED } from '../rig/requests.ts'
import { clientOf } from '../rig/satchel.ts'
import { Checks, type Check } from './check-list.ts'
import { backward, foldEvents, gaps } from './fold.ts'

import type { Event, Receipt } from '../../../src/agent/events.ts'
import type { Message } from '../../../src/agent/message.ts'
import type { Client } from '../../../src/client/client.ts'
import type { FollowedRun } from './clients.ts'

const THREAD_STREAM_MS = 30_000

async function all<T>(client: Client, path: string): Promise<readonly T[]> {
  const pages = await readAllPages<T>((cursor) => readPage(client, path, {}, { cursor, limit: 100 }))
  if (!pages.ok) throw new Error(`GET ${path}: ${JSON.stringify(pages.error)}`)
  return pages.value
}

/** Reads the thread's event stream up to number `last`, then closes it, because it would stay open. */
async function threadEvents(url: string, threadId: string, last: number): Promise<readonly Event[]> {
  const response = await fetch(`${url}/v1/threads/${threadId}/events`, {
    headers: AUTHORIZED,
    signal: AbortSignal.timeout(THREAD_STREAM_MS),
  })
  const events: Event[] = []
  if (!response.body) return events
  for await (const event of readEvents(response.body)) {
    events.push(event)
    if (event.seq >= last) break
  }
  return events
}

function differenceOf(a: unknown, b: unknown): string | null {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)]
  return left === right ? null : `${left.slice(0, 300)} is not ${right.slice(0, 300)}`
}

async function checkRun(
  client: Client,
  run: FollowedRun,
  transcript: readonly Message[],
  checks: Checks,
): Promise<void> {
  const { key, threadId, runId } = run
  const replay: Event[] = []
  const again = await client.follow(threadId, runId, null, { onEvent: (event) => replay.push(event) })
  if (!again.ok) return checks.note('each run can be read again', key, JSON.stringify(again.error))
  const actual = foldEvents(replay)
  const problem = actual.terminals.length === 1 ? null : `it has ${actual.terminals.length}`
  checks.note('each accepted run has one terminal event', key, problem)
  for (const seen of run.readers) {
    checks.note(
      'readers that reconnected hold what a fresh replay holds',
      key,
      differenceOf(foldEvents(seen), actual),
    )
    checks.note("numbers of a run's stream only grow", key, backward(seen)[0] ?? null)
  }
  const ownMessages = transcript.filter((message) => message.run_id === runId)
  const questions = ownMessages.filter((message) =>
    JSON.stringify(message.content).includes(`message ${key}"`),
  )
  checks.note('each message is in the transcript once', key, differenceOf(questions.length, 1))
  const answers = replay.flatMap((event) => (event.type === 'message.completed' ? [event.message] : []))
  const kept = ownMessages.filter((message) => message.role === 'assistant')
  checks.note('events and transcript agree', key, differenceOf(answers, kept))
  const asking = ids(kept, 'tool_use', 'id')
  const answered = ids(ownMessages, 'tool_result', 'tool_use_id')
  checks.note('each tool call has one result', key, differenceOf(answered.toSorted(), asking.toSorted()))
  const finished = actual.tools.map((tool) => tool.split('=')[0])
  checks.note('each tool effect is reported once', key, differenceOf(new Set(finished).size, finished.length))
}

function ids(messages: readonly Message[], type: string, field: string): readonly string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === type ? [String(block[field])] : [])),
  )
}

/** Reads every thread and run of the clients from the server. */
export async function checkThreads(url: string, runs: readonly FollowedRun[]): Promise<readonly Check[]> {
  const client = clientOf(url)
  const checks = new Checks()
  const threads = new Map<string, FollowedRun[]>()
  for (const problem of runs)
    threads.set(problem.threadId, [...(threads.get(problem.threadId) ?? []), problem])
  for (const [threadId, runs] of threads) {
    const receipts = await all<Receipt>(client, `/v1/threads/${threadId}/runs`)
    const known = receipts.map((receipt) => receipt.run_id).toSorted()
    const expected = runs.map((run) => run.runId).toSorted()
    checks.note('one run a key, and no others', threadId, differenceOf(known, expected))
    const transcript = await all<Message>(client, `/v1/threads/${threadId}/messages`)
    for (const run of runs) await checkRun(client, run, transcript, checks)
    const last = Math.max(...runs.flatMap((run) => run.readers.flatMap((events) => events.at(-1)?.seq ?? 0)))
    const events = await threadEvents(url, threadId, last)
    checks.note("frames of a thread's stream tile", threadId, gaps(events)[0] ?? null)
  }
  return checks.list()
}
