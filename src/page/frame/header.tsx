// The header above the view: its title and the actions that its view record offers.

import { modifierKey } from '../actions/shortcuts.ts'
import { useThreadModel } from '../composer/options.tsx'
import { DemoBadge } from './demo-badge.tsx'
import { SHOW_SIDE_ID } from './side-bar.tsx'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { useApp } from '../state/app.ts'
import { INBOX_ADDRESS, threadRoute } from '../state/frame/route.ts'
import { UNTITLED } from '../state/threads/rows.ts'
import { viewOf } from '../views/all.ts'

/** The model that answers if no API key is set (src/demo). */
const DEMO_MODEL = 'demo'

export function Header() {
  const app = useApp()
  const { drawer, inbox, route, side } = app
  const waiting = inbox.count.value
  const isSideHidden = !drawer.isNarrow.value && side.isHidden.value
  const current = route.current.value
  const view = viewOf(current)
  const { parent, header: { below: Below, menu: ViewMenu } = {} } = view
  // The view of one item shows that item's title itself.
  const title = (parent ?? view).title(app, current)
  const isDemo = useThreadModel().id === DEMO_MODEL
  const backLabel = parent && `All ${parent.link?.text.toLowerCase()}`
  // The inbox itself shows what waits.
  const dot = waiting > 0 && current.view !== INBOX_ADDRESS && <span class="dot" aria-hidden="true" />
  return (
    <header id="head">
      {drawer.isNarrow.value && (
        <Button
          kind="plain"
          icon="menu"
          label={waiting > 0 ? `Menu, ${waiting} waiting` : 'Menu'}
          class="bare"
          isExpanded={drawer.isOpen.value}
          controls="side"
          onPress={() => drawer.setOpen(true)}
        >
          {dot}
        </Button>
      )}
      {isSideHidden && (
        <Button
          kind="plain"
          icon="side"
          id={SHOW_SIDE_ID}
          label={waiting > 0 ? `Show the side bar, ${waiting} waiting` : 'Show the side bar'}
          hint={`Show the side bar (${modifierKey()} B)`}
          class="bare"
          isExpanded={false}
          controls="side"
          onPress={() => side.setHidden(false)}
        >
          {dot}
        </Button>
      )}
      {parent && (
        <a class="button plain bare" href={parent.address} aria-label={backLabel} title={backLabel}>
          <Icon name="chevron-left" />
        </a>
      )}
      <div class="head-title">
        <div class="head-line">
          <h1 dir="auto" title={title ?? undefined} class={title === null ? 'muted' : undefined}>
            {title ?? UNTITLED}
          </h1>
          {isDemo && <DemoBadge />}
        </div>
        {Below && <Below />}
      </div>
      {ViewMenu && <ViewMenu />}
      {(drawer.isNarrow.value || isSideHidden) && (
        <Button
          kind="plain"
          icon="plus"
          label="New thread"
          hint={`New thread (${modifierKey()} Shift O)`}
          onPress={() => route.go(threadRoute(null))}
        />
      )}
    </header>
  )
}
