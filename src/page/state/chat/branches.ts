// The branches of the open thread: reads them from the server, and switches between them. Renders nothing.

import { computed, effect, signal, untracked, type ReadonlySignal, type Signal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import type { ThreadInfo } from '../../../thread/api.ts'
import { readPages } from '../../lib/pages.ts'
import {
  branchPoints,
  nodeOf,
  threadsWith,
  type BranchPoint,
  type BranchTree,
} from '../../run/branch-tree.ts'
import { BRANCH_PAGES_MAX } from './limits.ts'
import type { Turn } from './turn.ts'

/** A switch that has not been shown yet, with what the reader looked at. */
export interface BranchSwitch {
  readonly threadId: string
  /** Number of messages before the question. */
  readonly at: number
  readonly direction: 'previous' | 'next'
  /** Distance in px between the question and the top of the conversation, which stays the same. */
  readonly offset: number
}

export interface Branches {
  /** The versions of the question of a turn; null if there is only one. */
  pointOf(turn: Turn): BranchPoint | null
  /** Whether the thread belongs to the same tree as the open one. */
  includes(threadId: string): boolean
  /** Adds a fork of the open thread that was just created. */
  add(threadId: string): void
  /** The thread to show for the previous or next version of a turn's question, or null if there is none. */
  neighbour(turn: Turn, direction: BranchSwitch['direction']): string | null
  /** Set when the reader switches, and cleared when the other branch is shown. */
  readonly pendingSwitch: Signal<BranchSwitch | null>
}

/** `info`: the open thread as the server describes it. `hiddenIds`: threads that are being deleted. */
export function createBranches(
  client: ReadonlySignal<Client | null>,
  info: ReadonlySignal<ThreadInfo | null>,
  hiddenIds: ReadonlySignal<ReadonlySet<string>>,
): Branches {
  const known = signal<BranchTree>(new Map())
  const tree = computed((): BranchTree => {
    const [all, hidden] = [known.value, hiddenIds.value]
    return new Map([...all].filter(([id]) => !hidden.has(id)))
  })
  const pendingSwitch = signal<BranchSwitch | null>(null)
  let root: string | null = null
  let newestFork: string | null = null
  /** The threads in the order in which they were shown. */
  let shownIds: readonly string[] = []

  effect(() => {
    const shown = info.value
    if (shown) untracked(() => void update(shown))
  })

  async function update(shown: ThreadInfo): Promise<void> {
    const before = shown.root === root ? known.peek() : []
    root = shown.root
    shownIds = [...shownIds.filter((id) => id !== shown.id), shown.id]
    const own = [shown.id, nodeOf(shown)] as const
    known.value = new Map([...before, own])
    const activeClient = client.peek()
    if (!activeClient || (shown.root === shown.id && shown.branches.length === 0)) return
    const listed = await readPages<ThreadInfo>(activeClient, {
      path: '/v1/threads',
      query: { root: shown.root },
      pagesMax: BRANCH_PAGES_MAX,
    })
    if (!listed.ok || info.peek() !== shown) return
    const nodes = new Map(listed.value.map((thread) => [thread.id, nodeOf(thread)] as const))
    // A list without the shown thread is older than that thread.
    known.value = new Map(nodes.has(shown.id) ? [...nodes, own] : [...before, ...nodes, own])
  }

  const points = computed(() => (info.value ? branchPoints(tree.value, info.value.id) : null))

  function pointOf(turn: Turn): BranchPoint | null {
    const at = turn.question.value.messagesBefore ?? null
    return (at === null ? null : points.value?.get(at)) ?? null
  }

  return {
    pointOf,
    pendingSwitch,
    includes: (threadId) => known.peek().has(threadId) || threadId === newestFork,
    add: (threadId) => void (newestFork = threadId),
    neighbour(turn, direction) {
      const point = pointOf(turn)
      const version = point?.versions[point.index + (direction === 'next' ? 1 : -1)]
      if (version === undefined) return null
      const candidates = threadsWith(tree.peek(), version, turn.question.peek().messagesBefore ?? 0)
      const newest = [...tree.peek().values()]
        .filter(({ id }) => candidates.includes(id))
        .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
      return shownIds.findLast((id) => candidates.includes(id)) ?? newest[0]?.id ?? version
    },
  }
}
