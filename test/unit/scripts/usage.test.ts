// Promise: `npm start -- --help` names every variable that can be set.

import { expect, test } from 'vitest'

import { USAGE } from '../../../scripts/start/usage.ts'
import { VARIABLE_NAMES } from '../../../src/env/variables.ts'

test('the help names every variable that a Worker takes, in lines that fit a terminal', () => {
  for (const name of [...VARIABLE_NAMES, 'PORT']) expect(USAGE).toMatch(new RegExp(`[ \\n]${name}[,.]`))
  expect(Math.max(...USAGE.split('\n').map((line) => line.length))).toBeLessThanOrEqual(110)
})
