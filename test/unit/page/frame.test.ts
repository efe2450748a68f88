// Guards the frame of the page: days grouped by local midnight, keyboard shortcuts, the connection status and the
// theme.

import { describe, expect, it } from 'vitest'

import { groupByDay } from '../../../src/page/lib/group-by-day.ts'
import { shortcutFor, type KeyPress } from '../../../src/page/actions/shortcuts.ts'
import { createConnection } from '../../../src/page/state/frame/connection.ts'
import { createTheme } from '../../../src/page/state/frame/theme.ts'
import { browserOf, fakePage } from './ports.ts'

describe('groups by day', () => {
  const now = new Date(2026, 2, 4, 0, 5).getTime()
  const labels = (...times: readonly Date[]): readonly string[] =>
    groupByDay(times, (time) => time.toISOString(), now).map(({ label, items }) => `${label} ${items.length}`)

  it('use local midnight, not hours', () => {
    expect(labels(new Date(2026, 2, 4, 0, 1), new Date(2026, 2, 3, 23, 59))).toEqual([
      'Today 1',
      'Yesterday 1',
    ])
  })

  it('are days, a week, then months, with the year if it is another one', () => {
    expect(
      labels(
        new Date(2026, 2, 4, 9),
        new Date(2026, 2, 2),
        new Date(2026, 1, 25),
        new Date(2026, 1, 24),
        new Date(2026, 1, 1),
        new Date(2025, 1, 1),
      ),
    ).toEqual(['Today 1', 'Previous 7 days 2', 'February 2', 'February 2025 1'])
  })
})

describe('a shortcut', () => {
  const press = (key: string, given: Partial<KeyPress> = {}): KeyPress => {
    return { key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...given }
  }

  it('with Ctrl or ⌘ works wherever the focus is', () => {
    for (const mod of [{ ctrlKey: true }, { metaKey: true }]) {
      expect(shortcutFor(press('k', mod), true, false)).toBe('search')
      expect(shortcutFor(press('O', { ...mod, shiftKey: true }), true, false)).toBe('new')
    }
    expect(shortcutFor(press('k', { ctrlKey: true, metaKey: true }), false, true)).toBeNull()
  })

  it('of a single key works outside text fields, and can be disabled', () => {
    expect([
      shortcutFor(press('/'), false, true),
      shortcutFor(press('?', { shiftKey: true }), false, true),
    ]).toEqual(['write', 'help'])
    expect([shortcutFor(press('/'), true, true), shortcutFor(press('?'), false, false)]).toEqual([null, null])
    expect(shortcutFor(press('/', { altKey: true }), false, true)).toBeNull()
  })
})

describe('the connection', () => {
  function windowOf() {
    const navigator = { onLine: true }
    const listeners: (() => void)[] = []
    return {
      navigator,
      // Nothing else of a window is used.
      window: { navigator, addEventListener: (_: string, run: () => void) => void listeners.push(run) },
      change: (onLine: boolean) => {
        navigator.onLine = onLine
        for (const run of listeners) run()
      },
    }
  }

  it('is lost when a request cannot be sent, polls until it succeeds, and says that it is back', async () => {
    let up = false
    const page = fakePage({
      'GET /healthz': () => {
        if (!up) throw new TypeError('failed to fetch')
        return new Response('{}')
      },
    })
    const line = createConnection(windowOf().window, page.ports, 'http://page.test')
    line.recordReachability(false)
    expect(line.state.value).toBe('away')
    await page.pass(4_000)
    expect([line.state.value, line.reconnects.value]).toEqual(['away', 0])
    up = true
    await page.pass(4_000)
    expect([line.state.value, line.reconnects.value]).toEqual(['good', 1])
    await page.pass(60_000)
    expect(page.calls).toHaveLength(2)
  })

  it('is offline when the browser says so', () => {
    const { window, change } = windowOf()
    const line = createConnection(window, fakePage({}).ports, 'http://page.test')
    change(false)
    expect(line.state.value).toBe('offline')
    change(true)
    expect([line.state.value, line.reconnects.value]).toEqual(['good', 1])
  })
})

describe('the theme', () => {
  it('is the selected one, in all tabs, or follows the system', () => {
    const tabs = browserOf()
    const [one, two] = [{ dataset: {} as DOMStringMap }, { dataset: {} as DOMStringMap }]
    const here = createTheme(fakePage({}, tabs).ports, one)
    createTheme(fakePage({}, tabs).ports, two)
    here.choose('dark')
    expect([one.dataset['theme'], two.dataset['theme']]).toEqual(['dark', 'dark'])
    here.choose('system')
    expect([one.dataset['theme'], two.dataset['theme']]).toEqual([undefined, undefined])
  })
})
