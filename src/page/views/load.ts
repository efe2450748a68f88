// Loads the data for the current route whenever the route or the key changes.

import { effect, untracked } from '@preact/signals'

import type { App } from '../state/app.ts'
import type { PageRoute } from '../state/frame/route.ts'
import { viewOf } from './all.ts'

export function loadViews(app: App): void {
  let loadedRoute: PageRoute | null = null
  effect(() => {
    const current = app.route.current.value
    const isSignedIn = app.session.client.value !== null
    const isSameRoute = current === loadedRoute
    loadedRoute = isSignedIn ? current : null
    if (isSignedIn) untracked(() => viewOf(current).load?.(app, current, isSameRoute))
  })
}
