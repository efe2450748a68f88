// Watches messages until the server has assigned or refused their runs, and reports each once, even if the user has left the
// thread. Sends nothing.

import { effect, untracked } from '@preact/signals'

import type { Conversation } from '../chat/conversation.ts'
import type { Turn } from '../chat/turn.ts'

export interface Underway {
  /** `from`: the thread where it was written; null for a new one. */
  watch(turn: Turn, from: string | null): void
  /** Whether a message written there is on its way and not refused. */
  has(from: string | null): boolean
}

export interface UnderwayWiring {
  readonly conversation: Pick<Conversation, 'turns' | 'threadId'>
  readonly onNamed: () => void
  /** Resending cannot help: the text must change. Messages that can be resent are still watched. */
  readonly onRefused: (turn: Turn) => void
  /** The user left the thread before the message arrived (`came`) or failed. */
  readonly onLeft: (turn: Turn, from: string | null, came: boolean) => void
}

export function createUnderway({ conversation, onNamed, onRefused, onLeft }: UnderwayWiring): Underway {
  const turns = new Map<Turn, string | null>()
  return {
    has: (from) => [...turns].some(([{ line }, its]) => its === from && line.peek() !== 'refused'),
    watch(turn, from) {
      turns.set(turn, from)
      /** The user knows, and has the text in the box or as a draft. */
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

/** Resolves when the server has assigned the turn's run, or never will. */
export async function named({ run, line }: Turn): Promise<void> {
  let stop = (): void => {}
  await new Promise<void>((resolve) => {
    stop = effect(() => {
      if (run.value.runId !== '' || line.value === 'refused') resolve()
    })
  })
  stop()
}
