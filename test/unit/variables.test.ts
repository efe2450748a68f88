// Promise: a variable that cannot work is named before anything starts, and its value is not shown.

import { expect, test } from 'vitest'
import { variableFaults } from '../../src/variables.ts'

test.each([
  [{}, []],
  [{ ADMIN_KEY: '', ANTHROPIC_BASE_URL: '', MODEL: '' }, []],
  [{ ADMIN_KEY: 'a'.repeat(24), ANTHROPIC_BASE_URL: 'http://127.0.0.1:8000/v1', MODEL: 'm' }, []],
  [{ ADMIN_KEY: 'tooshort' }, ['ADMIN_KEY: must have at least 24 characters']],
  [{ ID_SECRET: '', ID_SECRET_PREVIOUS: '', RUNS_PER_KEY: '', QUEUED_PER_KEY: '5' }, []],
  [{ ID_SECRET: 'i'.repeat(32), ID_SECRET_PREVIOUS: 'i'.repeat(32) }, []],
  [{ ID_SECRET: 'tooshort' }, ['ID_SECRET: must have at least 32 characters']],
  [{ RUNS_PER_KEY: 'many' }, ['RUNS_PER_KEY: must be a whole number from 1 to 100000']],
  [{ RUNS_PER_KEY: '0' }, ['RUNS_PER_KEY: must be a whole number from 1 to 100000']],
  [{ QUEUED_PER_KEY: '1.5' }, ['QUEUED_PER_KEY: must be a whole number from 1 to 100000']],
  [{ ADMIN_KEY: `${'a'.repeat(24)}\n` }, ['ADMIN_KEY: must be ASCII text that fits into a header']],
  [{ REVOKED_KEYS_DAYS: '30' }, []],
  [{ REVOKED_KEYS_DAYS: '' }, []],
  [{ REVOKED_KEYS_DAYS: '0' }, ['REVOKED_KEYS_DAYS: must be at least 1 day']],
  [{ REVOKED_KEYS_DAYS: 'some' }, ['REVOKED_KEYS_DAYS: must be a whole number of days']],
  [{ ANTHROPIC_BASE_URL: 'localhost:8000' }, ['ANTHROPIC_BASE_URL: must be an http or https address']],
])('%j', (variables, faults) => {
  expect(variableFaults(variables)).toEqual(faults)
})
