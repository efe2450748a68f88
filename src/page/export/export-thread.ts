// Reads a whole thread from the server and makes a file of it. Writes nothing.

import type { Client } from '../../client/client.ts'
import { readAllPages } from '../../client/pages.ts'
import { listMessages, listReceipts, readThread } from '../../client/threads.ts'
import type { ClientFailure } from '../../client/types.ts'
import { ok, type Result } from '../../lib/result.ts'
import { PAGE_ENTRIES_MAX } from '../lib/limits.ts'
import { turnsOf } from '../state/chat/history.ts'
import { exportName } from './name.ts'
import { threadAsMarkdown } from './thread-as-markdown.ts'

export type ExportFormat = 'markdown' | 'json'

export interface ThreadExport {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** `title`: the thread's title as the page shows it. JSON contains the thread, messages, receipts and files as the API returns them. */
export async function exportThread(
  client: Client,
  id: string,
  title: string,
  format: ExportFormat,
): Promise<Result<ThreadExport, ClientFailure>> {
  const limit = PAGE_ENTRIES_MAX
  // Receipts first: for every run that has ended by then, the messages read next are complete.
  const runs = await readAllPages((cursor) => listReceipts(client, id, { cursor, limit }))
  if (!runs.ok) return runs
  const [thread, messages, files] = await Promise.all([
    readThread(client, id),
    readAllPages((cursor) => listMessages(client, id, { cursor, limit })),
    client.listFiles(id),
  ])
  if (!thread.ok) return thread
  if (!messages.ok) return messages
  if (!files.ok) return files
  const text =
    format === 'json'
      ? `${JSON.stringify({ thread: thread.value, messages: messages.value, runs: runs.value, files: files.value }, null, 2)}\n`
      : threadAsMarkdown({
          title,
          thread: thread.value,
          turns: turnsOf(id, runs.value, messages.value, files.value).turns,
        })
  return ok({
    name: `${exportName(title)}.${format === 'json' ? 'json' : 'md'}`,
    bytes: new TextEncoder().encode(text),
  })
}
