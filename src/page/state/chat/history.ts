// Reads a stored thread and combines its runs, messages and files into turns.

import type { Receipt } from '../../../agent/events.ts'
import type { Message } from '../../../agent/message.ts'
import type { Client } from '../../../client/client.ts'
import { readThread } from '../../../client/threads.ts'
import type { ClientFailure } from '../../../client/types.ts'
import { pause } from '../../../lib/pause.ts'
import { ok, type Result } from '../../../lib/result.ts'
import type { FileInfo, ThreadDetails } from '../../../thread/api.ts'
import { HISTORY_PAGES_MAX, LONG_THREAD_MIN_MESSAGES } from './limits.ts'
import { uploadsByRun } from '../../run/files.ts'
import { questionIn, runFromHistory } from '../../run/history.ts'
import { hasEnded } from '../../run/state.ts'
import { readPages } from '../../lib/pages.ts'
import { groupByRun, createTurn, createUnfinishedTurn, type Turn } from './turn.ts'

export interface History {
  readonly turns: readonly Turn[]
  /** Number of messages in the transcript. */
  readonly messageCount: number
  /** Files that have not been sent with a message yet. */
  readonly waitingFiles: readonly FileInfo[]
  /** Null if it could not be read. The conversation is still shown. */
  readonly info: ThreadDetails | null
}

function pathOf(threadId: string): string {
  return `/v1/threads/${encodeURIComponent(threadId)}`
}

export async function readHistory(client: Client, id: string): Promise<Result<History, ClientFailure>> {
  const path = pathOf(id)
  // Read the runs first: for every run that has ended by then, the pages read next contain all its messages.
  const runs = await readPages<Receipt>(client, { path: `${path}/runs`, pagesMax: HISTORY_PAGES_MAX })
  if (!runs.ok) return runs
  const [messages, fileList, info] = await Promise.all([
    readPages<Message>(client, { path: `${path}/messages`, pagesMax: HISTORY_PAGES_MAX }),
    readPages<FileInfo>(client, { path: `${path}/files`, pagesMax: HISTORY_PAGES_MAX }),
    readInfo(client, id),
  ])
  if (!messages.ok) return messages
  // Show the conversation even if the list of files could not be read.
  const files = fileList.ok ? fileList.value : []
  // A long thread is parsed, made into turns and rendered in three tasks, so that keys are handled in between.
  const isLong = messages.value.length >= LONG_THREAD_MIN_MESSAGES
  if (isLong) await pause(0)
  const turns = turnsOf(id, runs.value, messages.value, files)
  if (isLong) await pause(0)
  return ok({ ...turns, messageCount: messages.value.length, info })
}

/**
 * The turns of another branch, in which those that are already shown keep their objects, so that the page does not render them
 * anew.
 */
export function keepShownTurns(shown: readonly Turn[], turns: readonly Turn[]): readonly Turn[] {
  const shownByRun = new Map(shown.map((turn) => [turn.run.peek().runId, turn]))
  return turns.map((turn) => {
    const kept = shownByRun.get(turn.run.peek().runId)
    if (!kept || !hasEnded(kept.run.peek()) || !hasEnded(turn.run.peek())) return turn
    kept.question.value = turn.question.peek()
    kept.run.value = turn.run.peek()
    return kept
  })
}

/** The server's record of a thread, or null if it cannot be read. */
export async function readInfo(client: Client, id: string): Promise<ThreadDetails | null> {
  const result = await readThread(client, id)
  return result.ok ? result.value : null
}

/** The user's message that a run answers, or null if the transcript does not contain it yet. */
export async function readQuestion(
  client: Client,
  id: string,
  runId: string,
): Promise<Result<{ readonly id: string; readonly text: string } | null, ClientFailure>> {
  const messages = await readPages<Message>(client, {
    path: `${pathOf(id)}/messages`,
    pagesMax: HISTORY_PAGES_MAX,
  })
  if (!messages.ok) return messages
  return ok(questionIn(messages.value.filter((message) => message.run_id === runId)))
}

/** Reads the question of a run that was still queued when the thread was opened. */
export async function updateQuestion(client: Client, id: string, turn: Turn): Promise<void> {
  if (turn.sendKey !== '' || turn.question.peek().messageId !== null) return
  const stored = await readQuestion(client, id, turn.run.peek().runId)
  if (!stored.ok || !stored.value) return
  turn.question.value = { ...turn.question.peek(), text: stored.value.text, messageId: stored.value.id }
}

/** The turns of a thread, from all that the server has of it. */
export function turnsOf(
  id: string,
  receipts: readonly Receipt[],
  messages: readonly Message[],
  files: readonly FileInfo[],
): Pick<History, 'turns' | 'waitingFiles'> {
  const receiptsById = new Map(receipts.map((receipt) => [receipt.run_id, receipt]))
  const messagesByRun = groupByRun(messages)
  // A fork contains messages of runs that belong to the original thread.
  const inherited = [...messagesByRun].flatMap(([run_id, [first]]) =>
    receiptsById.has(run_id) || !first ? [] : [{ run_id, started_at: first.created_at }],
  )
  const uploads = uploadsByRun(files, [...receipts, ...inherited])
  // Queued runs have no messages yet. The server lists the newest run first, so reverse the order.
  const openReceipts = receipts.filter((receipt) => !hasEnded(receipt)).toReversed()
  const indexes = new Map(messages.map(({ id: messageId }, index) => [messageId, index]))
  const ids = new Set([
    ...withCompactions([...messagesByRun.keys()], receipts),
    ...openReceipts.map((receipt) => receipt.run_id),
  ])
  const turns = [...ids].map((runId) => {
    const runMessages = messagesByRun.get(runId) ?? []
    const userMessage = questionIn(runMessages)
    const sent = uploads.byRun.get(runId) ?? []
    const messageId = userMessage?.id ?? null
    const messagesBefore = messageId === null ? null : (indexes.get(messageId) ?? null)
    const question = { text: userMessage?.text ?? '', files: sent, messageId, messagesBefore }
    const receipt = receiptsById.get(runId) ?? null
    if (receipt && !hasEnded(receipt)) return createUnfinishedTurn(runId, question)
    return createTurn(runId, question, runFromHistory(runId, runMessages, receipt, { id, files }))
  })
  return { turns, waitingFiles: uploads.waitingFiles }
}

/** The IDs of runs in order, with those of runs that only began a window and have no messages. `receipts`: newest first. */
function withCompactions(runIds: readonly string[], receipts: readonly Receipt[]): readonly string[] {
  const known = new Set(runIds)
  let ids = runIds
  for (const [at, { run_id: id, windows = [] }] of [...receipts.entries()].toReversed()) {
    if (known.has(id) || windows.length === 0) continue
    known.add(id)
    const before = receipts.slice(at + 1).find((older) => known.has(older.run_id))?.run_id
    ids = ids.toSpliced(before === undefined ? 0 : ids.indexOf(before) + 1, 0, id)
  }
  return ids
}
