// Adds a person's message to the transcript, with what follows from it: its files are known to the model, and its untrusted
// content counts.

import type { Block } from '../../agent/message.ts'
import type { FileRow } from '../../files/access.ts'
import type { Parts } from '../parts.ts'
import type { Run } from '../rows/run.ts'
import { steeredContent, untrustedSourcesIn } from './message-blocks.ts'

type AppendingThread = Parts<'transcript' | 'files' | 'sources' | 'approvals', 'now' | 'newId'>

interface AskMessage {
  readonly ask: Run['ask']
  /** The message as the model gets it. */
  readonly content: readonly Block[]
  readonly newUploads: readonly FileRow[]
  readonly kind?: 'steered' | 'steered_with_results'
}

/** Returns the ID and the number of the new message. */
export function appendAsk(
  { transcript, files, sources, approvals, ports }: AppendingThread,
  runId: string,
  { ask, content, newUploads, kind }: AskMessage,
): { readonly id: string; readonly seq: number } {
  const id = ports.newId('msg')
  const isShown =
    content.length === ask.message.length && content.every((block, at) => block === ask.message[at])
  const seq = transcript.append({
    id,
    runId,
    role: 'user',
    content,
    ...(isShown ? {} : { shown: ask.message }),
    ...(kind ? { kind } : {}),
    at: ports.now(),
  })
  if (newUploads.length > 0) files.markAnnounced(seq)
  const untrusted = untrustedSourcesIn(ask, newUploads)
  sources.add(untrusted, seq)
  approvals.endRememberedApprovals(untrusted)
  return { id, seq }
}

/** Keeps the message of a queued run that ends before it could begin, so that it is in the thread. */
export function keepUnstarted(thread: AppendingThread, { id, ask }: Run): void {
  const newUploads = thread.files.newUploads()
  appendAsk(thread, id, { ask, content: steeredContent(ask, newUploads), newUploads })
}
