// Where the key is kept, and how it is forgotten.

import { useApp } from '../state/app.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'

export function KeySettings({ onClose }: { readonly onClose: () => void }) {
  const { session } = useApp()
  return (
    <Dialog title="Your key" onClose={onClose}>
      <p>
        {session.remembered.value
          ? 'It is kept in this browser: every tab has it, also tomorrow.'
          : 'It is kept in this tab, and is gone when the tab is closed.'}
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={session.remembered.value}
          onChange={(event) => session.remember(event.currentTarget.checked)}
        />
        Remember it in this browser
      </label>
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
