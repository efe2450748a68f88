// The title of the document: what is looked at, and how many threads wait for the reader.

import { useSignalEffect } from '@preact/signals'

import type { App } from '../app.ts'
import { UNTITLED } from '../state/rows.ts'

/** The title of the thread that is open; null: it is a new one. */
function titleOfOpen({ conversation, rows }: App): string | null {
  const id = conversation.threadId.value
  const row = rows.value?.find((one) => one.id === id)
  if (row) return row.title
  if (id === null) return null
  return conversation.info.value?.title || UNTITLED
}

/** What the view is called. */
export function titleOfView(app: App): string | null {
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
