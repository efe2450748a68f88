// Messages in which tabs announce runs to each other. Received messages are checked, because another tab may run a different
// version of the page.

import { stringIn } from '../../lib/fields.ts'
import type { Ports } from '../../lib/platform.ts'
import type { SentFile } from '../../run/files.ts'

export interface RunAnnouncement {
  readonly kind: 'run'
  readonly threadId: string
  readonly runId: string
  /** The question. The server's transcript contains it only once the run has started. */
  readonly text: string
  readonly files: readonly SentFile[]
}

/**
 * Listens for runs that other tabs start. `decide`: whether a run of that thread is added now, held until `release`, or ignored.
 */
export function listenForRuns(
  { onBroadcast }: Pick<Ports, 'onBroadcast'>,
  decide: (threadId: string) => 'add' | 'hold' | 'ignore',
  add: (run: RunAnnouncement) => void,
): { readonly clear: () => void; readonly release: () => void } {
  let heldRuns: readonly RunAnnouncement[] = []
  onBroadcast((message) => {
    const run = parseRunAnnouncement(message)
    if (!run) return
    const decision = decide(run.threadId)
    if (decision === 'hold') heldRuns = [...heldRuns, run]
    else if (decision === 'add') add(run)
  })
  return {
    clear: () => void (heldRuns = []),
    release() {
      heldRuns.forEach(add)
      heldRuns = []
    },
  }
}

/** The run that another tab announced, or null for other messages. */
function parseRunAnnouncement(message: unknown): RunAnnouncement | null {
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
