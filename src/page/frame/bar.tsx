// A line over the view for what concerns the whole page: no network, no server, a key that is not taken any more.

import { useApp } from '../state/app.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'

export function Bar() {
  const { line, session } = useApp()
  const state = line.state.value
  // The room for it is always there: only what comes into it is read aloud.
  return (
    <div class="bar-room" role="status" aria-label="Connection">
      {state !== 'good' && (
        <p class="bar">
          <Icon name="warning" />
          {state === 'offline'
            ? 'You are offline. What you write is kept, and the page goes on when the network is back.'
            : 'The server is not reached. What you write is kept; trying again…'}
        </p>
      )}
      {state === 'good' && session.expired.value && (
        <p class="bar">
          <Icon name="key" />
          The server does not take your key any more. What is on the page stays.
          <Button onPress={() => (session.asking.value = true)}>Enter the key</Button>
        </p>
      )}
    </div>
  )
}
