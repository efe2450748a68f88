// Guards the cost of comparing two versions: all their files share one budget, the work pauses between them, and files
// beyond the budget are reported as not compared.

import { describe, expect, it } from 'vitest'
import { utf8 } from '../../../../src/lib/bytes.ts'
import { ok } from '../../../../src/lib/result.ts'
import { startPace } from '../../../../src/lib/steps.ts'
import { UNITS_BETWEEN_PAUSES } from '../../../../src/lib/limits.ts'
import { DIFF_WORK_MAX_UNITS } from '../../../../src/limits/skills.ts'
import { DIFF_EDITS_MAX } from '../../../../src/skills/package/limits.ts'
import { DIFF_FILES_MAX } from '../../../../src/skills/publish/limits.ts'
import { diffVersions } from '../../../../src/skills/publish/version-diff.ts'
import type { VersionDiff } from '../../../../src/skills/publish/version-diff.ts'
import type { ContentReader } from '../../../../src/skills/store/content-reader.ts'
import { entry } from '../store/entries.ts'
import { HANG_GUARD } from '../../hang-guard.ts'

type Sides = readonly [before: string, after: string]

interface Compared {
  readonly files: VersionDiff['files']
  readonly units: number
  readonly rests: number
}

/** Compares two versions of `count` files; `of` returns both sides of each. */
async function compared(count: number, of: (at: number) => Sides): Promise<Compared> {
  const texts = Array.from({ length: count }, (_, at) => of(at))
  const path = (at: number): string => `f${String(at).padStart(3, '0')}.md`
  const content: Pick<ContentReader, 'manifest' | 'file'> = {
    manifest: async ({ digest }) => ok(texts.map((_, at) => ({ path: path(at), sha256: `${digest} ${at}` }))),
    file: async (_, sha256) => {
      const [side = '', at = ''] = sha256.split(' ')
      return ok(utf8(texts[Number(at)]?.[side === 'before' ? 0 : 1] ?? ''))
    },
  }
  let rests = 0
  const pace = startPace(async () => void rests++)
  const pair = { from: entry('x', { digest: 'before' }), to: entry('x', { digest: 'after' }) }
  const diff = await diffVersions(pair, content, pace)
  if (!diff.ok) throw new Error(diff.error.detail)
  return { files: diff.value.files, units: pace.totalUnits(), rests }
}

const lines = (count: number, start: string): string =>
  Array.from({ length: count }, (_, at) => `${start}${at}\n`).join('')

describe('two versions', () => {
  it('that differ completely share one budget, with pauses between files', HANG_GUARD, async () => {
    const half = DIFF_EDITS_MAX / 2
    const { files, units, rests } = await compared(DIFF_FILES_MAX, () => [lines(half, 'a'), lines(half, 'b')])
    const done = files.filter(({ diff }) => diff !== null)
    expect(done.length).toBeGreaterThan(5)
    expect(done.length).toBeLessThan(DIFF_FILES_MAX / 2)
    expect(files.at(-1)?.reason).toContain('not compared')
    expect(units).toBeGreaterThan(DIFF_WORK_MAX_UNITS / 2)
    expect(units).toBeLessThanOrEqual(DIFF_WORK_MAX_UNITS)
    expect(rests).toBeGreaterThanOrEqual(done.length - 1)
  })

  it('with very many lines, of which one differs, share it, too', HANG_GUARD, async () => {
    const { files, units } = await compared(100, () => ['\n'.repeat(200_000), `${'\n'.repeat(199_999)}x\n`])
    expect(files[0]?.diff).toContain('+x\n')
    expect(files.at(-1)?.reason).toContain('not compared')
    expect(units).toBeLessThanOrEqual(DIFF_WORK_MAX_UNITS)
  })

  it('with ordinary changes are compared completely', HANG_GUARD, async () => {
    const same = lines(450, 'same ')
    const { files, units } = await compared(100, () => [same + lines(50, 'was '), lines(50, 'is ') + same])
    expect(files.filter(({ diff }) => diff === null)).toEqual([])
    expect(units).toBeLessThan(DIFF_WORK_MAX_UNITS / 4)
    expect(units).toBeGreaterThan(UNITS_BETWEEN_PAUSES)
  })
})
