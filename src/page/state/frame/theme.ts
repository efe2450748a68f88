// The theme: light, dark or the same as the system. It is stored in this browser and shared by its tabs.

import { effect, signal, type ReadonlySignal } from '@preact/signals'

import type { Ports } from '../../lib/platform.ts'
import { stringIn } from '../../lib/fields.ts'

export type ThemeName = 'system' | 'light' | 'dark'

export interface Theme {
  readonly chosen: ReadonlySignal<ThemeName>
  choose(theme: ThemeName): void
}

const STORAGE_NAME = 'satchel.theme'

export function createTheme(
  { browser, broadcast, onBroadcast }: Pick<Ports, 'browser' | 'broadcast' | 'onBroadcast'>,
  root: Pick<HTMLElement, 'dataset'>,
): Theme {
  const chosen = signal(parseTheme(browser.get(STORAGE_NAME)))
  effect(() => {
    if (chosen.value === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = chosen.value
  })
  onBroadcast((message) => {
    if (stringIn(message, 'kind') === 'theme') chosen.value = parseTheme(browser.get(STORAGE_NAME))
  })
  return {
    chosen,
    choose(theme) {
      chosen.value = theme
      if (theme === 'system') browser.remove(STORAGE_NAME)
      else browser.set(STORAGE_NAME, theme)
      broadcast({ kind: 'theme' })
    },
  }
}

function parseTheme(value: string | null): ThemeName {
  return value === 'light' || value === 'dark' ? value : 'system'
}
