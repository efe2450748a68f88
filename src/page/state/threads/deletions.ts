// Deletes threads. A deleted thread is hidden immediately, and deleted on the server when it can no longer be undone.

import { signal, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import { deleteThread } from '../../../client/threads.ts'
import type { ClientFailure } from '../../../client/types.ts'
import { trouble } from '../../lib/failure.ts'
import { UNDO_MS } from './limits.ts'
import type { Toasts } from '../frame/toasts.ts'

export interface Deletions {
  /** The IDs of the hidden threads. */
  readonly leaving: ReadonlySignal<ReadonlySet<string>>
  /** Deletes a thread. `onUndo` is called if the user undoes the deletion. */
  remove(id: string, title: string, onUndo: () => void): void
}

export interface DeletionsWiring {
  readonly client: ReadonlySignal<Client | null>
  readonly toasts: Toasts
  /** Called when the thread has been deleted on the server. */
  readonly onGone: (id: string) => void
}

export function createDeletions({ client, toasts, onGone }: DeletionsWiring): Deletions {
  const leaving = signal<ReadonlySet<string>>(new Set())

  function stay(id: string): void {
    leaving.value = new Set([...leaving.peek()].filter((other) => other !== id))
  }

  async function send(by: Client, id: string, title: string): Promise<void> {
    const sent = await deleteThread(by, id)
    // Keep the thread hidden, because an earlier search may still return it.
    if (sent.ok || isGone(sent.error)) return onGone(id)
    stay(id)
    const { detail } = trouble('', sent.error)
    toasts.show({ text: `“${title}” could not be deleted and is back in the list. ${detail}`, bad: true })
  }

  return {
    leaving,
    remove(id, title, onUndo) {
      const by = client.peek()
      if (!by || leaving.peek().has(id)) return
      leaving.value = new Set([...leaving.peek(), id])
      toasts.show({
        text: `“${title}” is deleted.`,
        ms: UNDO_MS,
        action: {
          label: 'Undo',
          run: () => {
            stay(id)
            onUndo()
          },
        },
        onPassed: () => void send(by, id, title),
      })
    },
  }
}

/** Whether the thread no longer exists, because it was already deleted elsewhere. */
function isGone(failure: ClientFailure): boolean {
  return failure.kind === 'problem' && (failure.problem.status === 404 || failure.problem.status === 410)
}
