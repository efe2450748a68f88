// Guards unpacking against whatever is sent: thousands of hostile and damaged archives are refused or come out safe,
// none throws, none takes long. SEED and CASES from the environment; both are printed.

import { describe, expect, it } from 'vitest'
import { SKILL_BYTES_MAX, SKILL_FILE_MAX_BYTES, SKILL_FILES_MAX } from '../../src/limits.ts'
import { checkSkillPath, pathCollision } from '../../src/skills/format/path.ts'
import { unpackArchive } from '../../src/skills/package/archive.ts'
import { skillFolder } from '../../src/skills/package/skill-folder.ts'
import { hostileArchive, seeded, type Case } from './archive-cases.ts'

const SEED = Number(process.env['SEED'] ?? 20_261)
const CASES = Number(process.env['CASES'] ?? 10_000)
/** A refusal takes longer than this on no machine; on a busy one, once more decides. */
const SLOW_MS = 50

async function timed(bytes: Uint8Array<ArrayBuffer>) {
  const began = performance.now()
  const result = await unpackArchive(bytes)
  return { result, took: performance.now() - began }
}

async function check({ kind, bytes, must }: Case): Promise<'kept' | 'refused'> {
  let { result, took } = await timed(bytes)
  for (let again = 0; took > SLOW_MS && again < 3; again++) ({ result, took } = await timed(bytes))
  expect(took, kind).toBeLessThan(SLOW_MS)
  if (must !== 'any') expect(result.ok ? 'kept' : 'refused', kind).toBe(must)
  if (!result.ok) {
    expect(['invalid_archive', 'too_large'], kind).toContain(result.error.code)
    expect(result.error.detail, kind).toMatch(/\S.*\.$/s)
    // What others wrote is shown cut and without controls.
    const said = JSON.stringify(result.error)
    expect(said.length, kind).toBeLessThan(16_000)
    expect(/[\p{Cc}\u202E\u200B]/u.test(said), kind).toBe(false)
    return 'refused'
  }
  const paths = Array.from(result.value.keys())
  const sizes = Array.from(result.value.values(), (content) => content.byteLength)
  expect(paths.length, kind).toBeLessThanOrEqual(SKILL_FILES_MAX)
  expect(Math.max(...sizes), kind).toBeLessThanOrEqual(SKILL_FILE_MAX_BYTES)
  expect(
    sizes.reduce((sum, size) => sum + size, 0),
    kind,
  ).toBeLessThanOrEqual(SKILL_BYTES_MAX)
  expect(pathCollision(paths), kind).toBeNull()
  const folder = skillFolder(result.value)
  for (const path of folder.ok ? folder.value.files.keys() : paths)
    expect(checkSkillPath(path), kind).toEqual({ ok: true, value: path })
  return 'kept'
}

describe('archives', () => {
  it(`are refused or safe (SEED=${SEED} CASES=${CASES})`, async () => {
    const random = seeded(SEED)
    const seen = new Map<string, { kept: number; refused: number }>()
    for (let index = 0; index < CASES; index++) {
      const one = hostileArchive(random)
      const count = seen.get(one.kind) ?? { kept: 0, refused: 0 }
      count[await check(one)] += 1
      seen.set(one.kind, count)
    }
    console.log(`archives: SEED=${SEED} CASES=${CASES}`, JSON.stringify(Object.fromEntries(seen)))
    const total = (what: 'kept' | 'refused') =>
      Array.from(seen.values()).reduce((sum, one) => sum + one[what], 0)
    // A generator that makes only rubbish, or only good archives, would guard nothing.
    expect(total('refused')).toBeGreaterThan(CASES / 4)
    expect(total('kept')).toBeGreaterThan(CASES / 50)
  }, 120_000)
})
