// A bar below the header for problems that affect the whole page: no network, no server, or a key that is no longer accepted.

import { useApp } from '../state/app.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'

export function ProblemBar() {
  const { composer, connection, session } = useApp()
  const state = connection.state.value
  const draftNote = composer.text.value.trim() === '' ? '' : ' Your draft is saved.'
  // Always rendered: screen readers announce only changes inside an existing region.
  return (
    <section aria-label="Connection">
      <div role="status">
        {state !== 'good' && (
          <p class="bar calm">
            <Icon name="warning" />
            {state === 'offline'
              ? `You’re offline. Messages will be sent when the network is back.${draftNote}`
              : `The server cannot be reached.${draftNote} Trying again…`}
          </p>
        )}
        {state === 'good' && session.isExpired.value && (
          <p class="bar">
            <Icon name="key" />
            The server no longer accepts your key. What you see on this page is kept.
            <Button onPress={() => (session.isAskingForKey.value = true)}>Enter the key</Button>
          </p>
        )}
      </div>
    </section>
  )
}
