// Page-wide keyboard shortcuts.

import type { App } from '../state/app.ts'
import { threadRoute } from '../state/frame/route.ts'
import { shortcutFor } from './shortcuts.ts'

/** Handles the page's shortcuts. Returns a function that removes the listener. */
export function listenToKeys({ drawer, route, shortcuts }: App, showHelp: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    // An open dialog handles its own keys.
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog:modal')) return
    const action = shortcutFor(event, isTextField(event.target), shortcuts.singleKeys.peek())
    if (action === null) return
    event.preventDefault()
    if (action === 'help') showHelp()
    if (action === 'new') route.go(threadRoute(null))
    if (action === 'write' || action === 'new') focusSoon('message')
    if (action === 'search') {
      drawer.setOpen(true)
      focusSoon('search')
    }
  }
  window.addEventListener('keydown', onKeyDown)
  return () => window.removeEventListener('keydown', onKeyDown)
}

function isTextField(target: EventTarget | null): boolean {
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
  const element = document.getElementById(id)
  element?.focus()
  if (element instanceof HTMLInputElement) element.select()
  return element !== null && element === document.activeElement
}
