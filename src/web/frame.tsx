// The page's frame: who is not signed in sees the key form, who is sees the side, and the view that the address names.

import { useApp } from './app.ts'
import { ChatView } from './chat/chat-view.tsx'
import { FilesPanel } from './files/panel.tsx'
import { KeyForm } from './key-form.tsx'
import { ToastRoom } from './parts/toasts.tsx'
import { Side } from './threads/side.tsx'

export function Frame() {
  const { session, toasts } = useApp()
  if (!session.client.value) return <KeyForm />
  return (
    <>
      <Side />
      <main>
        <ChatView />
      </main>
      <FilesPanel />
      <ToastRoom toasts={toasts} />
    </>
  )
}
