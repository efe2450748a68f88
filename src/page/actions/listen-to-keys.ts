// Page-wide keyboard shortcuts.

import type { App } from '../state/app.ts'
import { atThread } from '../state/frame/route.ts'
import { shortcutOf } from './shortcuts.ts'

/** Returns a function that removes the listener. */
export function listenToKeys({ drawer, route, shortcuts }: App, help: () => void): () => void {
  const listen = (event: KeyboardEvent): void => {
    // An open dialog handles its own keys.
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog:modal')) return
    const act = shortcutOf(event, isWriting(event.target), shortcuts.singles.peek())
    if (act === null) return
    event.preventDefault()
    if (act === 'help') help()
    if (act === 'new') route.go(atThread(null))
    if (act === 'write' || act === 'new') focusSoon('message')
    if (act === 'search') {
      drawer.set(true)
      focusSoon('search')
    }
  }
  window.addEventListener('keydown', listen)
  return () => window.removeEventListener('keydown', listen)
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role=menu] *'))
  )
}

/** Focuses now if the element exists, so that no keystroke is lost; otherwise after the next render. */
export function focusSoon(id: string): void {
  if (!focus(id)) requestAnimationFrame(() => focus(id))
}

function focus(id: string): boolean {
  const found = document.getElementById(id)
  found?.focus()
  if (found instanceof HTMLInputElement) found.select()
  return found !== null && found === document.activeElement
}
