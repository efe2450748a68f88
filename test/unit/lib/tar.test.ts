// Guards archives that are written piece by piece: other programs read each name, size and byte as it was.

import { unpackTar } from 'modern-tar'
import { expect, it } from 'vitest'
import { joinBytes, utf8 } from '../../../src/lib/bytes.ts'
import { TAR_END, tarHeader, tarPadding } from '../../../src/lib/tar.ts'

const AT = Date.parse('2030-01-02T03:04:05Z')

it('an archive is read by another program, with names and contents of all lengths', async () => {
  const names = [
    'a.txt',
    'x'.repeat(100),
    `folder/${'x'.repeat(100)}`,
    `${'deep/'.repeat(150)}end.txt`,
    'Überblick/報告 🐈.txt',
    ...[90, 91, 92, 93, 989, 990, 991, 992].map((length) => 'ü'.repeat(length)),
  ]
  const sizes = [0, 1, 511, 512, 513, 10_000]
  const members = names.map((name, at) => ({
    name,
    data: new Uint8Array(sizes[at % sizes.length] ?? 0).fill(at),
  }))
  const archive = joinBytes([
    ...members.flatMap(({ name, data }) => [tarHeader(name, data.length, AT), data, tarPadding(data.length)]),
    TAR_END,
  ])
  const read = await unpackTar(archive)
  expect(read.map(({ header }) => [header.name, header.size, header.mtime?.getTime()])).toEqual(
    members.map(({ name, data }) => [name, data.length, AT]),
  )
  expect(read.map(({ data }) => data ?? new Uint8Array())).toEqual(members.map(({ data }) => data))
  // Also by programs that read no extended headers, with shortened names.
  expect(archive.length % 512).toBe(0)
  expect(joinBytes([utf8('ustar\x0000')])).toEqual(archive.slice(257, 265))
})
