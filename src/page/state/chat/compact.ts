// Continues a thread in a new window when the user asks for it.

import type { Client } from '../../../client/client.ts'
import { compactThread } from '../../../client/threads.ts'
import type { ClientFailure } from '../../../client/types.ts'
import { ok, type Result } from '../../../lib/result.ts'
import type { RunAnnouncement } from './run-announcements.ts'
import { NOT_READY } from './steer.ts'

/** Passes the run that does it to `addRun`. `about`: what the summary must keep, if anything in particular. */
export async function compact(
  client: Client | null,
  threadId: string | null,
  about: string | null,
  addRun: (run: Omit<RunAnnouncement, 'kind'>) => void,
): Promise<Result<null, ClientFailure>> {
  if (!client || threadId === null) return NOT_READY
  const started = await compactThread(client, threadId, about)
  if (!started.ok) return started
  addRun({ threadId, runId: started.value, text: '', files: [] })
  return ok(null)
}
