// Shows where the key is stored and what it may still use, and forgets it.

import { useApp } from '../state/app.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { KeyCaps } from './key-caps.tsx'

export function KeySettings({ onClose }: { readonly onClose: () => void }) {
  const { session } = useApp()
  return (
    <Dialog title="Your key" onClose={onClose}>
      <p>
        {session.isRemembered.value
          ? 'Your key is stored in this browser. Every tab uses it, also after a restart.'
          : session.isBorrowed.value
            ? 'Another tab gave this tab your key. Nothing is stored here.'
            : 'Your key is stored in this tab until you close it.'}
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={session.isRemembered.value}
          onChange={(event) => session.remember(event.currentTarget.checked)}
        />
        Remember it in this browser
      </label>
      <KeyCaps />
      <footer>
        <Button
          kind="danger"
          onPress={() => {
            onClose()
            session.forget()
          }}
        >
          Forget the key
        </Button>
      </footer>
    </Dialog>
  )
}
