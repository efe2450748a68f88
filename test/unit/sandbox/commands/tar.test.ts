// `tar` writes archives with the bytes of GNU tar's, and lists and extracts them.

import { createHash } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { OWN_COMMANDS } from '../../../../src/sandbox/bash/command-table.ts'
import { encode } from '../../../../src/sandbox/commands/io/text.ts'
import { ran, type Ran } from './in-memory.ts'

const FILES = { 'd/a': 'hi\n', 'd/b c': 'yo\n', 'd/e/z': 'z\n' }
const SAME = '--owner=0 --group=0 --mtime=@5'

async function tar(line: string, files: Readonly<Record<string, string>> = FILES): Promise<Ran> {
  const command = OWN_COMMANDS['tar']
  if (!command) throw new Error('there is no tar')
  return ran(command, 'tar', line.split(' '), '', files)
}

async function namesOf(options: string): Promise<readonly string[]> {
  const { files } = await tar(`-cf x.tar ${options} d`)
  const listed = await tar('-tf x.tar', Object.fromEntries(files))
  return listed.stdout.trimEnd().split('\n')
}

describe('tar', () => {
  it.each([
    // SHA-256 of what GNU tar 1.34 writes.
    [SAME, 'd/a d/e/z', '966b483a580e65604cdfe8663e7831a9fb02a925fb0b006ee1db7b63cdc1e788'],
    [
      '--format=gnu --owner=bob:7 --group=grp:8 --mtime=@5 --numeric-owner',
      'd/a',
      'fd64abd9c73ae47b1aa715d7548904b49a88f5e26875ef61ed854d3ab8d4a170',
    ],
    [
      '--owner=bob:7 --group=grp:8 --mtime=@5',
      'd/a',
      'f28951f7a0aff6c0aee1a676c69ce8a4be4f193a15c4c5347c41319c8af71202',
    ],
    [
      `${SAME} --transform=s,^,${'n'.repeat(120)}/,`,
      'd/a',
      '9e43c495a20b644ec5bfa591911596b1d6e31d5c1496374111231cad958e8147',
    ],
  ])('writes the bytes of GNU tar: %s %s', async (options, names, sha256) => {
    const { files } = await tar(`-cf x.tar ${options} ${names}`)
    const bytes = encode(files.get('x.tar') ?? '')
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
  })

  it('changes names with --transform, and omits those of --exclude', async () => {
    expect(await namesOf('')).toEqual(['d/', 'd/a', 'd/b c', 'd/e/', 'd/e/z'])
    expect(await namesOf('--transform=s,^d,v1,')).toEqual(['v1/', 'v1/a', 'v1/b c', 'v1/e/', 'v1/e/z'])
    expect(await namesOf(String.raw`--transform=s/\(a\)/\U\1x/;s/E/_/i`)).toContain('d/_/z')
    expect(await namesOf('--exclude=e --exclude=*c')).toEqual(['d/', 'd/a'])
    expect(await namesOf('--no-recursion')).toEqual(['d/'])
  })

  it('appends, and prints members selected by wildcards', async () => {
    const { files } = await tar(`-cf x.tar ${SAME} d/a`)
    const more = await tar(`-rf x.tar ${SAME} d/e/z`, Object.fromEntries(files))
    const archive = Object.fromEntries(more.files)
    expect((await tar('-tvf x.tar', archive)).stdout).toBe(
      '-rw-r--r-- root/root         3 1970-01-01 00:00 d/a\n-rw-r--r-- root/root         2 1970-01-01 00:00 d/e/z\n',
    )
    expect((await tar('-xOf x.tar --wildcards *z', archive)).stdout).toBe('z\n')
  })

  it('takes names from a file', async () => {
    const { files } = await tar('-cf x.tar -T list', { ...FILES, list: 'd/a\nd/e/z\n' })
    expect((await tar('-tf x.tar', Object.fromEntries(files))).stdout).toBe('d/a\nd/e/z\n')
  })

  it.each(['-cJf x d', '-cjf x d', '-cf x --transform=s/a/b/2 d', '-cf x --transform=y/a/b/ d', '-uf x d'])(
    'refuses %s',
    async (line) => {
      expect((await tar(line)).refused).toContain('is not supported here. Instead: ')
    },
  )
})
