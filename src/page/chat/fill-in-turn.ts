// Renders the turns of a long thread one at a time, last first, so that its end appears immediately and input is never
// blocked for long.

import { useLayoutEffect, useState } from 'preact/hooks'

/** Callbacks that render the remaining turns, in page order. */
const waiting: (() => void)[] = []
let isRunning = false

/** Whether to render a turn now: immediately if `isAtOnce` is true, otherwise after all later turns. */
export function useFillInTurn(isAtOnce: boolean): boolean {
  const [isFilled, setFilled] = useState(isAtOnce)
  useLayoutEffect(() => {
    if (isFilled) return
    const fill = (): void => setFilled(true)
    waiting.push(fill)
    if (!isRunning) fillNext()
    return () => {
      const index = waiting.indexOf(fill)
      if (index >= 0) waiting.splice(index, 1)
    }
  }, [])
  return isFilled
}

/** Renders one turn per task, so that the browser can handle input in between. */
function fillNext(): void {
  isRunning = waiting.length > 0
  if (!isRunning) return
  setTimeout(() => {
    waiting.pop()?.()
    fillNext()
  })
}
