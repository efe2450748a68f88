// The width of the side bar, and whether it is hidden. Both are kept in this browser. On a narrow screen the side bar is a drawer
// instead (drawer.ts).

import { effect, signal, type ReadonlySignal } from '@preact/signals'

import type { Ports } from '../../lib/platform.ts'
import { SIDE_WIDTH_MAX_REM, SIDE_WIDTH_MIN_REM, SIDE_WIDTH_REM } from './limits.ts'

export interface Side {
  readonly isHidden: ReadonlySignal<boolean>
  readonly widthRem: ReadonlySignal<number>
  setHidden(isHidden: boolean): void
  /** Changes the width, within its limits; null restores the default. */
  setWidth(rem: number | null): void
}

const HIDDEN_NAME = 'satchel.side-hidden'
const WIDTH_NAME = 'satchel.side-width'

export function createSide(
  { browser }: Pick<Ports, 'browser'>,
  root: Pick<HTMLElement, 'dataset' | 'style'>,
): Side {
  const isHidden = signal(browser.get(HIDDEN_NAME) === 'yes')
  const widthRem = signal(within(Number(browser.get(WIDTH_NAME) ?? SIDE_WIDTH_REM)))
  effect(() => {
    if (isHidden.value) root.dataset['side'] = 'hidden'
    else delete root.dataset['side']
  })
  effect(() => {
    if (widthRem.value === SIDE_WIDTH_REM) root.style.removeProperty('--side-chosen')
    else root.style.setProperty('--side-chosen', `${widthRem.value}rem`)
  })
  return {
    isHidden,
    widthRem,
    setHidden(hidden) {
      isHidden.value = hidden
      if (hidden) browser.set(HIDDEN_NAME, 'yes')
      else browser.remove(HIDDEN_NAME)
    },
    setWidth(rem) {
      widthRem.value = within(rem ?? SIDE_WIDTH_REM)
      if (widthRem.value === SIDE_WIDTH_REM) browser.remove(WIDTH_NAME)
      else browser.set(WIDTH_NAME, String(widthRem.value))
    },
  }
}

/** The width within its limits; the default if it is not a number. */
function within(rem: number): number {
  if (!Number.isFinite(rem)) return SIDE_WIDTH_REM
  return Math.round(Math.min(SIDE_WIDTH_MAX_REM, Math.max(SIDE_WIDTH_MIN_REM, rem)) * 16) / 16
}
