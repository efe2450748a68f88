// The menu of a thread. Deleting the open thread opens a new thread; undo returns to the deleted one.

import type { MenuItem } from '../parts/menu.tsx'
import { useApp } from '../state/app.ts'
import { threadRoute, isThreadRoute } from '../state/frame/route.ts'

export function useThreadMenu(id: string, title: string): readonly MenuItem[] {
  const { conversation, deletions, renamedThread, route } = useApp()
  const remove = (): void => {
    const isOpen = conversation.threadId.peek() === id && isThreadRoute(route.current.peek())
    deletions.remove(id, title, () => {
      if (isOpen) route.go(threadRoute(id))
    })
    if (isOpen) route.go(threadRoute(null), true)
  }
  return [
    { label: 'Rename…', icon: 'pencil', onPress: () => (renamedThread.value = { id, title }) },
    { label: 'Delete', icon: 'trash', isDangerous: true, onPress: remove },
  ]
}
