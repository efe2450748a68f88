// The title of the document: what is looked at, and how many threads wait for the reader.

import { useSignalEffect } from '@preact/signals'

import type { App } from '../state/app.ts'
import type { Conversation } from '../state/chat/conversation.ts'
import { UNTITLED } from '../state/threads/rows.ts'

/** The server has no such thread, or none for this reader: there is nothing to rename or to delete. */
export function isMissing({ state, trouble }: Pick<Conversation, 'state' | 'trouble'>): boolean {
  return state.value === 'failed' && trouble.value?.help === 'new'
}

/** The title of the thread that is open; null: it is a new one. */
function titleOfOpen({ conversation, rows }: Pick<App, 'conversation' | 'rows'>): string | null {
  if (isMissing(conversation)) return 'Thread not found'
  const id = conversation.threadId.value
  const row = rows.value?.find((one) => one.id === id)
  if (row) return row.title
  if (id === null) return null
  return conversation.info.value?.title || UNTITLED
}

/** What the view is called. */
export function titleOfView(app: Pick<App, 'conversation' | 'route' | 'rows'>): string | null {
  const place = app.route.place.value
  if (place.view === 'skills') return 'Skills'
  return place.view === 'skill' ? place.name : titleOfOpen(app)
}

export function useDocumentTitle(app: App): void {
  useSignalEffect(() => {
    const waiting = app.threads.waiting.value.size
    const title = titleOfView(app)
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title === null ? '' : `${title} · `}Satchel`
  })
}
