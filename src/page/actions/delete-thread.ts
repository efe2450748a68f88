// Deletes a thread as a person does it: whoever looks at it is led away, and back by an undo.

import { useApp } from '../state/app.ts'

export function useDelete(): (id: string, title: string) => void {
  const { conversation, deletions, route } = useApp()
  return (id, title) => {
    const isOpen = conversation.threadId.peek() === id && route.place.peek().view === 'chat'
    deletions.remove(id, title, () => {
      if (isOpen) route.go({ view: 'chat', threadId: id })
    })
    if (isOpen) route.go({ view: 'chat', threadId: null }, true)
  }
}
