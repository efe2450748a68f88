// The kind of screen, updated as it changes.

import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

/** Wide enough for a panel next to the conversation. */
export const WIDE = '(min-width: 64rem)'
/** Touch only: Enter inserts a line break, and focus opens a keyboard. */
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
