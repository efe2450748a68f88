// Threads that this page began, until the server lists them under a title: they are shown by the first words of their message.

import { computed, effect, signal, type ReadonlySignal } from '@preact/signals'

import type { ThreadInfo } from '../../../thread/api.ts'
import { visibleLine } from '../../../lib/visible.ts'
import { TITLE_CHARS } from './limits.ts'
import type { Conversation } from '../chat/conversation.ts'

export interface Unlisted {
  /** Null: the server has not named it yet. */
  readonly id: string | null
  readonly title: string
  readonly time: string
}

/** Newest first. `list`: what the server has. */
export function createUnlisted(
  { threadId, turns }: Pick<Conversation, 'threadId' | 'turns'>,
  list: ReadonlySignal<readonly ThreadInfo[] | null>,
  now: () => number,
): ReadonlySignal<readonly Unlisted[]> {
  const begun = signal<readonly Unlisted[]>([])
  const unnamed = signal<(Unlisted & { readonly key: string }) | null>(null)
  effect(() => {
    const [first] = turns.value
    const id = threadId.value
    const waits = unnamed.peek()
    if (id === null) {
      if (waits?.key === first?.key) return
      const time = new Date(now()).toISOString()
      unnamed.value = first ? { key: first.key, id, title: titleOf(first.asked.peek().text), time } : null
    } else if (waits) {
      unnamed.value = null
      if (waits.key === first?.key) begun.value = [{ ...waits, id }, ...begun.peek()]
    }
  })
  // Once listed they are the list's: one that it drops was deleted, here, elsewhere, or with the key.
  const seen = new Set<string | null>()
  effect(() => {
    const titles = new Map(list.value?.map(({ id, title }) => [id, title]))
    const left = begun.value.filter(({ id }) =>
      id !== null && titles.has(id) ? !titles.get(id) : !seen.has(id),
    )
    for (const { id } of left) if (id !== null && titles.has(id)) seen.add(id)
    if (left.length < begun.value.length) begun.value = left
  })
  return computed(() => (unnamed.value ? [unnamed.value, ...begun.value] : begun.value))
}

/** The first words of a message, as the server makes a title of them. */
export function titleOf(text: string): string {
  const points = Array.from(visibleLine(text))
  if (points.length <= TITLE_CHARS) return points.join('')
  const head = points.slice(0, TITLE_CHARS - 1).join('')
  const space = head.lastIndexOf(' ')
  return `${(space > TITLE_CHARS / 2 ? head.slice(0, space) : head).replace(/[.,;:\s]+$/, '')}…`
}
