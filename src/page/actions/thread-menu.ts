// The menu of a thread. Deleting the open thread opens another of its versions, or a new thread; undo returns to the deleted one.

import type { MenuItem } from '../parts/menu.tsx'
import { useApp } from '../state/app.ts'
import { useExport } from './use-export.ts'
import { threadRoute, isThreadRoute } from '../state/frame/route.ts'
import { rowOf } from '../state/threads/rows.ts'

/**
 * `threadIds`: the thread and its branches. The one that names them is the first. `shownId`: the branch that the row opens, which is
 * exported.
 */
export function useThreadMenu(
  threadIds: readonly string[],
  shownId: string,
  title: string,
): readonly MenuItem[] {
  const { conversation, deletions, renamedThread, route, rows, threadToDelete } = useApp()
  const exportThread = useExport()
  const [id = ''] = threadIds
  const isThread = isThreadRoute(route.current.value)
  const current = conversation.threadId.value
  /** The branch that is open; null if none of them is. */
  const openId = isThread && current !== null && threadIds.includes(current) ? current : null
  const remove = (ids: readonly string[]): void => {
    const [rest] = threadIds.filter((other) => !ids.includes(other))
    const isOpen = openId !== null && ids.includes(openId)
    const undo = (): void => {
      if (isOpen) route.go(threadRoute(openId))
    }
    deletions.remove(ids, title, undo, rest !== undefined)
    // The row already leads to a remaining version.
    const next = rest === undefined ? null : (rowOf(rows.peek(), rest)?.id ?? rest)
    if (isOpen) route.go(threadRoute(next), true)
  }
  const isBranched = threadIds.length > 1
  const trash = { icon: 'trash', isDangerous: true } as const
  return [
    { label: 'Rename…', icon: 'pencil', onPress: () => (renamedThread.value = { id, title }) },
    {
      label: 'Export as Markdown',
      icon: 'download',
      onPress: () => void exportThread(shownId, title, 'markdown'),
    },
    {
      label: 'Export as JSON',
      icon: 'download',
      onPress: () => void exportThread(shownId, title, 'json'),
    },
    ...(isBranched && openId !== null
      ? [{ ...trash, hasSeparator: true, label: 'Delete this version', onPress: () => remove([openId]) }]
      : []),
    {
      ...trash,
      hasSeparator: true,
      // A thread without versions needs no question: its deletion can be undone.
      label: isBranched ? 'Delete thread…' : 'Delete',
      onPress: () => {
        if (!isBranched) return remove(threadIds)
        threadToDelete.value = {
          title,
          otherVersions: threadIds.length - 1,
          remove: () => remove(threadIds),
        }
      },
    },
  ]
}
