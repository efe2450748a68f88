// Guards the size of an index: bytes and skills are limited, a switch changes neither, and an index that is too large
// may shrink.

import { describe, expect, it } from 'vitest'
import { indexTooLarge } from '../../../../scripts/build/build.ts'
import { INDEX_FINDINGS_MAX_BYTES } from '../../../../src/skills/package/limits.ts'
import { INDEX_BYTES_MAX, INDEX_CACHE_MAX_BYTES } from '../../../../src/skills/store/limits.ts'
import { utf8 } from '../../../../src/lib/bytes.ts'
import { indexedFindings } from '../../../../src/skills/package/entry.ts'
import type { Finding } from '../../../../src/skills/skill.ts'
import { indexText } from '../../../../src/skills/store/index-json.ts'
import { INDEX_SIZE_MAX, indexSize, indexProblem } from '../../../../src/skills/store/index-size.ts'
import { manyEntries } from '../../../workers/many-skills.ts'
import { entry } from './entries.ts'

const max = { skills: 3, bytes: 1_000 }

describe('the size of an index', () => {
  it('is that of its JSON, within a few bytes for each skill', () => {
    const skills = manyEntries(100)
    const text = utf8(indexText({ format: 1, skills })).byteLength
    expect(Math.abs(indexSize({ format: 1, skills }).bytes - text)).toBeLessThan(3 * skills.length)
  })

  it('is the same whatever is enabled', () => {
    const size = (change: object): number => indexSize({ format: 1, skills: [entry('a', change)] }).bytes
    expect(size({ enabled: false })).toBe(size({ enabled: true, shareable: true, shadows: true }))
  })

  it('allows ten thousand real skills and all tools, and two of the largest indexes in the cache', () => {
    const { bytes } = indexSize({ format: 1, skills: manyEntries(1_000) })
    expect(indexProblem({ skills: 10_000, bytes: Math.max(10 * bytes, 13_300_000) + 2_097_152 })).toBeNull()
    expect(INDEX_CACHE_MAX_BYTES).toBeGreaterThanOrEqual(2 * INDEX_BYTES_MAX)
  })
})

describe('an index that would be too large', () => {
  it('is refused with its size and the limit, by bytes or by skills', () => {
    expect(indexProblem(max, undefined, max)).toBeNull()
    expect(indexProblem({ skills: 4, bytes: 1 }, undefined, max)).toContain('4 skills; the limit is 3')
    expect(indexProblem({ skills: 1, bytes: 1_001 }, undefined, max)).toContain('1001 bytes; the limit is')
  })

  it('may shrink, or keep its size, step by step', () => {
    const before = { skills: 9, bytes: 9_000 }
    expect(indexProblem({ skills: 8, bytes: 8_900 }, () => before, max)).toBeNull()
    expect(indexProblem(before, () => before, max)).toBeNull()
    expect(indexProblem({ skills: 8, bytes: 9_001 }, () => before, max)).toContain('9001 bytes')
    expect(indexProblem({ skills: 10, bytes: 8_000 }, () => before, max)).toContain('10 skills')
  })

  it('is an error of the build, which says what to omit', () => {
    expect(indexTooLarge(INDEX_SIZE_MAX, 'skills')).toBeNull()
    const found = indexTooLarge({ ...INDEX_SIZE_MAX, bytes: INDEX_BYTES_MAX + 1 }, 'more')
    expect(found).toMatchObject({ rule: 'index-too-large', severity: 'error', file: 'more' })
    expect(found?.message).toContain(`${INDEX_BYTES_MAX + 1} bytes`)
  })
})

describe('findings in an index', () => {
  const finding = (severity: Finding['severity'], line: number): Finding => {
    return { rule: 'r', severity, file: 'SKILL.md', line, message: '界'.repeat(600), fix: 'Mend it.' }
  }

  it('have a limit in bytes, and the most severe come first', () => {
    const all = [...Array.from({ length: 50 }, (_, at) => finding('note', at + 1)), finding('warning', 99)]
    const kept = indexedFindings(all)
    expect(utf8(JSON.stringify(kept)).byteLength).toBeLessThanOrEqual(INDEX_FINDINGS_MAX_BYTES + 1)
    expect(kept.map(({ line }) => line)).toEqual([1, 99])
    const few = [finding('note', 1), finding('warning', 2)]
    expect(indexedFindings(few)).toEqual(few)
  })
})
