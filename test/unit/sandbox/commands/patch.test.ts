// `patch` changes files and says the same as GNU patch.

import { describe, expect, it } from 'vitest'

import { patch } from '../../../../src/sandbox/commands/patch/patch.ts'
import { ran } from './in-memory.ts'
import { PATCHES, PATCH_CASES } from './patch.cases.ts'

describe('patch', () => {
  for (const [number, { args, files, stdin, exitCode, stdout, after }] of PATCH_CASES.entries())
    it(`does what the real one does: ${number} ${args}`, async () => {
      const given = { ...PATCHES, ...files }
      const words = args === '' ? [] : args.split(' ')
      const result = await ran(patch, 'patch', words, stdin, given)
      expect(result).toMatchObject({ exitCode, stdout, refused: null })
      const expected = Object.entries({ ...given, ...after }).filter(([, content]) => content !== null)
      expect(Object.fromEntries(result.files)).toEqual(Object.fromEntries(expected))
    })

  for (const args of ['-e f', '-m f', '-D X f', '--verbose f', '-T f', '-V t f', '--posix f'])
    it(`refuses ${args}`, async () => {
      const { refused } = await ran(patch, 'patch', args.split(' '), '', { f: '1\n' })
      expect(refused).toContain('is not supported here. Instead: ')
    })

  it('refuses names outside of the folder, renames of git, and scripts for ed', async () => {
    const above = '--- ../f\n+++ ../f\n@@ -1 +1 @@\n-1\n+2\n'
    const renamed = 'diff --git a/f b/g\nsimilarity index 90%\nrename from f\nrename to g\n'
    for (const input of [above, renamed, '1c\nx\n.\n'])
      expect((await ran(patch, 'patch', ['-p0'], input, { f: '1\n' })).refused).toContain('Instead: ')
  })
})
