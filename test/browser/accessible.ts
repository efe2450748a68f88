// Runs an accessibility engine in the real page, under its real Content-Security-Policy.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Page } from 'playwright-core'

const ENGINE = readFileSync(
  createRequire(import.meta.url).resolve('accessibility-checker-engine/ace.js'),
  'utf8',
)

interface Found {
  readonly ruleId: string
  readonly value: readonly [string, string]
  readonly message: string
  readonly snippet: string
  readonly path: { readonly dom: string }
}

interface Guideline {
  readonly id: string
  readonly checkpoints: readonly { readonly rules?: readonly { readonly id: string }[] }[]
}

/**
 * The violations of IBM's rules (WCAG 2.2 A and AA) in the current state of the page, a sentence each. `colours`: only the
 * colour rules, which take a fifth of the time.
 */
export async function violations(page: Page, rules: 'all' | 'colours' = 'all'): Promise<readonly string[]> {
  // As a function of the driver, which the page's policy does not restrict; a script element would be refused.
  if (!(await page.evaluate(() => 'ace' in globalThis))) await page.evaluate(`${ENGINE};globalThis.ace = ace`)
  const found = await page.evaluate(async (onlyColours) => {
    // The engine's documented interface.
    type Checker = new () => {
      getGuidelines(): Guideline[]
      addGuideline(guideline: Guideline): void
      check(document: Document, rulesets: readonly string[]): Promise<{ readonly results: Found[] }>
    }
    const { Checker } = Reflect.get(globalThis, 'ace') as { readonly Checker: Checker }
    const checker = new Checker()
    const whole = checker.getGuidelines().find(({ id }) => id === 'IBM_Accessibility')
    if (!whole) throw new Error('the engine has no such guideline')
    const checkpoints = whole.checkpoints.map((point) => ({
      ...point,
      rules: (point.rules ?? []).filter(({ id }) => /color|contrast/.test(id)),
    }))
    checker.addGuideline({ ...whole, id: 'colours', checkpoints })
    const report = await checker.check(document, [onlyColours ? 'colours' : whole.id])
    return report.results.map(({ ruleId, value, message, snippet, path }) => ({
      ruleId,
      value,
      message,
      snippet,
      path: { dom: path.dom },
    }))
  }, rules === 'colours')
  return found
    .filter(({ value: [kind, outcome] }) => kind === 'VIOLATION' && outcome === 'FAIL')
    .map(
      ({ ruleId, message, snippet, path }) => `${ruleId}: ${message} ${snippet.slice(0, 120)} (${path.dom})`,
    )
}
