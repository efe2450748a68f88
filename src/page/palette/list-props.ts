// What the palette's field and its list, which is loaded later, agree on.

import type { Signal } from '@preact/signals'

export const PALETTE_LIST_ID = 'palette-list'

export interface PaletteListProps {
  /** The list puts the handler of the field's keys here. */
  readonly handleKey: { current: (event: KeyboardEvent) => void }
  /** The ID of the selected option; undefined if there is none. */
  readonly activeOption: Signal<string | undefined>
  /** Closes the palette, then performs what was chosen. */
  readonly onChoose: (run: () => void) => void
  readonly onHelp: () => void
}
