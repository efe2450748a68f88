// Watches messages until the server has assigned or refused their runs, and reports each outcome once, even if the user has left
// the thread.

import { effect, untracked } from '@preact/signals'

import type { Conversation } from '../chat/conversation.ts'
import type { Turn } from '../chat/turn.ts'

export interface Underway {
  /** Watches a turn. `from`: the thread in which it was written; null for a new thread. */
  watch(turn: Turn, from: string | null): void
  /** Whether a message written in this thread is still being sent. */
  has(from: string | null): boolean
}

export interface UnderwayWiring {
  readonly conversation: Pick<Conversation, 'turns' | 'threadId'>
  readonly onNamed: () => void
  /** The message was refused, and resending it cannot help. Messages that can be resent are still watched. */
  readonly onRefused: (turn: Turn) => void
  /** The user left the thread before the message arrived (`hasArrived`) or failed. */
  readonly onLeft: (turn: Turn, from: string | null, came: boolean) => void
}

export function createUnderway({ conversation, onNamed, onRefused, onLeft }: UnderwayWiring): Underway {
  const turns = new Map<Turn, string | null>()
  return {
    has: (from) => [...turns].some(([{ line }, its]) => its === from && line.peek() !== 'refused'),
    watch(turn, from) {
      turns.set(turn, from)
      /** Whether the failure was already shown to the user. */
      let reported = false
      const stop = effect(() => {
        const left = !conversation.turns.value.includes(turn)
        const named = turn.run.value.runId !== '' && (left || conversation.threadId.value !== null)
        const failed = turn.line.value === 'refused'
        const refused = failed && (left || turn.trouble.value?.help === null)
        if (!left) reported = failed
        if (!turns.has(turn) || (!named && !refused)) return
        turns.delete(turn)
        untracked(() => {
          if (!left) return named ? onNamed() : onRefused(turn)
          if (named || !reported) onLeft(turn, from, named)
        })
        queueMicrotask(() => stop())
      })
    },
  }
}

/** Resolves when the server has assigned the turn's run or has refused the message. */
export async function named({ run, line }: Turn): Promise<void> {
  let stop = (): void => {}
  await new Promise<void>((resolve) => {
    stop = effect(() => {
      if (run.value.runId !== '' || line.value === 'refused') resolve()
    })
  })
  stop()
}
