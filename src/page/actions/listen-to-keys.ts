// Page-wide keyboard shortcuts.

import type { App } from '../state/app.ts'
import { threadRoute } from '../state/frame/route.ts'
import { shortcutFor } from './shortcuts.ts'

/** Handles the page's shortcuts. Returns a function that removes the listener. */
export function listenToKeys(app: App, showHelp: () => void): () => void {
  const { isPaletteOpen, route, shortcuts } = app
  const onKeyDown = (event: KeyboardEvent): void => {
    // An open dialog handles its own keys.
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog:modal')) return
    const action = shortcutFor(event, isTextField(event.target), shortcuts.singleKeys.peek())
    if (action === null) return
    event.preventDefault()
    if (action === 'help') showHelp()
    if (action === 'new') route.go(threadRoute(null))
    if (action === 'write' || action === 'new') focusSoon('message')
    if (action === 'side') toggleSide(app)
    if (action === 'search') isPaletteOpen.value = true
  }
  window.addEventListener('keydown', onKeyDown)
  return () => window.removeEventListener('keydown', onKeyDown)
}

/** Shows or hides the side bar, which on a narrow screen is a drawer. */
export function toggleSide({ drawer, side }: Pick<App, 'drawer' | 'side'>): void {
  if (drawer.isNarrow.peek()) drawer.setOpen(!drawer.isOpen.peek())
  else side.setHidden(!side.isHidden.peek())
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
