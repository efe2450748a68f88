// Promise: a document that is slow to read delays only its sender.

import { expect, test } from 'vitest'
import { inTurns } from '../../../src/files/documents/in-turns.ts'
import type { DocumentReader } from '../../../src/files/documents/document.ts'
import { ok } from '../../../src/lib/result.ts'

const SIGNAL = new AbortController().signal
const read = (documents: DocumentReader, key: string, name: string): ReturnType<DocumentReader['read']> =>
  documents.read('pdf', new TextEncoder().encode(name), {
    signal: SIGNAL,
    queue: { key, thread: 'th', trackWait: async (wait) => wait },
  })

test('reads one document of a key at a time, without delaying another key', async () => {
  const begun: string[] = []
  const endings = new Map<string, () => void>()
  const documents = inTurns((position) => ({
    async read(_kind, bytes) {
      const name = new TextDecoder().decode(bytes)
      begun.push(`${name} at ${position}`)
      await new Promise<void>((resolve) => endings.set(name, resolve))
      return ok({ text: name, parts: 1, cut: null })
    },
  }))
  const all = [read(documents, 'a', 'a1'), read(documents, 'a', 'a2'), read(documents, 'a', 'a3')]
  all.push(read(documents, 'b', 'b1'))
  await expect.poll(() => begun).toEqual(['a1 at 0', 'b1 at 1'])
  endings.get('b1')?.()
  all.push(read(documents, 'c', 'c1'))
  await expect.poll(() => begun.slice(2)).toEqual(['c1 at 1'])
  endings.get('a1')?.()
  await expect.poll(() => begun.slice(3)).toEqual(['a2 at 0'])
  endings.get('c1')?.()
  endings.get('a2')?.()
  await expect.poll(() => begun.length).toBe(5)
  endings.get('a3')?.()
  expect((await Promise.all(all)).map((one) => one.ok && one.value.text)).toEqual([
    'a1',
    'a2',
    'a3',
    'b1',
    'c1',
  ])
})
