// The record of a view. To add a view, add a file with its record here and a line in all.ts.

import type { ComponentType } from 'preact'

import type { IconName } from '../parts/icon.tsx'
import type { App } from '../state/app.ts'
import type { PageRoute } from '../state/frame/route.ts'

export interface View {
  /** The address fragment, such as `#skills`. For a view of one item, it ends with `=`, and the item's ID follows: `#skill=`. */
  readonly address: string
  /** The title in the header and the tab; null if there is none yet. */
  title(app: App, route: PageRoute): string | null
  /** What the view adds to the header: content below the title, and a menu at the end. */
  readonly header?: { readonly below?: ComponentType; readonly menu?: ComponentType }
  /** Loads the data, if a user is signed in. Called when the route changes, and with `isSameRoute` when only the key changed. */
  load?(app: App, route: PageRoute, isSameRoute: boolean): void
  readonly view: ComponentType
  /** Shown next to the view, over the full height. */
  readonly aside?: ComponentType
  /** The view's link in the side bar. `isAbove`: above the threads. `count`: number of things in the view that need the user. */
  readonly link?: {
    readonly icon: IconName
    readonly text: string
    readonly isAbove?: true
    /** Other terms by which the palette finds the view. */
    readonly keywords?: string
    count?(app: App): number
  }
  /** The view that links to this one. The header has a link back to it. */
  readonly parent?: View
}
