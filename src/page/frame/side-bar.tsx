// The side bar: new thread, search, threads, and links to other views. On a narrow screen it is a drawer.

import { useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { modifierKey } from '../actions/shortcuts.ts'
import { SideLinks } from './side-links.tsx'
import { SettingsMenu } from './settings-menu.tsx'
import { Button } from '../parts/button.tsx'
import { hasOpenLayer } from '../lib/open-layers.ts'
import { addressOf, threadRoute } from '../state/frame/route.ts'
import { ThreadList } from '../threads/thread-list.tsx'

/** The button that shows the side bar, in the header. */
export const SHOW_SIDE_ID = 'show-side'

export function SideBar({ onHelp }: { readonly onHelp: () => void }) {
  const { drawer, isPaletteOpen, route, side } = useApp()
  const aside = useRef<HTMLElement>(null)
  useDrawerFocus(aside)
  useHiddenFocus(aside)
  useDrawerEscape()
  return (
    <aside
      id="side"
      ref={aside}
      aria-label="Threads and skills"
      data-open={drawer.isOpen.value || undefined}
      inert={drawer.isNarrow.value ? !drawer.isOpen.value : side.isHidden.value}
    >
      <div class="side-top">
        <div class="brand">
          <a href={addressOf(threadRoute(null))} onClick={openNewThread}>
            <img src="/icon.svg" alt="" width="24" height="24" />
            Satchel
          </a>
          {drawer.isNarrow.value ? (
            <Button kind="plain" icon="close" label="Close" onPress={() => drawer.setOpen(false)} />
          ) : (
            <Button
              kind="plain"
              icon="side"
              label="Hide the side bar"
              hint={`Hide the side bar (${modifierKey()} B)`}
              isExpanded
              controls="side"
              onPress={() => side.setHidden(true)}
            />
          )}
        </div>
        <Button
          icon="plus"
          class="wide"
          hint={`New thread (${modifierKey()} Shift O)`}
          onPress={() => route.go(threadRoute(null))}
        >
          New thread
        </Button>
        <div>
          <Button
            kind="plain"
            icon="search"
            class="side-link"
            opens="dialog"
            onPress={() => {
              if (drawer.isNarrow.peek()) drawer.setOpen(false)
              isPaletteOpen.value = true
            }}
          >
            Search
            <span class="caps" aria-hidden="true">
              <kbd>{modifierKey()}</kbd>
              <kbd>K</kbd>
            </span>
          </Button>
          <SideLinks isAbove />
        </div>
      </div>
      <nav aria-label="Threads">
        <ThreadList />
      </nav>
      <div class="side-foot">
        <SideLinks />
        <SettingsMenu onHelp={onHelp} />
      </div>
    </aside>
  )

  function openNewThread(event: Event): void {
    event.preventDefault()
    route.go(threadRoute(null))
  }
}

/**
 * Moves the focus from the button that hides the side bar to the one that shows it, or back, if the change removed the
 * focused one.
 */
function useHiddenFocus(aside: { readonly current: HTMLElement | null }): void {
  const { drawer, side } = useApp()
  const wasHidden = useRef(side.isHidden.peek())
  useSignalEffect(() => {
    const isHidden = side.isHidden.value
    if (isHidden === wasHidden.current || drawer.isNarrow.peek()) return
    wasHidden.current = isHidden
    // Wait until this change is rendered.
    requestAnimationFrame(() => {
      const focused = document.activeElement
      if (focused !== document.body && !aside.current?.contains(focused)) return
      const button = isHidden
        ? document.getElementById(SHOW_SIDE_ID)
        : aside.current?.querySelector<HTMLElement>('.brand button')
      button?.focus()
    })
  })
}

/** Closes the drawer on Escape wherever the focus is, before the key reaches the window, where it stops an answer. */
function useDrawerEscape(): void {
  const { drawer } = useApp()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || !drawer.isOpen.peek() || hasOpenLayer()) return
      event.preventDefault()
      drawer.setOpen(false)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Moves the focus into the drawer when it opens, and back when it closes. */
function useDrawerFocus(side: { readonly current: HTMLElement | null }): void {
  const { drawer } = useApp()
  const focusedBefore = useRef<Element | null>(null)
  useSignalEffect(() => {
    const isOpen = drawer.isOpen.value
    // Remember the focus before the content behind the drawer becomes inert and loses it.
    if (isOpen) focusedBefore.current = document.activeElement
    // Wait until this change is rendered.
    requestAnimationFrame(() => {
      if (isOpen && !side.current?.contains(document.activeElement))
        side.current?.querySelector<HTMLElement>('.brand button')?.focus()
      if (!isOpen && focusedBefore.current instanceof HTMLElement) {
        const hasLostFocus =
          document.activeElement === document.body || side.current?.contains(document.activeElement)
        if (hasLostFocus) focusedBefore.current.focus()
        focusedBefore.current = null
      }
    })
  })
}
