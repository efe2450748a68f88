// Guards that `patch` changes files and prints the same as GNU patch.

import { describe, expect, it } from 'vitest'

import { patch } from '../../../../src/sandbox/commands/patch/patch.ts'
import { ran } from './in-memory.ts'
import { PATCHES, PATCH_CASES } from './patch.cases.ts'

describe('patch', () => {
  for (const [number, { args, files, stdin, exitCode, stdout, after }] of PATCH_CASES.entries())
    it(`does the same as the real one: ${number} ${args}`, async () => {
      const given = { ...PATCHES, ...files }
      const words = args === '' ? [] : args.split(' ')
      const result = await ran(patch, 'patch', words, stdin, given)
      expect(result).toMatchObject({ exitCode, stdout, refused: null })
      const expected = Object.entries({ ...given, ...after }).filter(([, content]) => content !== null)
      expect(Object.fromEntries(result.files)).toEqual(Object.fromEntries(expected))
    })

  const REJECT = '--- f\n+++ f\n@@ -1 +1 @@\n-1\n+2\n'
  const FAILED = 'Hunk #1 FAILED at 1.\n1 out of 1 hunk FAILED'
  const ASKS =
    'patch detected!  Assume -R? [n] \nApply anyway? [n] \nSkipping patch.\n1 out of 1 hunk ignored'
  for (const [args, f, stdout, after] of [
    ['--dry-run f', null, `checking file f\n${FAILED}\n`, {}],
    [
      '--no-backup-if-mismatch f',
      null,
      `patching file f\n${FAILED} -- saving rejects to file f.rej\n`,
      { 'f.rej': REJECT },
    ],
    [
      '-o o f',
      null,
      `patching file o (read from f)\n${FAILED} -- saving rejects to file o.rej\n`,
      { o: '', 'o.rej': REJECT },
    ],
    [
      '-o o f',
      '3\n',
      `patching file o (read from f)\n${FAILED} -- saving rejects to file o.rej\n`,
      { o: '3\n', 'o.rej': REJECT },
    ],
    [
      '-o o f',
      '2\n',
      `patching file o (read from f)\nReversed (or previously applied) ${ASKS} -- saving rejects to file o.rej\n`,
      { o: '', 'o.rej': REJECT },
    ],
    ['--dry-run -o o f', '3\n', `checking file o (read from f)\n${FAILED}\n`, { o: '3\n' }],
    ['-o - f', '3\n', '3\n', { '-.rej': REJECT }],
  ] as const)
    it(`writes the same as the real one when nothing matches: patch ${args} with ${f ?? 'no file'}`, async () => {
      const files: Record<string, string> = f === null ? {} : { f }
      const result = await ran(patch, 'patch', args.split(' '), REJECT, files)
      expect(result).toMatchObject({ exitCode: 1, stdout, refused: null })
      expect(Object.fromEntries(result.files)).toEqual({ ...files, ...after })
    })

  it('copies the file to -o if the patch is empty', async () => {
    const { stdout, files } = await ran(patch, 'patch', ['-o', 'o', 'f'], '', { f: '1\n' })
    expect(stdout).toBe('patching file o (read from f)\n')
    expect(files.get('o')).toBe('1\n')
  })

  for (const args of ['-e f', '-m f', '-D X f', '--verbose f', '-T f', '-V t f', '--posix f'])
    it(`refuses ${args}`, async () => {
      const { refused } = await ran(patch, 'patch', args.split(' '), '', { f: '1\n' })
      expect(refused).toContain('is not supported here. Instead: ')
    })

  it('refuses names outside the folder, renames of git, and scripts for ed', async () => {
    const above = '--- ../f\n+++ ../f\n@@ -1 +1 @@\n-1\n+2\n'
    const renamed = 'diff --git a/f b/g\nsimilarity index 90%\nrename from f\nrename to g\n'
    for (const input of [above, renamed, '1c\nx\n.\n'])
      expect((await ran(patch, 'patch', ['-p0'], input, { f: '1\n' })).refused).toContain('Instead: ')
  })
})
