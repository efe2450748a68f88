// Guards unpacking: each of thousands of hostile and damaged archives is refused or unpacked safely, and none makes it
// throw. SEED and CASES: see seed.ts.

import { describe, expect, it } from 'vitest'
import { SKILL_MAX_BYTES, SKILL_FILE_MAX_BYTES, SKILL_FILES_MAX } from '../../src/limits/skills.ts'
import { checkSkillPath, pathCollision } from '../../src/skills/format/path.ts'
import { unpackArchive } from '../../src/skills/package/archive.ts'
import { skillFolder } from '../../src/skills/package/skill-folder.ts'
import { hostileArchive, seeded, type Case } from './archive-cases.ts'
import { betweenTasks, casesOr, SEED } from './seed.ts'

const CASES = casesOr(1_000)
/**
 * A timeout for work that never ends, not a measure: a case takes a millisecond or two, so this scales with their
 * number.
 */
const GUARD = { timeout: 60_000 + 40 * CASES }

async function check({ kind: what, bytes, must }: Case, at: number): Promise<'kept' | 'refused'> {
  const kind = `${what} (SEED=${SEED}, case ${at})`
  const result = await unpackArchive(bytes)
  if (must !== 'any') expect(result.ok ? 'kept' : 'refused', kind).toBe(must)
  if (!result.ok) {
    expect(['invalid_archive', 'too_large'], kind).toContain(result.error.code)
    expect(result.error.detail, kind).toMatch(/\S.*\.$/s)
    // Foreign text is shown shortened and without control characters.
    const output = JSON.stringify(result.error)
    expect(output.length, kind).toBeLessThan(16_000)
    expect(/[\p{Cc}\u202E\u200B]/u.test(output), kind).toBe(false)
    return 'refused'
  }
  const paths = Array.from(result.value.keys())
  const sizes = Array.from(result.value.values(), (content) => content.byteLength)
  expect(paths.length, kind).toBeLessThanOrEqual(SKILL_FILES_MAX)
  expect(Math.max(...sizes), kind).toBeLessThanOrEqual(SKILL_FILE_MAX_BYTES)
  expect(
    sizes.reduce((sum, size) => sum + size, 0),
    kind,
  ).toBeLessThanOrEqual(SKILL_MAX_BYTES)
  expect(pathCollision(paths), kind).toBeNull()
  const folder = skillFolder(result.value)
  for (const path of folder.ok ? folder.value.files.keys() : paths)
    expect(checkSkillPath(path), kind).toEqual({ ok: true, value: path })
  return 'kept'
}

describe('archives', () => {
  it(`are refused or safe: ${CASES} of seed ${SEED}`, GUARD, async () => {
    const random = seeded(SEED)
    const count = { kept: 0, refused: 0 }
    for (let index = 0; index < CASES; index++) {
      await betweenTasks(index)
      count[await check(hostileArchive(random), index)] += 1
    }
    // A generator that makes only garbage, or only valid archives, would test nothing.
    expect(count.refused).toBeGreaterThan(CASES / 4)
    expect(count.kept).toBeGreaterThan(CASES / 50)
  })
})
