// What a view of the page is: one record. A new one is a file here that has its record, and a line in all.ts.

import type { ComponentType } from 'preact'

import type { IconName } from '../parts/icon.tsx'
import type { App } from '../state/app.ts'
import type { PageRoute } from '../state/frame/route.ts'

export interface View {
  /** In the page's address: `#skills`; where the view shows one thing of many, its id comes after it: `#skill=`. */
  readonly address: string
  /** What header and tab call it; null: it has no name yet. */
  title(app: App, route: PageRoute): string | null
  /** Of the header: what comes below the title, and the menu at its end. */
  readonly header?: { readonly below?: ComponentType; readonly menu?: ComponentType }
  /**
   * Reads what it shows, while somebody is signed in: at each change of the place, and `again` when the key has changed and
   * the place has not.
   */
  load?(app: App, route: PageRoute, again: boolean): void
  readonly view: ComponentType
  /** Beside the view, over the whole height. */
  readonly aside?: ComponentType
  /** Its link at the foot of the side. */
  readonly link?: { readonly icon: IconName; readonly text: string }
  /** The view that has the link to it: the header leads back there. */
  readonly parent?: View
}
