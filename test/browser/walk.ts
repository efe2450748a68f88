// Defines a walk: the responses that a scripted server gives, and the actions of a person on the page. Makes no
// assertions.

import { expect } from 'vitest'
import type { Page } from 'playwright-core'

import { box, type Answers } from './open.ts'

interface Walk {
  readonly page: Page
  readonly isPhone: boolean
  /** Checks the page in the named state. */
  readonly look: (state: string) => Promise<void>
}

interface Way {
  /** Follows the key in the URL. */
  readonly fragment?: string
  readonly answers: Answers
  readonly go: (walk: Walk) => Promise<void>
}

export async function send(page: Page, text: string): Promise<void> {
  await box(page).fill(text)
  // Send, or Queue during an answer.
  await page.locator('#composer .send').click()
}

/** By purpose; created again for each walk. */
export type Ways = readonly (readonly [string, () => Way])[]

/** The content is not wider than the screen. */
export async function fits(page: Page, state: string): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(over, `${state} hangs over the edge`).toBeLessThanOrEqual(0)
}
