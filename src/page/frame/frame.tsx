// The page's frame: the key form, or the side bar and the view for the current address.

import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { ProblemBar } from './problem-bar.tsx'
import { Boundary } from './boundary.tsx'
import { Header } from './header.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { listenToKeys } from '../actions/listen-to-keys.ts'
import { KeyDialogs } from '../key/key-dialogs.tsx'
import { KeyForm } from '../key/key-form.tsx'
import { ToastRegion } from '../parts/toasts.tsx'
import { viewOf } from '../views/all.ts'
import { Palette } from '../palette/palette.tsx'
import { DeleteDialog } from '../threads/delete-dialog.tsx'
import { RenameDialog } from '../threads/rename-dialog.tsx'
import { DropZone } from './drop-zone.tsx'
import { SideEdge } from './side-edge.tsx'
import { SideBar } from './side-bar.tsx'

export function Frame() {
  const { session } = useApp()
  return (
    <>
      {session.client.value ? <SignedIn /> : session.isAwaitingKey.value ? null : <SignIn />}
      <KeyDialogs />
    </>
  )
}

function SignIn() {
  useEffect(() => {
    document.title = 'Satchel'
  }, [])
  return (
    <main class="sign-in">
      <KeyForm title="Sign in to Satchel" />
    </main>
  )
}

function SignedIn() {
  const app = useApp()
  const { drawer, inbox, isPaletteOpen, renamedThread, route, toasts } = app
  const isHelpOpen = useSignal(false)
  useEffect(() => listenToKeys(app, () => (isHelpOpen.value = true)), [])
  useSignalEffect(() => {
    const current = route.current.value
    const waiting = inbox.count.value
    const title = viewOf(current).title(app, current)
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title === null ? '' : `${title} · `}Satchel`
  })
  // After the user chooses something in the drawer, the drawer closes.
  useSignalEffect(() => {
    void route.current.value
    drawer.setOpen(false)
  })
  const isCovered = drawer.isOpen.value
  const { view: View, aside: Aside } = viewOf(route.current.value)
  return (
    <>
      {!isCovered && (
        <a class="skip button" href="#message" onClick={focusMessage}>
          Go to the message
        </a>
      )}
      <SideBar onHelp={() => (isHelpOpen.value = true)} />
      <SideEdge />
      {isCovered && <div class="shade" onClick={() => drawer.setOpen(false)} />}
      <div id="room" inert={isCovered}>
        <Header />
        <ProblemBar />
        <main id="view" tabIndex={-1}>
          <Boundary route={route.current.value}>
            <View />
          </Boundary>
        </main>
      </div>
      {Aside && <Aside />}
      {isPaletteOpen.value && <Palette onHelp={() => (isHelpOpen.value = true)} />}
      {isHelpOpen.value && <KeysDialog onClose={() => (isHelpOpen.value = false)} />}
      <DeleteDialog />
      {renamedThread.value && (
        <RenameDialog
          key={renamedThread.value.id}
          {...renamedThread.value}
          onClose={() => (renamedThread.value = null)}
        />
      )}
      <ToastRegion toasts={toasts} />
      <DropZone />
    </>
  )
}

/** Moves the focus without following the link: the address fragment contains the route and must not change. */
function focusMessage(event: Event): void {
  event.preventDefault()
  const target = document.getElementById('message') ?? document.getElementById('view')
  target?.focus()
}
