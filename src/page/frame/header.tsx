// Over the view: what is looked at, where it branched off, and what can be done with it.

import { useApp } from '../state/app.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { addressOf } from '../state/frame/route.ts'
import { UNTITLED } from '../state/threads/rows.ts'
import { useDelete } from '../actions/delete-thread.ts'
import { Branches } from '../chat/branches.tsx'
import { isMissing, titleOfView } from './title.ts'

export function Header() {
  const app = useApp()
  const { conversation, drawer, route } = app
  const place = route.place.value
  const title = titleOfView(app)
  const id = place.view === 'chat' ? conversation.threadId.value : null
  return (
    <header id="head">
      {drawer.narrow.value && (
        <Button
          kind="plain"
          icon="menu"
          label="Menu"
          expanded={drawer.open.value}
          controls="side"
          onPress={() => drawer.set(true)}
        />
      )}
      {place.view === 'skill' && (
        <a
          class="button plain bare"
          href={addressOf({ view: 'skills' })}
          aria-label="All skills"
          title="All skills"
        >
          <Icon name="chevron-left" />
        </a>
      )}
      <div class="head-title">
        <h1 dir="auto" title={title ?? undefined} class={title === null ? 'muted' : undefined}>
          {title ?? UNTITLED}
        </h1>
        {id !== null && <Branches />}
      </div>
      {id !== null && !isMissing(conversation) && <ThreadMenu id={id} title={title ?? UNTITLED} />}
      {drawer.narrow.value && (
        <Button
          kind="plain"
          icon="plus"
          label="New thread"
          onPress={() => route.go({ view: 'chat', threadId: null })}
        />
      )}
    </header>
  )
}

function ThreadMenu({ id, title }: { readonly id: string; readonly title: string }) {
  const { naming } = useApp()
  const remove = useDelete()
  return (
    <Menu
      label="Thread"
      items={[
        { label: 'Rename…', icon: 'pencil', onPress: () => (naming.value = { id, title }) },
        { label: 'Delete', icon: 'trash', danger: true, onPress: () => remove(id, title) },
      ]}
    />
  )
}
