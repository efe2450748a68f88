// Watches messages until the server has assigned or refused their runs, and reports each outcome once, even if the user has left
// the thread.

import { effect, untracked } from '@preact/signals'

import type { Conversation } from '../chat/conversation-api.ts'
import type { Turn } from '../chat/turn.ts'

export interface PendingSends {
  /** Watches a turn. `from`: the thread in which it was written; null for a new thread. */
  watch(turn: Turn, originThread: string | null): void
  /** Whether a message written in this thread is still being sent. */
  has(originThread: string | null): boolean
}

export interface PendingSendsWiring {
  readonly conversation: Pick<Conversation, 'turns' | 'threadId'>
  readonly onAssigned: () => void
  /** The message was refused, and resending it cannot help. Messages that can be resent are still watched. */
  readonly onRefused: (turn: Turn) => void
  /** The user left the thread before the message arrived (`hasArrived`) or failed. */
  readonly onLeft: (turn: Turn, originThread: string | null, hasArrived: boolean) => void
}

export function createPendingSends({
  conversation,
  onAssigned,
  onRefused,
  onLeft,
}: PendingSendsWiring): PendingSends {
  const turns = new Map<Turn, string | null>()
  return {
    has: (from) =>
      [...turns].some(([{ connection }, origin]) => origin === from && connection.peek() !== 'refused'),
    watch(turn, originThread) {
      turns.set(turn, originThread)
      /** Whether the failure was already shown to the user. */
      let isReported = false
      const stop = effect(() => {
        const hasLeft = !conversation.turns.value.includes(turn)
        const isAssigned = turn.run.value.runId !== '' && (hasLeft || conversation.threadId.value !== null)
        const hasFailed = turn.connection.value === 'refused'
        const isRefused = hasFailed && (hasLeft || turn.trouble.value?.remedy === null)
        if (!hasLeft) isReported = hasFailed
        if (!turns.has(turn) || (!isAssigned && !isRefused)) return
        turns.delete(turn)
        untracked(() => {
          if (!hasLeft) return isAssigned ? onAssigned() : onRefused(turn)
          if (isAssigned || !isReported) onLeft(turn, originThread, isAssigned)
        })
        queueMicrotask(() => stop())
      })
    },
  }
}

/** Resolves when the server has assigned the turn's run or has refused the message. */
export async function untilAssigned({ run, connection }: Turn): Promise<void> {
  let stop = (): void => {}
  await new Promise<void>((resolve) => {
    stop = effect(() => {
      if (run.value.runId !== '' || connection.value === 'refused') resolve()
    })
  })
  stop()
}
