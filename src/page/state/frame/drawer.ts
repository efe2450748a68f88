// On a narrow screen the side bar is a drawer. Tracks whether the screen is narrow, and whether the drawer is open.

import { computed, signal, type ReadonlySignal } from '@preact/signals'

export interface Drawer {
  /** Whether the screen is narrow, so that the side bar either covers the view or is hidden. */
  readonly narrow: ReadonlySignal<boolean>
  readonly open: ReadonlySignal<boolean>
  set(open: boolean): void
}

/** Matches narrow screens. The breakpoint is the same as in styles/frame.css. */
const NARROW = '(max-width: 48rem)'

export function createDrawer(window: Pick<Window, 'matchMedia'>): Drawer {
  const media = window.matchMedia(NARROW)
  const narrow = signal(media.matches)
  const isOpen = signal(false)
  media.addEventListener('change', () => {
    narrow.value = media.matches
    isOpen.value = false
  })
  return {
    narrow,
    open: computed(() => narrow.value && isOpen.value),
    set: (open) => {
      isOpen.value = open
    },
  }
}
