// Messages between tabs about runs. Checks what it receives: another tab may run another version of the page.

import { field } from '../../lib/fields.ts'
import type { SentFile } from '../../run/files.ts'

export interface RunBegun {
  readonly kind: 'run'
  readonly threadId: string
  readonly runId: string
  /** The question, which the server's transcript has only once the run starts. */
  readonly text: string
  readonly files: readonly SentFile[]
}

/** Null for other messages. */
export function runOfOtherTab(message: unknown): RunBegun | null {
  const [threadId, runId] = [field(message, 'threadId'), field(message, 'runId')]
  if (field(message, 'kind') !== 'run' || threadId === null || runId === null) return null
  return { kind: 'run', threadId, runId, text: field(message, 'text') ?? '', files: filesIn(message) }
}

function filesIn(message: unknown): readonly SentFile[] {
  const found: unknown = typeof message === 'object' && message ? Reflect.get(message, 'files') : null
  if (!Array.isArray(found)) return []
  return found.flatMap((file: unknown) => {
    const [path, href] = [field(file, 'path'), field(file, 'href')]
    const bytes: unknown = typeof file === 'object' && file ? Reflect.get(file, 'bytes') : null
    return path === null || href === null || typeof bytes !== 'number' ? [] : [{ path, href, bytes }]
  })
}
