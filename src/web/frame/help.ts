// What the button of a notice does: another key, a new thread, or the same once more. Draws nothing.

import { useApp } from '../app.ts'
import type { Trouble } from '../lib/failure.ts'

/** `again`: what is done once more. */
export function useHelp(again: () => void): (help: NonNullable<Trouble['help']>) => void {
  const { route, session } = useApp()
  return (help) => {
    if (help === 'key') session.asking.value = true
    else if (help === 'new') route.go({ view: 'chat', threadId: null })
    else again()
  }
}
