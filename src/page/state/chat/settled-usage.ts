// What the open thread has used: its cost and the size of its context. Read again after each step of an answer, so
// that it includes only completed calls.

import { computed, effect, signal, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import type { ThreadInfo } from '../../../thread/api.ts'
import { readInfo } from './history.ts'

export type ThreadUsage = Pick<ThreadInfo, 'charged' | 'context_tokens'>

export interface SettledUsage {
  readonly usage: ReadonlySignal<ThreadUsage | null>
  /** Reads it again. */
  read(client: Client): Promise<void>
}

/** `info`: the thread as it was read last when a run ended. */
export function createSettledUsage(
  info: ReadonlySignal<ThreadInfo | null>,
  threadId: ReadonlySignal<string | null>,
): SettledUsage {
  const newer = signal<ThreadInfo | null>(null)
  effect(() => {
    void info.value
    newer.value = null
  })
  return {
    usage: computed(() => (newer.value?.id === threadId.value ? newer.value : null) ?? info.value),
    async read(client) {
      const id = threadId.peek()
      const before = info.peek()
      const updated = id === null ? null : await readInfo(client, id)
      if (updated && info.peek() === before) newer.value = updated
    },
  }
}
