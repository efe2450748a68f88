// Guards that the built-in skills pass the scan without a finding.

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { scanSkill } from '../../../../src/skills/scan/scan.ts'

const ROOT = join(import.meta.dirname, '../../../../skills/public')
const names = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)

it('there are bundled skills', () => {
  expect(names.length).toBeGreaterThan(0)
})

it.each(names)('%s has no finding, not even a note', (name) => {
  const folder = join(ROOT, name)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const skill = new Map(files.map((path) => [relative(folder, path), Uint8Array.from(readFileSync(path))]))
  expect(skill.has('SKILL.md')).toBe(true)
  expect(scanSkill(skill)).toEqual([])
})
