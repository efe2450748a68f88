// The side bar: new thread, search, threads, and links to other views. A drawer on a narrow screen.

import { useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { SettingsMenu } from './settings-menu.tsx'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { somethingIsOnTop } from '../lib/topmost.ts'
import { addressOf, atThread } from '../state/frame/route.ts'
import { VIEWS, viewOf } from '../views/all.ts'
import { SearchBox, SearchResults } from '../threads/search.tsx'
import { ThreadList } from '../threads/thread-list.tsx'

export function Side({ onHelp }: { readonly onHelp: () => void }) {
  const { drawer, route, search } = useApp()
  const side = useRef<HTMLElement>(null)
  useDrawerFocus(side)
  const current = viewOf(route.current.value)
  return (
    <aside
      id="side"
      ref={side}
      aria-label="Threads and skills"
      data-open={drawer.open.value || undefined}
      inert={drawer.narrow.value && !drawer.open.value}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || !drawer.open.value || somethingIsOnTop())
          return
        event.preventDefault()
        drawer.set(false)
      }}
    >
      <div class="side-top">
        <div class="brand">
          <a href={addressOf(atThread(null))} onClick={toNew}>
            <img src="/icon.svg" alt="" width="24" height="24" />
            Satchel
          </a>
          {drawer.narrow.value && (
            <Button kind="plain" icon="close" label="Close" onPress={() => drawer.set(false)} />
          )}
        </div>
        <Button icon="plus" class="wide" onPress={() => route.go(atThread(null))}>
          New thread
        </Button>
        <SearchBox />
      </div>
      <nav aria-label="Threads">{search.query.value.trim() === '' ? <ThreadList /> : <SearchResults />}</nav>
      <div class="side-foot">
        {VIEWS.map(
          (view) =>
            view.link && (
              <a
                key={view.address}
                class="button plain side-link"
                href={view.address}
                aria-current={view === current || view === current.parent ? 'page' : undefined}
              >
                <Icon name={view.link.icon} />
                {view.link.text}
              </a>
            ),
        )}
        <SettingsMenu onHelp={onHelp} />
      </div>
    </aside>
  )

  function toNew(event: Event): void {
    event.preventDefault()
    route.go(atThread(null))
  }
}

/** An open drawer takes the focus; closing it returns the focus. */
function useDrawerFocus(side: { readonly current: HTMLElement | null }): void {
  const { drawer } = useApp()
  const before = useRef<Element | null>(null)
  useSignalEffect(() => {
    const open = drawer.open.value
    // Before the content behind the drawer loses the focus.
    if (open) before.current = document.activeElement
    // Wait until this change is rendered.
    requestAnimationFrame(() => {
      if (open && !side.current?.contains(document.activeElement))
        side.current?.querySelector<HTMLElement>('.brand button')?.focus()
      if (!open && before.current instanceof HTMLElement) {
        const lost =
          document.activeElement === document.body || side.current?.contains(document.activeElement)
        if (lost) before.current.focus()
        before.current = null
      }
    })
  })
}
