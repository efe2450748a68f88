// The record of a view. To add a view, add a file with its record here and a line in all.ts.

import type { ComponentType } from 'preact'

import type { IconName } from '../parts/icon.tsx'
import type { App } from '../state/app.ts'
import type { PageRoute } from '../state/frame/route.ts'

export interface View {
  /** The address fragment: `#skills`. A view of one item appends its id: `#skill=`. */
  readonly address: string
  /** The title in the header and the tab; null if there is none yet. */
  title(app: App, route: PageRoute): string | null
  /** In the header: content below the title, and the menu at its end. */
  readonly header?: { readonly below?: ComponentType; readonly menu?: ComponentType }
  /** Loads the data, while a user is signed in: on each change of the route, and with `again` when only the key changed. */
  load?(app: App, route: PageRoute, again: boolean): void
  readonly view: ComponentType
  /** Next to the view, over the full height. */
  readonly aside?: ComponentType
  /** Its link at the bottom of the side bar. */
  readonly link?: { readonly icon: IconName; readonly text: string }
  /** The view that links to it. The header leads back there. */
  readonly parent?: View
}
