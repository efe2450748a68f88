// Promise: npm start finds its variables, and makes a random ADMIN_KEY that only its owner can read.

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { readVariables, withAdminKey } from '../../../scripts/lib/dev-vars.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'satchel-vars-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function save(text: string): void {
  writeFileSync(join(root, '.dev.vars'), text, { mode: 0o644 })
}

test('a missing key is made once, long, random and for its owner only', () => {
  const first = withAdminKey(root, {})
  expect(first.made).toBe(true)
  expect(first.variables.ADMIN_KEY).toMatch(/^satchel_[0-9a-z]{40}$/)
  expect(statSync(join(root, '.dev.vars')).mode & 0o777).toBe(0o600)
  expect(withAdminKey(root, {})).toEqual({ variables: first.variables, made: false })
})

test('a file without the key keeps what it has', () => {
  save('MODEL="some model" # mine')
  const { variables } = withAdminKey(root, {})
  expect(variables.MODEL).toBe('some model')
  expect(readFileSync(join(root, '.dev.vars'), 'utf8')).toBe(
    `MODEL="some model" # mine\nADMIN_KEY=${variables.ADMIN_KEY}\n`,
  )
  expect(statSync(join(root, '.dev.vars')).mode & 0o777).toBe(0o600)
})

test('the environment wins over the file, and an empty variable there means none', () => {
  save('ANTHROPIC_API_KEY=saved\nMODEL=saved\nADMIN_KEY=saved-key\nOTHER=x')
  expect(readVariables(root, { MODEL: 'mine', ANTHROPIC_API_KEY: '', ADMIN_KEY: '' })).toEqual({
    MODEL: 'mine',
    ADMIN_KEY: 'saved-key',
  })
})

test('a key in the environment leaves no file behind', () => {
  expect(withAdminKey(root, { ADMIN_KEY: 'k'.repeat(24) }).made).toBe(false)
  expect(() => readFileSync(join(root, '.dev.vars'))).toThrow('ENOENT')
})
