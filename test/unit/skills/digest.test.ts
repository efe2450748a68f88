// Guards digests: equal files give the same digest in any order, and any change gives another.

import { describe, expect, test } from 'vitest'
import { createHash } from 'node:crypto'
import { manifestOf, parseManifest } from '../../../src/skills/package/digest.ts'

const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
const FILES = ['SKILL.md', 'a/b.md', 'a.md', '\u{10000}.md', '\uFF5E.md'].map((path) => ({
  path,
  sha256: sha(path),
}))

describe('manifestOf', () => {
  test('is the SHA-256 of sorted "path NUL sha256 LF" lines', async () => {
    const { digest, text } = await manifestOf(FILES.slice(0, 2))
    expect(text).toBe(`SKILL.md\0${sha('SKILL.md')}\na/b.md\0${sha('a/b.md')}\n`)
    expect(digest).toBe(sha(text))
  })

  test('sorts by UTF-8 bytes and does not depend on the order of its input', async () => {
    const one = await manifestOf(FILES)
    const other = await manifestOf(FILES.toReversed())
    expect(other).toEqual(one)
    const paths = one.files.map((file) => file.path)
    expect(paths).toEqual(paths.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
    expect(paths).not.toEqual(paths.toSorted())
  })

  test('changes with a path and with a byte', async () => {
    const digests = await Promise.all([
      manifestOf([{ path: 'a', sha256: sha('1') }]),
      manifestOf([{ path: 'b', sha256: sha('1') }]),
      manifestOf([{ path: 'a', sha256: sha('2') }]),
    ])
    expect(new Set(digests.map(({ digest }) => digest)).size).toBe(3)
  })
})

describe('parseManifest', () => {
  test('reads back the output of manifestOf', async () => {
    const { text, files } = await manifestOf(FILES)
    expect(parseManifest(text)).toEqual(files)
  })

  const line = (path: string, hash = sha('x')): string => `${path}\0${hash}\n`
  test.each([
    ['nothing', ''],
    ['no final line break', line('a').trimEnd()],
    ['an empty line', `${line('a')}\n`],
    ['no hash', 'a\n'],
    ['a short hash', line('a', 'abc')],
    ['upper case in a hash', line('a', sha('x').toUpperCase())],
    ['a third column', `a\0${sha('x')}\0b\n`],
    ['unsorted', line('b') + line('a')],
    ['a path twice', line('a') + line('a')],
    ['a path with ..', line('../a')],
    ['a path that is not NFC', line('e\u0301')],
    ['CRLF', line('a').replace('\n', '\r\n')],
  ])('refuses %s', (_what, text) => {
    expect(parseManifest(text)).toBeNull()
  })
})
