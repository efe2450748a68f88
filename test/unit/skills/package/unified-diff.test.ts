// Promise: a diff between two versions of a file is a patch that gives the newer one, or says why there is none. No
// two files make it run endlessly.

import { applyPatch } from 'diff'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { utf8 } from '../../../../src/lib/bytes.ts'
import { DIFF_FILE_MAX_BYTES } from '../../../../src/skills/package/limits.ts'
import { unifiedDiff } from '../../../../src/skills/package/unified-diff.ts'
import { casesOr } from '../../../fuzz/seed.ts'
import { HANG_GUARD } from '../../hang-guard.ts'

const CASES = casesOr(500)

const bytes = (text: string): Uint8Array<ArrayBuffer> => utf8(text)

test('applying the diff to the older text gives the newer one, whatever the lines and line breaks', () => {
  const line = fc.constantFrom(
    '',
    'a',
    'b',
    ' a',
    '-a',
    '+b',
    '@@ -1 +1 @@',
    '--- x',
    '\\ No newline',
    'ü𝄞',
    'a\r',
  )
  const text = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
    .map(([lines, end]) => lines.join('\n') + (end && lines.length > 0 ? '\n' : ''))
  fc.assert(
    fc.property(text, text, fc.boolean(), fc.boolean(), (old, now, hadOld, hasNow) => {
      if (!hadOld && !hasNow) return
      const { diff } = unifiedDiff('a.md', hadOld ? bytes(old) : null, hasNow ? bytes(now) : null)
      const patched = applyPatch(hadOld ? old : '', diff ?? '', { autoConvertLineEndings: false })
      expect(patched).toBe(hasNow ? now : '')
    }),
    { numRuns: CASES },
  )
})

test('the same text on both sides has no hunk', () => {
  expect(unifiedDiff('a.md', bytes('x\n'), bytes('x\n')).diff).not.toContain('@@')
})

test('bytes that are not text have no diff, and neither have large files; both say so', () => {
  const large = new Uint8Array(DIFF_FILE_MAX_BYTES + 1).fill(97)
  expect(unifiedDiff('a.bin', bytes('x'), new Uint8Array([0xff]))).toEqual({ diff: null, reason: 'not text' })
  expect(unifiedDiff('a.bin', bytes('x\0'), null)).toEqual({ diff: null, reason: 'not text' })
  expect(unifiedDiff('a.md', large, null).reason).toContain(String(DIFF_FILE_MAX_BYTES))
})

test('two texts without a common line are given up, a new one is not', HANG_GUARD, () => {
  const lines = (start: string): Uint8Array<ArrayBuffer> =>
    bytes(
      Array.from({ length: 30_000 }, (_, at) => `${start}${at}\n`)
        .join('')
        .slice(0, DIFF_FILE_MAX_BYTES),
    )
  expect(unifiedDiff('a.md', lines('a'), lines('b'))).toEqual({ diff: null, reason: 'too many lines differ' })
  expect(unifiedDiff('a.md', null, lines('b')).diff).toContain('+b29999\n')
})
