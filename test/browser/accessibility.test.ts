// Promise: in every view and state, the page satisfies the rules of an accessibility engine and nothing overflows the
// window, in light and dark, on a desktop and on a phone. The page works at 200 % zoom, with forced colours and with
// reduced motion.

import { describe, expect, it } from 'vitest'

import { violations } from './accessible.ts'
import { fits } from './walk.ts'
import { CHAT_WAYS } from './walks-chat.ts'
import { ROOM_WAYS } from './walks-rooms.ts'
import { modelInfo } from '../unit/page/ports.ts'
import { PHONE, ask, lists, satchel, scripted, visit } from './open.ts'
import { stepped } from './stepped.ts'

/** The dark theme differs only in colours: only styles/tokens.css queries the colour scheme. */
const SCHEMES = [
  ['dark', 'colours'],
  ['light', 'all'],
] as const

const SIZES = [
  ['a desktop', { viewport: { width: 1280, height: 860 } }],
  ['a phone', PHONE],
] as const

describe.each(SIZES)('on %s', (size, options) => {
  it.each([...CHAT_WAYS, ...ROOM_WAYS])('%s has no violations', async (_, make) => {
    const way = make()
    const settings = { ...options, reducedMotion: 'reduce', colorScheme: 'light' } as const
    const { page } = await scripted(way.fragment ?? '', way.answers, settings)
    const wrong: string[] = []
    await way.go({
      page,
      isPhone: size === 'a phone',
      look: async (state) => {
        await fits(page, state)
        for (const [colorScheme, rules] of SCHEMES) {
          await page.emulateMedia({ colorScheme })
          for (const breaks of await violations(page, rules))
            wrong.push(`${state}, ${colorScheme}: ${breaks}`)
        }
      },
    })
    expect(wrong).toEqual([])
  })

  it('has no violations in the key form, before and after an invalid key', async () => {
    const page = await visit(satchel.url, { ...options, reducedMotion: 'reduce' })
    await page.getByLabel('Key', { exact: true }).waitFor()
    for (const breaks of ['', 'Enter a key.']) {
      if (breaks !== '') {
        await page.getByRole('button', { name: 'Continue' }).click()
        await page.getByRole('alert').getByText(breaks).waitFor()
      }
      await fits(page, 'the key form')
      for (const [colorScheme, rules] of SCHEMES) {
        await page.emulateMedia({ colorScheme })
        expect(await violations(page, rules)).toEqual([])
      }
    }
  })
})

/** Half the pixels of a desktop's window, twice as large, as at 200 % zoom. */
const ZOOMED = { viewport: { width: 640, height: 430 }, deviceScaleFactor: 2 }

it.each(CHAT_WAYS.slice(0, 2))('%s fits the window at 200 %% zoom', async (_, make) => {
  const way = make()
  const { page } = await scripted(way.fragment ?? '', way.answers, { ...ZOOMED, reducedMotion: 'reduce' })
  await way.go({ page, isPhone: true, look: async (state) => fits(page, state) })
})

it('menus have a border and a visible selection with forced colours', async () => {
  const answers = { 'GET /v1/models': lists(modelInfo('grande', { default: true })) }
  const { page } = await scripted('', answers, { forcedColors: 'active' })
  await page.getByRole('button', { name: 'Model and limits' }).click()
  await page.getByRole('group', { name: 'Effort' }).waitFor()
  const styles = await page.getByRole('dialog', { name: 'Model and limits' }).evaluate((menu) => {
    const labels = [...menu.querySelectorAll('.segments label')].map((label) => getComputedStyle(label))
    return {
      border: getComputedStyle(menu).borderTopWidth,
      fills: labels.map(({ backgroundColor }) => backgroundColor),
    }
  })
  expect(styles.border).toBe('1px')
  expect(styles.fills[0]).not.toBe(styles.fills[1])
})

it('nothing moves during a streamed answer with reduced motion', async () => {
  const moving = async (reducedMotion: 'reduce' | 'no-preference'): Promise<number> => {
    const { page, announce } = await stepped({}, { reducedMotion })
    await ask(page, 'What happened?')
    await announce('First.')
    // Elements that depend on the scroll position, such as the line below the header, move only with it.
    return page.evaluate(
      () => document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline).length,
    )
  }
  await expect
    .poll(async () => [await moving('reduce'), (await moving('no-preference')) > 0])
    .toEqual([0, true])
})

it('the engine reports an unlabelled field and text with too little contrast', async () => {
  const { page } = await scripted('', {})
  await page.getByText('What shall we work on?').waitFor()
  await page.evaluate(() => {
    document.querySelector('label[for=message]')?.remove()
    document.querySelector('#message')?.removeAttribute('placeholder')
    document.querySelector<HTMLElement>('.greeting')?.style.setProperty('color', 'rgb(230, 230, 230)')
  })
  const colours = (await violations(page, 'colours')).join('\n')
  expect(colours).toMatch(/text_contrast_sufficient/)
  expect(colours).not.toMatch(/input_label_exists/)
  const found = (await violations(page)).join('\n')
  expect(found).toMatch(/input_label_exists/)
  expect(found).toMatch(/text_contrast_sufficient/)
})
