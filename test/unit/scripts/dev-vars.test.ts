// Promise: npm start finds its variables, and generates random secrets that only their owner can read.

import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { hasChangedSince, readVariables, withSecrets } from '../../../scripts/lib/dev-vars.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'satchel-vars-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function save(text: string): void {
  writeFileSync(join(root, '.dev.vars'), text, { mode: 0o644 })
}

test('missing secrets are created once, long, random and readable by their owner only', () => {
  const first = withSecrets(root, {})
  expect(first.generated).toEqual(['ADMIN_KEY', 'ID_SECRET', 'ENCRYPTION_KEY'])
  expect(first.variables.ADMIN_KEY).toMatch(/^satchel_[0-9a-z]{40}$/)
  expect(first.variables.ID_SECRET).toMatch(/^satchel_[0-9a-z]{40}$/)
  expect(first.variables.ID_SECRET).not.toBe(first.variables.ADMIN_KEY)
  expect(statSync(join(root, '.dev.vars')).mode & 0o777).toBe(0o600)
  expect(withSecrets(root, {})).toEqual({ variables: first.variables, generated: [] })
})

test('a file that lacks one of them keeps the others and gets that one', () => {
  save('MODEL="some model" # mine\nADMIN_KEY=my-own-admin-key-of-mine')
  const { variables, generated: made } = withSecrets(root, {})
  expect(made).toEqual(['ID_SECRET', 'ENCRYPTION_KEY'])
  expect(variables.MODEL).toBe('some model')
  expect(variables.ADMIN_KEY).toBe('my-own-admin-key-of-mine')
  expect(readFileSync(join(root, '.dev.vars'), 'utf8')).toBe(
    `MODEL="some model" # mine\nADMIN_KEY=my-own-admin-key-of-mine\nID_SECRET=${variables.ID_SECRET}\nENCRYPTION_KEY=${variables.ENCRYPTION_KEY}\n`,
  )
  expect(statSync(join(root, '.dev.vars')).mode & 0o777).toBe(0o600)
})

test('the environment overrides the file, and an empty variable there means none', () => {
  save('ANTHROPIC_API_KEY=saved\nMODEL=saved\nADMIN_KEY=saved-key\nOTHER=x')
  expect(readVariables(root, { MODEL: 'mine', ANTHROPIC_API_KEY: '', ADMIN_KEY: '' })).toEqual({
    MODEL: 'mine',
    ADMIN_KEY: 'saved-key',
  })
})

test('a later change of the file is noticed', () => {
  expect(hasChangedSince(root, 0)).toBe(false)
  save('MODEL=mine')
  utimesSync(join(root, '.dev.vars'), 20, 20)
  expect(hasChangedSince(root, 19_000)).toBe(true)
  expect(hasChangedSince(root, 20_000)).toBe(false)
})

test('secrets in the environment create no file', () => {
  expect(
    withSecrets(root, {
      ADMIN_KEY: 'k'.repeat(24),
      ID_SECRET: 'i'.repeat(32),
      ENCRYPTION_KEY: 'e'.repeat(32),
    }).generated,
  ).toEqual([])
  expect(() => readFileSync(join(root, '.dev.vars'))).toThrow('ENOENT')
})

test('every setting of the operations page takes effect in the file', () => {
  const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  const [, rows = ''] = /^## Variables$(.*?)^## /ms.exec(page) ?? []
  // Commands set the others.
  const names = [...rows.matchAll(/^\| `([A-Z_]+)`(?: \(secret\))? \|(?! none \| set by )/gm)].map(
    ([, name = '']) => name,
  )
  expect(names).toContain('EVENTS_RETENTION_DAYS')
  save(names.map((name) => `${name}=some-value-of-${name}`).join('\n'))
  expect(Object.keys(readVariables(root, {})).sort()).toEqual([...names].sort())
})
