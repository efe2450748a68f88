// Messages that join the current answer, and the run that answers those that came too late.

import type { Client } from '../../../client/client.ts'
import { steerRun } from '../../../client/threads.ts'
import type { ClientFailure } from '../../../client/types.ts'
import { err, ok, type Result } from '../../../lib/result.ts'
import type { RunAnnouncement } from './run-announcements.ts'
import type { Turn } from './turn.ts'

export const NOT_READY = err({ kind: 'broken', detail: 'Enter your key and send a message first.' } as const)

type AddRun = (run: Omit<RunAnnouncement, 'kind'>) => void

/** If the answer has just ended, the message starts a run of its own, which is passed to `addRun`. */
export async function steer(
  client: Client | null,
  threadId: string | null,
  { text, files }: Pick<RunAnnouncement, 'text' | 'files'>,
  key: string,
  addRun: AddRun,
): Promise<Result<null, ClientFailure>> {
  if (!client || threadId === null) return NOT_READY
  const sent = await steerRun(client, threadId, text, key)
  if (!sent.ok) return sent
  addRun({ threadId, runId: sent.value.run_id, text, files })
  return ok(null)
}

/** Passes the run that follows an ended turn to `addRun`. Its question is read from the thread. */
export function nextRun(threadId: string, { run }: Turn, addRun: AddRun): void {
  const runId = run.peek().receipt?.next_run_id
  if (runId !== undefined) addRun({ threadId, runId, text: '', files: [] })
}
