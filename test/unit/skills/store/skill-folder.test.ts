// Guards that publishing accepts one whole skill whose paths are safe everywhere, and says what is wrong with any
// other.

import { describe, expect, it } from 'vitest'
import { utf8 } from '../../../../src/lib/bytes.ts'
import { decodeCursor, encodeCursor } from '../../../../src/lib/cursor.ts'
import { inParallel } from '../../../../src/lib/parallel.ts'
import { SKILL_FILE_MAX_BYTES, SKILL_FILES_MAX } from '../../../../src/limits/skills.ts'
import { diffFiles } from '../../../../src/skills/package/file-diff.ts'
import { skillFolder } from '../../../../src/skills/package/skill-folder.ts'
import { findCloseNames } from '../../../../src/lib/suggest.ts'

function sent(...paths: string[]) {
  return skillFolder(new Map(paths.map((path) => [path, utf8('x')])))
}

describe('skillFolder', () => {
  it('accepts a skill at the root or under one folder', () => {
    for (const result of [sent('SKILL.md', 'a/b.md'), sent('own/SKILL.md', 'own/a/b.md')]) {
      if (!result.ok) throw new Error(result.error.detail)
      expect([...result.value.files.keys()]).toEqual(['SKILL.md', 'a/b.md'])
      expect(result.value.bytes).toBe(2)
    }
    expect(sent('own/SKILL.md')).toMatchObject({ value: { folder: 'own' } })
  })

  it('keeps a nested SKILL.md as a plain file of the outer skill', () => {
    expect(sent('SKILL.md', 'evals/case/SKILL.md').ok).toBe(true)
  })

  it.each([
    [['a.md'], 'There is no SKILL.md'],
    [[], 'There is no SKILL.md'],
    [['skill.md'], 'must be named SKILL.md'],
    [['one/SKILL.md', 'two/SKILL.md'], 'Publish each one separately'],
    [['own/SKILL.md', 'stray.md'], 'There is no SKILL.md'],
    [['SKILL.md', 'skill.md'], 'same on some file systems'],
    [['SKILL.md', 'a', 'a/b'], 'same on some file systems'],
    [['SKILL.md', 'caf\u00E9.md', 'cafe\u0301.md'], 'same on some file systems'],
  ])('refuses %j', (paths, words) => {
    const result = sent(...paths)
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_skill' } })
    expect(result.ok ? '' : result.error.detail).toContain(words)
  })

  it.each(['../x', '/abs', 'a\\b', 'a//b', 'C:x', 'a\0b', '%2e%2e/x', './x', 'own/../x'])(
    'refuses the path %j by name',
    (path) => {
      const result = sent('SKILL.md', path)
      expect(result).toMatchObject({ ok: false, error: { code: 'invalid_skill' } })
      expect(result.ok ? 0 : result.error.errors?.length).toBe(1)
    },
  )

  it('does not treat a folder with an unsafe name as a wrapper', () => {
    expect(sent('../SKILL.md', '../a.md').ok).toBe(false)
  })

  it('refuses text that is not UTF-8, but accepts other files unchanged', () => {
    const bytes = new Uint8Array([0xff, 0xfe, 0x00])
    const text = skillFolder(
      new Map([
        ['SKILL.md', utf8('x')],
        ['a.md', bytes],
      ]),
    )
    expect(text).toMatchObject({ ok: false, error: { errors: [{ path: 'a.md' }] } })
    expect(
      skillFolder(
        new Map([
          ['SKILL.md', utf8('x')],
          ['a.png', bytes],
        ]),
      ).ok,
    ).toBe(true)
  })

  it('limits the number of files and the size of each', () => {
    const many = Array.from({ length: SKILL_FILES_MAX }, (_, i) => `f${i}`)
    expect(sent('SKILL.md', ...many)).toMatchObject({ error: { code: 'too_large' } })
    expect(sent('SKILL.md', ...many.slice(1)).ok).toBe(true)
    const large = new Map([
      ['SKILL.md', utf8('x')],
      ['a.bin', new Uint8Array(SKILL_FILE_MAX_BYTES + 1)],
    ])
    expect(skillFolder(large)).toMatchObject({ error: { code: 'too_large' } })
  })
})

describe('diffFiles', () => {
  it('names every path of both sides once', () => {
    const file = (path: string, sha256: string) => ({ path, sha256 })
    const diff = diffFiles(
      [file('a', '1'), file('b', '1'), file('c', '1')],
      [file('b', '2'), file('c', '1'), file('d', '1')],
    )
    expect(diff.map(({ path, change }) => `${path} ${change}`)).toEqual([
      'a removed',
      'b changed',
      'c same',
      'd added',
    ])
  })
})

describe('findCloseNames', () => {
  const names = ['incident-report', 'code-review', 'api-design', 'data-analysis', 'deep-research']

  it('finds names with a typo, another case, or a part of them', () => {
    expect(findCloseNames('incident_reprot', names)).toEqual(['incident-report'])
    expect(findCloseNames('Code Review', names)).toEqual(['code-review'])
    expect(findCloseNames('research', names)).toEqual(['deep-research'])
  })

  it('offers at most three, and nothing too different', () => {
    expect(findCloseNames('a-1', ['a-2', 'a-3', 'a-4', 'a-5'])).toHaveLength(3)
    expect(findCloseNames('weather', names)).toEqual([])
    expect(findCloseNames('', names)).toEqual([])
    expect(findCloseNames('x'.repeat(1_000_000), names)).toEqual([])
  })
})

describe('cursors', () => {
  it('are returned unchanged, and only of the right shape', () => {
    const cursor = encodeCursor(['2026 ünï/+', 7])
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
    expect(decodeCursor(cursor, ['string', 'number'])).toEqual(['2026 ünï/+', 7])
    for (const types of [['string'], ['number', 'string'], ['string', 'number', 'number']] as const)
      expect(decodeCursor(cursor, types)).toBeNull()
    for (const forged of ['', '!', 'bnVsbA', 'e30', '__8', 'W10'])
      expect(decodeCursor(forged, ['string'])).toBeNull()
  })
})

describe('inParallel', () => {
  it('does everything, never more at a time than asked', async () => {
    let running = 0
    let most = 0
    const done: number[] = []
    await inParallel([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      most = Math.max(most, ++running)
      await Promise.resolve()
      done.push(item)
      running--
    })
    expect(done.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(most).toBe(3)
  })

  it('stops at the first failure and throws it once nothing runs any more', async () => {
    const begun: number[] = []
    const work = inParallel([1, 2, 3, 4, 5, 6], 2, async (item) => {
      begun.push(item)
      await Promise.resolve()
      if (item === 1) throw new Error('first')
    })
    await expect(work).rejects.toThrow('first')
    expect(begun.length).toBeLessThan(5)
  })
})
