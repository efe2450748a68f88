// Reads what the address names, whenever that or the key changes.

import { effect, untracked } from '@preact/signals'

import type { App } from '../state/app.ts'
import type { PageRoute } from '../state/frame/route.ts'
import { viewOf } from './all.ts'

export function loadViews(app: App): void {
  let loaded: PageRoute | null = null
  effect(() => {
    const place = app.route.place.value
    const isSignedIn = app.session.client.value !== null
    const again = place === loaded
    loaded = isSignedIn ? place : null
    if (isSignedIn) untracked(() => viewOf(place).load?.(app, place, again))
  })
}
