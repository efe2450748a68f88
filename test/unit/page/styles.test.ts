// Guards the speed of the style sheets.

import { readdirSync, readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

const FOLDER = new URL('../../../src/page/styles/', import.meta.url)

it('no selector searches a whole view, which the browser would repeat with every word of an answer', () => {
  const selectors = readdirSync(FOLDER).flatMap((name) =>
    [...readFileSync(new URL(name, FOLDER), 'utf8').matchAll(/([^{};]+)\{/g)].map(([, selector = '']) =>
      selector.trim(),
    ),
  )
  expect(selectors.length).toBeGreaterThan(500)
  expect(
    selectors.filter((selector) =>
      /(?::root|#root|#room|#view|#log|body|\.turn|\.prose):has\(/.test(selector),
    ),
  ).toEqual([])
})
