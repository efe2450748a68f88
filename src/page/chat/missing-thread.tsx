// Shown instead of a conversation that does not exist for this user.

import { Button } from '../parts/button.tsx'
import { useApp } from '../state/app.ts'
import { threadRoute } from '../state/frame/route.ts'

export function MissingThread() {
  const { conversation, route } = useApp()
  const codes = conversation.trouble.value?.supportCodes
  return (
    <div class="card missing" role="alert">
      <p>This thread does not exist or was deleted.</p>
      <Button onPress={() => route.go(threadRoute(null))}>New thread</Button>
      {codes && (
        <details>
          <summary>Details</summary>
          <small>{codes}</small>
        </details>
      )}
    </div>
  )
}
