// The route in the address: `#t=ID` a thread, `#skills` another view, `#skill=NAME` a view of one item; otherwise a new thread.

import { signal, type ReadonlySignal } from '@preact/signals'

export interface PageRoute {
  /** The view's address, as in its record (views/). */
  readonly view: string
  /** The item it shows; null for a new thread, or a view without an item. */
  readonly id: string | null
  /** The new thread that is already open, not another one. */
  readonly begun?: true
}

export interface Route {
  readonly current: ReadonlySignal<PageRoute>
  /** `replace`: adds no entry to the browser history. */
  go(to: PageRoute, replace?: boolean): void
}

const THREAD = '#t='

/** Null: a new thread. */
export function atThread(id: string | null): PageRoute {
  return { view: THREAD, id }
}

export function isThread({ view }: PageRoute): boolean {
  return view === THREAD
}

export function addressOf({ view, id }: PageRoute): string {
  if (!view.endsWith('=')) return view
  return id === null ? '#' : view + encodeURIComponent(id.toWellFormed())
}

function pathIn(hash: string, views: readonly string[]): PageRoute {
  const fields = new URLSearchParams(hash.replace(/^#/, ''))
  for (const view of views) {
    const id = fields.get(view.replace(/[#=]/g, '')) ?? null
    if (id !== null && (id !== '' || !view.endsWith('='))) return { view, id: id || null }
  }
  return atThread(null)
}

/** `views`: the addresses of all views. */
export function createRoute(window: Window, views: readonly string[]): Route {
  const read = (): PageRoute => pathIn(window.location.hash, views)
  const current = signal<PageRoute>(read())
  window.addEventListener('popstate', () => (current.value = read()))
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
