// The settings of this browser: theme, shortcuts and key.

import { useSignal } from '@preact/signals'

import { useApp } from '../state/app.ts'
import { KeySettings } from '../key/key-settings.tsx'
import { Menu } from '../parts/menu.tsx'
import type { ThemeName } from '../state/frame/theme.ts'

const THEMES: readonly { readonly name: ThemeName; readonly label: string }[] = [
  { name: 'system', label: 'Same as the system' },
  { name: 'light', label: 'Light' },
  { name: 'dark', label: 'Dark' },
]

export function SettingsMenu({ onHelp }: { readonly onHelp: () => void }) {
  const { session, theme } = useApp()
  const isKeyShown = useSignal(false)
  return (
    <>
      <Menu
        label="Settings"
        icon="sliders"
        text="Settings"
        class="side-link"
        items={[
          ...THEMES.map(({ name, label }) => ({
            label,
            icon: name,
            isSelected: theme.chosen.value === name,
            onPress: () => theme.choose(name),
          })),
          { label: 'Keyboard', icon: 'keyboard', keyHint: '?', hasSeparator: true, onPress: onHelp },
          { label: 'Your key…', icon: 'key', onPress: () => (isKeyShown.value = true) },
          { label: 'Forget the key', icon: 'close', onPress: session.forget },
        ]}
      />
      {isKeyShown.value && <KeySettings onClose={() => (isKeyShown.value = false)} />}
    </>
  )
}
