// What is asked about the key while the page stands behind it: another one for an expired one, and a link that brings one.

import { useApp } from '../state/app.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { KeyForm } from './key-form.tsx'

export function KeyDialogs() {
  const { session } = useApp()
  if (session.offered.value !== null) return <OfferedKey />
  if (!session.asking.value || !session.client.value) return null
  return (
    <Dialog title="Enter your key again" onClose={() => (session.asking.value = false)}>
      <p>The server does not take your key any more. Everything on this page stays as it is.</p>
      <KeyForm title={null} />
    </Dialog>
  )
}

/** A link must not move somebody who is signed in to another account without a word. */
function OfferedKey() {
  const { session } = useApp()
  const keep = (): void => session.decide(false)
  return (
    <Dialog title="This link brings another key" onClose={keep}>
      <p>
        You are signed in with a key of your own. With the key of the link, this tab shows the threads and
        skills of another account. Use it only if you trust whoever sent the link.
      </p>
      <footer>
        <Button onPress={() => session.decide(true)}>Use the link’s key in this tab</Button>
        <Button kind="main" onPress={keep}>
          Keep my key
        </Button>
      </footer>
    </Dialog>
  )
}
