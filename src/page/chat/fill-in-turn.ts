// Renders the turns of a long thread one by one, the last first, so that its end appears at once and keys never wait for the rest.

import { useLayoutEffect, useState } from 'preact/hooks'

/** What is not rendered yet, in the order of the page. */
const waiting: (() => void)[] = []
let isRunning = false

/** Whether a turn is to be rendered: at once, or when those after it are. */
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

/** Each turn is a task of its own. */
function fillNext(): void {
  isRunning = waiting.length > 0
  if (!isRunning) return
  setTimeout(() => {
    waiting.pop()?.()
    fillNext()
  })
}
