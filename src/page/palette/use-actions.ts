// The actions of the palette.

import { focusSoon, toggleSide } from '../actions/listen-to-keys.ts'
import { DARK_SCHEME, TOUCH_SCREEN, useMedia } from '../lib/media.ts'
import { modifierKey } from '../actions/shortcuts.ts'
import { useExport } from '../actions/use-export.ts'
import { useApp } from '../state/app.ts'
import { isThreadRoute, threadRoute } from '../state/frame/route.ts'
import type { ThemeName } from '../state/frame/theme.ts'
import { titleOfThread } from '../views/chat.tsx'
import { UNTITLED } from '../state/threads/rows.ts'
import { VIEWS } from '../views/all.ts'
import type { PaletteAction } from './entries.ts'

const EXPORTS = [
  { format: 'markdown', title: 'Export this thread as Markdown', icon: 'download' },
  { format: 'json', title: 'Export this thread as JSON', icon: 'download' },
] as const

export function useActions(onHelp: () => void): readonly PaletteAction[] {
  const app = useApp()
  const { conversation, drawer, route, side, theme } = app
  const isSystemDark = useMedia(DARK_SCHEME)
  const isTouch = useMedia(TOUCH_SCREEN)
  const isDark = theme.chosen.value === 'system' ? isSystemDark : theme.chosen.value === 'dark'
  const exportThread = useExport()
  const openId = isThreadRoute(route.current.value) ? conversation.threadId.value : null
  const other: ThemeName = isDark ? 'light' : 'dark'
  return [
    {
      id: 'new',
      icon: 'plus',
      title: 'New thread',
      keywords: 'start conversation chat',
      keys: `${modifierKey()} Shift O`,
      run: () => {
        route.go(threadRoute(null))
        focusSoon('message')
      },
    },
    ...VIEWS.flatMap(({ address, link }): PaletteAction | [] => {
      if (!link) return []
      const count = link.count?.(app) ?? 0
      return {
        id: `view ${address}`,
        icon: link.icon,
        title: link.text,
        keywords: link.keywords ?? '',
        ...(count > 0 ? { count } : {}),
        run: () => route.go({ view: address, id: null }),
      }
    }),
    ...(openId === null ? [] : EXPORTS).map(({ format, title, icon }) => ({
      id: `export ${format}`,
      icon,
      title,
      keywords: 'download save file',
      isRare: true as const,
      run: () => void exportThread(openId ?? '', titleOfThread(app) ?? UNTITLED, format),
    })),
    // On a narrow screen, the side bar is a drawer that is closed.
    ...(drawer.isNarrow.value
      ? []
      : [
          {
            id: 'side',
            icon: 'side' as const,
            title: side.isHidden.value ? 'Show the side bar' : 'Hide the side bar',
            keywords: 'collapse expand threads',
            keys: `${modifierKey()} B`,
            run: () => toggleSide(app),
          },
        ]),
    {
      id: 'theme',
      icon: other,
      title: `Use the ${other} theme`,
      keywords: 'appearance mode colours',
      run: () => theme.choose(other),
    },
    ...(theme.chosen.value === 'system'
      ? []
      : [
          {
            id: 'theme system',
            icon: 'system',
            title: 'Use the theme of the system',
            keywords: 'appearance mode colours',
            run: () => theme.choose('system'),
          } as const,
        ]),
    ...(isTouch
      ? []
      : [
          {
            id: 'keys',
            icon: 'keyboard',
            title: 'Keyboard shortcuts',
            keywords: 'help keys show',
            keys: '?',
            run: onHelp,
          } as const,
        ]),
  ]
}
