// What is shown, as the address says it: `#t=ID` a thread, `#skills` the library, `#skill=NAME` one skill, else a new thread.

import { signal, type ReadonlySignal } from '@preact/signals'

export type Place =
  | {
      readonly view: 'chat'
      readonly threadId: string | null
      /** The one that has no id yet, as it stands: not a new one. */
      readonly begun?: true
    }
  | { readonly view: 'skills' }
  | { readonly view: 'skill'; readonly name: string }

export interface Route {
  readonly place: ReadonlySignal<Place>
  /** `replace`: without a step in the browser's history. */
  go(place: Place, replace?: boolean): void
}

function placeIn(hash: string): Place {
  const fields = new URLSearchParams(hash.replace(/^#/, ''))
  const skill = fields.get('skill')
  if (skill) return { view: 'skill', name: skill }
  if (fields.has('skills')) return { view: 'skills' }
  return { view: 'chat', threadId: fields.get('t') || null }
}

export function addressOf(place: Place): string {
  if (place.view === 'skills') return '#skills'
  if (place.view === 'skill') return `#skill=${encodeURIComponent(place.name.toWellFormed())}`
  return place.threadId === null ? '#' : `#t=${encodeURIComponent(place.threadId)}`
}

export function createRoute(window: Window): Route {
  const place = signal<Place>(placeIn(window.location.hash))
  const read = (): void => {
    place.value = placeIn(window.location.hash)
  }
  window.addEventListener('popstate', read)
  return {
    place,
    go: (next, replace = false) => {
      const { pathname } = window.location
      const address = addressOf(next)
      const url = address === '#' ? pathname : pathname + address
      if (replace) window.history.replaceState(null, '', url)
      else window.history.pushState(null, '', url)
      place.value = next
    },
  }
}
