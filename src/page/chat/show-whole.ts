// Shows all of a card that appears partly below the end of the conversation's viewport, such as the buttons of an approval.

import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/** Scrolls only if the reader sees the card's beginning, and the whole card fits. */
export function useShownWhole(card: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const view = card.current?.closest('#log')?.getBoundingClientRect()
    const place = card.current?.getBoundingClientRect()
    if (!view || !place) return
    const startsInView = place.top >= view.top && place.top < view.bottom
    if (startsInView && place.height < view.height) card.current?.scrollIntoView({ block: 'nearest' })
  }, [])
}
