// Does what the button of a failure says: asks for another key, begins a new thread, or tries the same again.

import { useApp } from '../state/app.ts'
import type { Trouble } from '../lib/failure.ts'
import { atThread } from '../state/frame/route.ts'

type Help = NonNullable<Trouble['help']>

/** For `onHelp` of a notice. `again`: what trying again is here. */
export function useHelp(again: () => void): (help: Help) => void {
  const { route, session } = useApp()
  return (help) => {
    if (help === 'key') session.asking.value = true
    else if (help === 'new') route.go(atThread(null))
    else again()
  }
}
