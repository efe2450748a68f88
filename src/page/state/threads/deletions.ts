// Deletes threads. A deleted thread is hidden immediately, and deleted on the server when it can no longer be undone.

import { signal, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import { deleteThread } from '../../../client/threads.ts'
import type { ClientFailure } from '../../../client/types.ts'
import { describeFailure } from '../../lib/failure.ts'
import { UNDO_MS } from './limits.ts'
import type { Toasts } from '../frame/toasts.ts'

export interface Deletions {
  /** The IDs of the hidden threads. */
  readonly hiddenIds: ReadonlySignal<ReadonlySet<string>>
  /**
   * Deletes a thread, or versions of one; `isVersion` says that others remain. `onUndo` is called if the user undoes the deletion.
   */
  remove(ids: readonly string[], title: string, onUndo: () => void, isVersion?: boolean): void
}

export interface DeletionsWiring {
  readonly client: ReadonlySignal<Client | null>
  readonly toasts: Toasts
  /** Called when the thread has been deleted on the server. */
  readonly onDeleted: (id: string) => void
}

export function createDeletions({ client, toasts, onDeleted }: DeletionsWiring): Deletions {
  const hiddenIds = signal<ReadonlySet<string>>(new Set())

  function unhide(ids: readonly string[]): void {
    hiddenIds.value = new Set([...hiddenIds.peek()].filter((hiddenId) => !ids.includes(hiddenId)))
  }

  async function send(activeClient: Client, ids: readonly string[], title: string): Promise<void> {
    const results = await Promise.all(
      ids.map(async (id) => ({ id, result: await deleteThread(activeClient, id) })),
    )
    const failed = results.flatMap(({ id, result }) =>
      result.ok || isGone(result.error) ? [] : [{ id, error: result.error }],
    )
    // Keep deleted threads hidden, because an earlier search may still return them.
    for (const { id } of results) if (!failed.some((failure) => failure.id === id)) onDeleted(id)
    const [first] = failed
    if (!first) return
    unhide(failed.map(({ id }) => id))
    const { detail } = describeFailure('', first.error)
    toasts.show({ text: `“${title}” could not be deleted and is back in the list. ${detail}`, isError: true })
  }

  return {
    hiddenIds,
    remove(allIds, title, onUndo, isVersion = false) {
      const activeClient = client.peek()
      const ids = allIds.filter((id) => !hiddenIds.peek().has(id))
      if (!activeClient || ids.length === 0) return
      hiddenIds.value = new Set([...hiddenIds.peek(), ...ids])
      toasts.show({
        text:
          ids.length > 1
            ? `${ids.length} versions of “${title}” were deleted.`
            : `${isVersion ? 'A version of ' : ''}“${title}” was deleted.`,
        durationMs: UNDO_MS,
        action: {
          label: 'Undo',
          run: () => {
            unhide(ids)
            onUndo()
          },
        },
        onExpired: () => void send(activeClient, ids, title),
      })
    },
  }
}

/** Whether the thread no longer exists, because it was already deleted elsewhere. */
function isGone(failure: ClientFailure): boolean {
  return failure.kind === 'problem' && (failure.problem.status === 404 || failure.problem.status === 410)
}
