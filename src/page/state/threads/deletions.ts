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
  /** Deletes a thread. `onUndo` is called if the user undoes the deletion. */
  remove(id: string, title: string, onUndo: () => void): void
}

export interface DeletionsWiring {
  readonly client: ReadonlySignal<Client | null>
  readonly toasts: Toasts
  /** Called when the thread has been deleted on the server. */
  readonly onDeleted: (id: string) => void
}

export function createDeletions({ client, toasts, onDeleted }: DeletionsWiring): Deletions {
  const hiddenIds = signal<ReadonlySet<string>>(new Set())

  function unhide(id: string): void {
    hiddenIds.value = new Set([...hiddenIds.peek()].filter((hiddenId) => hiddenId !== id))
  }

  async function send(activeClient: Client, id: string, title: string): Promise<void> {
    const result = await deleteThread(activeClient, id)
    // Keep the thread hidden, because an earlier search may still return it.
    if (result.ok || isGone(result.error)) return onDeleted(id)
    unhide(id)
    const { detail } = describeFailure('', result.error)
    toasts.show({ text: `“${title}” could not be deleted and is back in the list. ${detail}`, isError: true })
  }

  return {
    hiddenIds,
    remove(id, title, onUndo) {
      const activeClient = client.peek()
      if (!activeClient || hiddenIds.peek().has(id)) return
      hiddenIds.value = new Set([...hiddenIds.peek(), id])
      toasts.show({
        text: `“${title}” is deleted.`,
        durationMs: UNDO_MS,
        action: {
          label: 'Undo',
          run: () => {
            unhide(id)
            onUndo()
          },
        },
        onExpired: () => void send(activeClient, id, title),
      })
    },
  }
}

/** Whether the thread no longer exists, because it was already deleted elsewhere. */
function isGone(failure: ClientFailure): boolean {
  return failure.kind === 'problem' && (failure.problem.status === 404 || failure.problem.status === 410)
}
