// The route in the address fragment: `#t=ID` is a thread, `#skills` is another view, `#skill=NAME` is a view of one item. Any
// other fragment is a new thread.

import { signal, type ReadonlySignal } from '@preact/signals'

export interface PageRoute {
  /** The address of the view, as in its record in views/. */
  readonly view: string
  /** The item that the view shows; null for a new thread, and for a view without items. */
  readonly id: string | null
  /** Set if the route means the new thread that is already open, and not another new thread. */
  readonly isAlreadyOpen?: true
}

export interface Route {
  readonly current: ReadonlySignal<PageRoute>
  /** Goes to a route. `replace`: replaces the current entry of the browser history. */
  go(route: PageRoute, replace?: boolean): void
}

const THREAD_ADDRESS = '#t='
export const INBOX_ADDRESS = '#inbox'
export const SKILL_ADDRESS = '#skill='

/** The route of a thread, or of a new thread if `id` is null. */
export function threadRoute(id: string | null): PageRoute {
  return { view: THREAD_ADDRESS, id }
}

export function isThreadRoute({ view }: PageRoute): boolean {
  return view === THREAD_ADDRESS
}

export function addressOf({ view, id }: PageRoute): string {
  if (!view.endsWith('=')) return view
  return id === null ? '#' : view + encodeURIComponent(id.toWellFormed())
}

function parseRoute(hash: string, views: readonly string[]): PageRoute {
  const fields = new URLSearchParams(hash.replace(/^#/, ''))
  for (const view of views) {
    const id = fields.get(view.replace(/[#=]/g, '')) ?? null
    if (id !== null && (id !== '' || !view.endsWith('='))) return { view, id: id || null }
  }
  return threadRoute(null)
}

/** Creates the route, which follows the browser history. `views`: the addresses of all views. */
export function createRoute(window: Window, views: readonly string[]): Route {
  const readRoute = (): PageRoute => parseRoute(window.location.hash, views)
  const current = signal<PageRoute>(readRoute())
  window.addEventListener('popstate', () => (current.value = readRoute()))
  return {
    current,
    go: (next, replace = false) => {
      const { pathname } = window.location
      const address = addressOf(next)
      const url = address === '#' ? pathname : pathname + address
      if (replace) window.history.replaceState(null, '', url)
      else window.history.pushState(null, '', url)
      current.value = next
    },
  }
}
