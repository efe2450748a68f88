// The menu of a thread. Deleting the open thread opens a new thread; undo returns to the deleted one.

import type { MenuItem } from '../parts/menu.tsx'
import { useApp } from '../state/app.ts'
import { useExport } from './use-export.ts'
import { threadRoute, isThreadRoute } from '../state/frame/route.ts'

/**
 * `threadIds`: the thread and its branches. The one that names them is the first. `shownId`: the branch that is shown, which is
 * exported.
 */
export function useThreadMenu(
  threadIds: readonly string[],
  shownId: string,
  title: string,
): readonly MenuItem[] {
  const { conversation, deletions, renamedThread, route } = useApp()
  const exportThread = useExport()
  const [id = ''] = threadIds
  const remove = (): void => {
    const openId = conversation.threadId.peek()
    const isOpen = openId !== null && threadIds.includes(openId) && isThreadRoute(route.current.peek())
    deletions.remove(threadIds, title, () => {
      if (isOpen) route.go(threadRoute(openId))
    })
    if (isOpen) route.go(threadRoute(null), true)
  }
  const label = threadIds.length > 1 ? `Delete ${threadIds.length} threads` : 'Delete'
  return [
    { label: 'Rename…', icon: 'pencil', onPress: () => (renamedThread.value = { id, title }) },
    {
      label: 'Export as Markdown',
      icon: 'download',
      onPress: () => void exportThread(shownId, title, 'markdown'),
    },
    {
      label: 'Export as JSON',
      icon: 'code',
      onPress: () => void exportThread(shownId, title, 'json'),
    },
    { label, icon: 'trash', hasSeparator: true, isDangerous: true, onPress: remove },
  ]
}
