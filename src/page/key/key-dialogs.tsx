// Dialogs about the key: one asks for a new key after it expired, one asks whether to use the key from a link.

import { useApp } from '../state/app.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { KeyForm } from './key-form.tsx'

export function KeyDialogs() {
  const { session } = useApp()
  if (session.offeredKey.value !== null) return <OfferedKey />
  if (!session.isAskingForKey.value || !session.client.value) return null
  return (
    <Dialog title="Enter your key again" onClose={() => (session.isAskingForKey.value = false)}>
      <p>The server no longer accepts your key. Everything on this page stays as it is.</p>
      <KeyForm title={null} />
    </Dialog>
  )
}

/** A link must not move a signed-in user to another account without asking. */
function OfferedKey() {
  const { session } = useApp()
  const keepOwnKey = (): void => session.decideOffer(false)
  return (
    <Dialog title="This link has another key" onClose={keepOwnKey}>
      <p>
        You are already signed in. With the key from the link, this tab shows the threads and skills of
        another account. Use it only if you trust the person who sent the link.
      </p>
      <footer>
        <Button onPress={() => session.decideOffer(true)}>Use the link’s key in this tab</Button>
        <Button kind="main" onPress={keepOwnKey}>
          Keep my key
        </Button>
      </footer>
    </Dialog>
  )
}
