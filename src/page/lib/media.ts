// Media queries for kinds of screens, and a hook that follows one as it changes.

import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

/** Matches a screen that is wide enough for a panel next to the conversation. */
export const WIDE_SCREEN = '(min-width: 64rem)'
/** Matches a touch-only screen: Enter inserts a line break, and focusing a field opens a keyboard. */
export const TOUCH_SCREEN = '(pointer: coarse) and (hover: none)'
/** Matches if the system prefers dark colours. */
export const DARK_SCHEME = '(prefers-color-scheme: dark)'

export function useMedia(query: string): boolean {
  const matches = useSignal(matchMedia(query).matches)
  useLayoutEffect(() => {
    const list = matchMedia(query)
    const update = (): void => {
      matches.value = list.matches
    }
    update()
    list.addEventListener('change', update)
    return () => list.removeEventListener('change', update)
  }, [query])
  return matches.value
}
