// The settings of this browser: theme, shortcuts and key.

import { useSignal } from '@preact/signals'

import { useApp } from '../state/app.ts'
import { KeySettings } from '../key/key-settings.tsx'
import { Menu } from '../parts/menu.tsx'
import { TOUCH_SCREEN, useMedia } from '../lib/media.ts'
import type { ThemeName } from '../state/frame/theme.ts'

const THEMES: readonly { readonly name: ThemeName; readonly label: string }[] = [
  { name: 'system', label: 'System' },
  { name: 'light', label: 'Light' },
  { name: 'dark', label: 'Dark' },
]

export function SettingsMenu({ onHelp }: { readonly onHelp: () => void }) {
  const { theme } = useApp()
  const isTouch = useMedia(TOUCH_SCREEN)
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
            group: 'Theme',
            icon: name,
            isSelected: theme.chosen.value === name,
            onPress: () => theme.choose(name),
          })),
          ...(isTouch
            ? []
            : [
                {
                  label: 'Keyboard shortcuts',
                  icon: 'keyboard',
                  keyHint: '?',
                  hasSeparator: true,
                  onPress: onHelp,
                } as const,
              ]),
          {
            label: 'Your key…',
            icon: 'key',
            hasSeparator: isTouch,
            onPress: () => (isKeyShown.value = true),
          },
        ]}
      />
      {isKeyShown.value && <KeySettings onClose={() => (isKeyShown.value = false)} />}
    </>
  )
}
