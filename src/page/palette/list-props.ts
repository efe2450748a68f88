// The props that the palette's field shares with its list, which is loaded later.

import type { Signal } from '@preact/signals'

export const PALETTE_LIST_ID = 'palette-list'

export interface PaletteListProps {
  /** The list stores its handler for the field's keys here. */
  readonly handleKey: { current: (event: KeyboardEvent) => void }
  /** The ID of the selected option; undefined if there is none. */
  readonly activeOption: Signal<string | undefined>
  /** Closes the palette, then performs what was chosen. */
  readonly onChoose: (run: () => void) => void
  readonly onHelp: () => void
}
