// The theme: light, dark or the same as the system. It is stored in this browser and shared by its tabs.

import { effect, signal, type ReadonlySignal } from '@preact/signals'

import type { Ports } from '../../lib/platform.ts'
import { field } from '../../lib/fields.ts'

export type ThemeName = 'system' | 'light' | 'dark'

export interface Theme {
  readonly chosen: ReadonlySignal<ThemeName>
  choose(theme: ThemeName): void
}

const NAME = 'satchel.theme'

export function createTheme(
  { browser, tell, onBroadcast }: Pick<Ports, 'browser' | 'tell' | 'onBroadcast'>,
  root: Pick<HTMLElement, 'dataset'>,
): Theme {
  const chosen = signal(kept(browser.get(NAME)))
  effect(() => {
    if (chosen.value === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = chosen.value
  })
  onBroadcast((message) => {
    if (field(message, 'kind') === 'theme') chosen.value = kept(browser.get(NAME))
  })
  return {
    chosen,
    choose(theme) {
      chosen.value = theme
      if (theme === 'system') browser.remove(NAME)
      else browser.set(NAME, theme)
      tell({ kind: 'theme' })
    },
  }
}

function kept(value: string | null): ThemeName {
  return value === 'light' || value === 'dark' ? value : 'system'
}
