// Promise: a variable that cannot work is named before anything starts, and its value is not shown.

import { expect, test } from 'vitest'
import { variableFaults } from '../../src/variables.ts'

test.each([
  [{}, []],
  [{ ADMIN_KEY: '', ANTHROPIC_BASE_URL: '', MODEL: '' }, []],
  [{ ADMIN_KEY: 'a'.repeat(24), ANTHROPIC_BASE_URL: 'http://127.0.0.1:8000/v1', MODEL: 'm' }, []],
  [{ ADMIN_KEY: 'tooshort' }, ['ADMIN_KEY: must have at least 24 characters']],
  [{ ADMIN_KEY: `${'a'.repeat(24)}\n` }, ['ADMIN_KEY: must be ASCII text that fits into a header']],
  [{ EVENTS_RETENTION_DAYS: '30' }, []],
  [{ EVENTS_RETENTION_DAYS: '' }, []],
  [{ EVENTS_RETENTION_DAYS: '0' }, ['EVENTS_RETENTION_DAYS: must be at least 1']],
  [{ EVENTS_RETENTION_DAYS: 'a month' }, ['EVENTS_RETENTION_DAYS: must be a whole number of days']],
  [{ ANTHROPIC_BASE_URL: 'localhost:8000' }, ['ANTHROPIC_BASE_URL: must be an http or https address']],
])('%j', (variables, faults) => {
  expect(variableFaults(variables)).toEqual(faults)
})
