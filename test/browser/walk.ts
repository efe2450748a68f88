// What a way through the page is: what the server answers on it by script, and what a person does. Looks at nothing itself.

import { expect } from 'vitest'
import type { BrowserContextOptions, Page } from 'playwright-core'

import type { EventBody } from '../../src/agent/events.ts'
import { frame } from '../unit/page/frames.ts'
import { stream, type Answer } from './open.ts'

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 800 },
  hasTouch: true,
  isMobile: true,
}

interface Walk {
  readonly page: Page
  readonly isPhone: boolean
  /** The page stands as it is named. */
  readonly look: (state: string) => Promise<void>
}

interface Way {
  /** Behind the key in the address. */
  readonly fragment?: string
  readonly answers: Record<string, Answer>
  readonly go: (walk: Walk) => Promise<void>
}

export const never = async (): Promise<never> => new Promise(() => undefined)
export const list = (...data: readonly unknown[]) => ({ json: { data, next_cursor: null } })
export const lists =
  (...data: readonly unknown[]): Answer =>
  async () =>
    list(...data)
export const refusal = (status: number, code: string, detail: string) => ({
  status,
  json: { status, code, detail, request_id: 'req_1' },
})
export const run = (...bodies: readonly EventBody[]) => stream(bodies.map((body, at) => frame(at + 1, body)))

export async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

/** By what they are for; each is made anew for each walk. */
export type Ways = readonly (readonly [string, () => Way])[]

/** What stands on the screen is not wider than it. */
export async function fits(page: Page, state: string): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(over, `${state} hangs over the edge`).toBeLessThanOrEqual(0)
}
