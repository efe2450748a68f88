// What kind of screen the page is on, followed while it changes.

import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

/** Room for a panel beside the conversation. */
export const WIDE = '(min-width: 64rem)'
/** Fingers alone: Enter is a newline there, and focus brings up a keyboard. */
export const FINGERS = '(pointer: coarse) and (hover: none)'

export function useMedia(query: string): boolean {
  const fits = useSignal(matchMedia(query).matches)
  useLayoutEffect(() => {
    const list = matchMedia(query)
    const read = (): void => {
      fits.value = list.matches
    }
    read()
    list.addEventListener('change', read)
    return () => list.removeEventListener('change', read)
  }, [query])
  return fits.value
}
