// Shows all of a card that appears partly below the end of the conversation's viewport, such as the buttons of an approval.

import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/** Scrolls only if the reader sees the card's beginning, and the whole card fits. */
export function useShownWhole(card: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const view = card.current?.closest('#log')?.getBoundingClientRect()
    const rect = card.current?.getBoundingClientRect()
    if (!view || !rect) return
    const startsInView = rect.top >= view.top && rect.top < view.bottom
    if (startsInView && rect.height < view.height) card.current?.scrollIntoView({ block: 'nearest' })
  }, [])
}
