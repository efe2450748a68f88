// On a narrow screen the side bar is a drawer. Tracks whether the screen is narrow, and whether the drawer is open.

import { computed, signal, type ReadonlySignal } from '@preact/signals'

export interface Drawer {
  /** Whether the screen is narrow. The sidebar then either covers the view or is hidden. */
  readonly isNarrow: ReadonlySignal<boolean>
  readonly isOpen: ReadonlySignal<boolean>
  setOpen(isOpen: boolean): void
}

/** Matches narrow screens. The breakpoint is the same as in styles/frame.css. */
const NARROW_SCREEN = '(max-width: 48rem)'

export function createDrawer(window: Pick<Window, 'matchMedia'>): Drawer {
  const media = window.matchMedia(NARROW_SCREEN)
  const isNarrow = signal(media.matches)
  const isOpen = signal(false)
  media.addEventListener('change', () => {
    isNarrow.value = media.matches
    isOpen.value = false
  })
  return {
    isNarrow,
    isOpen: computed(() => isNarrow.value && isOpen.value),
    setOpen: (open) => {
      isOpen.value = open
    },
  }
}
