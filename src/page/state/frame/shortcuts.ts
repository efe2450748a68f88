// Stores in this browser whether single-key shortcuts are turned on (WCAG 2.1.4).

import { signal, type ReadonlySignal } from '@preact/signals'

import type { Ports } from '../../lib/platform.ts'

export interface Shortcuts {
  readonly singleKeys: ReadonlySignal<boolean>
  allowSingleKeys(on: boolean): void
}

const STORAGE_NAME = 'satchel.single-keys'

export function createShortcuts({ browser }: Pick<Ports, 'browser'>): Shortcuts {
  const singleKeys = signal(browser.get(STORAGE_NAME) !== 'off')
  return {
    singleKeys,
    allowSingleKeys(on) {
      singleKeys.value = on
      if (on) browser.remove(STORAGE_NAME)
      else browser.set(STORAGE_NAME, 'off')
    },
  }
}
