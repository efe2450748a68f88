// Messages in which tabs announce runs to each other. Received messages are checked, because another tab may run a different
// version of the page.

import { stringIn } from '../../lib/fields.ts'
import type { SentFile } from '../../run/files.ts'

export interface RunAnnouncement {
  readonly kind: 'run'
  readonly threadId: string
  readonly runId: string
  /** The question. The server's transcript contains it only once the run has started. */
  readonly text: string
  readonly files: readonly SentFile[]
}

/** The run that another tab announced, or null for other messages. */
export function parseRunAnnouncement(message: unknown): RunAnnouncement | null {
  const [threadId, runId] = [stringIn(message, 'threadId'), stringIn(message, 'runId')]
  if (stringIn(message, 'kind') !== 'run' || threadId === null || runId === null) return null
  return { kind: 'run', threadId, runId, text: stringIn(message, 'text') ?? '', files: filesIn(message) }
}

function filesIn(message: unknown): readonly SentFile[] {
  const files: unknown = typeof message === 'object' && message ? Reflect.get(message, 'files') : null
  if (!Array.isArray(files)) return []
  return files.flatMap((file: unknown) => {
    const [path, href] = [stringIn(file, 'path'), stringIn(file, 'href')]
    const bytes: unknown = typeof file === 'object' && file ? Reflect.get(file, 'bytes') : null
    return path === null || href === null || typeof bytes !== 'number' ? [] : [{ path, href, bytes }]
  })
}
