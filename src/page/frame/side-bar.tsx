// The side bar: new thread, search, threads, and links to other views. On a narrow screen it is a drawer.

import { useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { SideLinks } from './side-links.tsx'
import { SettingsMenu } from './settings-menu.tsx'
import { Button } from '../parts/button.tsx'
import { hasOpenLayer } from '../lib/open-layers.ts'
import { addressOf, threadRoute } from '../state/frame/route.ts'
import { SearchBox, SearchResults } from '../threads/search.tsx'
import { ThreadList } from '../threads/thread-list.tsx'

export function SideBar({ onHelp }: { readonly onHelp: () => void }) {
  const { drawer, route, search } = useApp()
  const side = useRef<HTMLElement>(null)
  useDrawerFocus(side)
  return (
    <aside
      id="side"
      ref={side}
      aria-label="Threads and skills"
      data-open={drawer.isOpen.value || undefined}
      inert={drawer.isNarrow.value && !drawer.isOpen.value}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || !drawer.isOpen.value || hasOpenLayer()) return
        event.preventDefault()
        drawer.setOpen(false)
      }}
    >
      <div class="side-top">
        <div class="brand">
          <a href={addressOf(threadRoute(null))} onClick={openNewThread}>
            <img src="/icon.svg" alt="" width="24" height="24" />
            Satchel
          </a>
          {drawer.isNarrow.value && (
            <Button kind="plain" icon="close" label="Close" onPress={() => drawer.setOpen(false)} />
          )}
        </div>
        <Button icon="plus" class="wide" onPress={() => route.go(threadRoute(null))}>
          New thread
        </Button>
        <SearchBox />
        <SideLinks isAbove />
      </div>
      <nav aria-label="Threads">{search.query.value.trim() === '' ? <ThreadList /> : <SearchResults />}</nav>
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
