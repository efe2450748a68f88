// Messages on their way to the server: each is told of once, when the server has named its run or refused it, also where its
// writer went elsewhere meanwhile. Sends nothing.

import { effect, untracked } from '@preact/signals'

import type { Conversation } from '../chat/conversation.ts'
import type { Turn } from '../chat/turn.ts'

export interface Underway {
  /** `from`: the thread in which it was written; null: a new one. */
  watch(turn: Turn, from: string | null): void
  /** Whether one that was written there is on its way: not refused so far. */
  has(from: string | null): boolean
}

export interface UnderwayWiring {
  readonly conversation: Pick<Conversation, 'turns' | 'threadId'>
  readonly onNamed: () => void
  /** Another try changes nothing: the words are to be fixed. One that may be sent again is watched on. */
  readonly onRefused: (turn: Turn) => void
  /** Its writer went elsewhere, and it came through, or did not. */
  readonly onLeft: (turn: Turn, from: string | null, came: boolean) => void
}

export function createUnderway({ conversation, onNamed, onRefused, onLeft }: UnderwayWiring): Underway {
  const turns = new Map<Turn, string | null>()
  return {
    has: (from) => [...turns].some(([{ line }, its]) => its === from && line.peek() !== 'refused'),
    watch(turn, from) {
      turns.set(turn, from)
      /** Its writer was told of it, and has its words, here or as a draft. */
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

/** Resolves when the server has named the turn's run, or it will have none. */
export async function named({ run, line }: Turn): Promise<void> {
  let stop = (): void => {}
  await new Promise<void>((resolve) => {
    stop = effect(() => {
      if (run.value.runId !== '' || line.value === 'refused') resolve()
    })
  })
  stop()
}
