// The menu of a thread. Deleting the open thread opens a new thread; undo returns to the deleted one.

import type { MenuItem } from '../parts/menu.tsx'
import { useApp } from '../state/app.ts'
import { threadRoute, isThreadRoute } from '../state/frame/route.ts'

/** `threadIds`: the thread and its branches. The one that names them is the first. */
export function useThreadMenu(threadIds: readonly string[], title: string): readonly MenuItem[] {
  const { conversation, deletions, renamedThread, route } = useApp()
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
    { label, icon: 'trash', isDangerous: true, onPress: remove },
  ]
}
