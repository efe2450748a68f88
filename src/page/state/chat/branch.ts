// Actions on a turn: fork the thread before its message, and rate its answer.

import type { Client } from '../../../client/client.ts'
import { forkThread, rateRun, unrateRun } from '../../../client/threads.ts'
import type { ClientFailure } from '../../../client/types.ts'
import { err, ok, type Result } from '../../../lib/result.ts'
import { readQuestion } from './history.ts'
import type { Turn } from './turn.ts'

export interface GivenRating {
  readonly value: 'up' | 'down'
  readonly note?: string
}

/**
 * Creates a thread with everything before the question of `turn`, and returns its ID. A repeated call with the same `key`
 * creates no second thread.
 */
export async function forkBefore(
  client: Client,
  threadId: string,
  turn: Turn,
  key: string,
): Promise<Result<string, ClientFailure>> {
  const messageId = await readMessageId(client, threadId, turn)
  if (!messageId.ok) return messageId
  return forkThread(client, threadId, messageId.value, key)
}

/** The ID of a turn's message. For a turn that was just sent, it must first be read from the transcript. */
async function readMessageId(
  client: Client,
  threadId: string,
  turn: Turn,
): Promise<Result<string, ClientFailure>> {
  const knownId = turn.question.peek().messageId
  if (knownId !== null) return ok(knownId)
  const stored = await readQuestion(client, threadId, turn.run.peek().runId)
  if (!stored.ok) return stored
  if (!stored.value) return err({ kind: 'broken', detail: 'The server does not have this message yet.' })
  turn.question.value = { ...turn.question.peek(), messageId: stored.value.id }
  return ok(stored.value.id)
}

/** Sets the rating of an answer, or removes it if `rating` is null. Updates the turn's receipt. */
export async function rate(
  client: Client,
  threadId: string,
  turn: Turn,
  rating: GivenRating | null,
): Promise<Result<null, ClientFailure>> {
  const { runId } = turn.run.peek()
  const result = rating
    ? await rateRun(client, threadId, runId, rating.value, rating.note)
    : await unrateRun(client, threadId, runId)
  if (!result.ok) return result
  turn.run.value = { ...turn.run.peek(), receipt: result.value }
  return ok(null)
}
