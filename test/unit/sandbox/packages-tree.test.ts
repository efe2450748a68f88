// Guards the packages in a guest's tree: they are read-only files that arrive in packs, and their memory is bounded
// however many a script opens.

import { expect, test } from 'vitest'

import { ERRNO } from '../../../src/sandbox/wasm/errno.ts'
import { Packages, type PackageIndex } from '../../../src/sandbox/wasm/packages.ts'
import { quotaOf } from '../../../src/sandbox/wasm/quota.ts'
import { Tree } from '../../../src/sandbox/wasm/tree.ts'

import type { File, ContentSource } from '../../../src/sandbox/wasm/nodes.ts'

const MIB = 1_048_576
const rowOf = (name: string, bytes: number): PackageIndex['packs'][number] => ({
  source: `/packs/${name}`,
  folder: '/lib/packages',
  files: [
    [`${name}/a.txt`, bytes - 2],
    [`${name}/deep/b.txt`, 2],
  ],
})

function mounted(...packs: PackageIndex['packs']): {
  readonly packages: Packages
  readonly file: (path: string) => File
} {
  const packages = new Packages(new TextEncoder().encode(JSON.stringify({ packs })).buffer)
  const tree = new Tree(quotaOf(MIB, 10, MIB), () => 0)
  packages.mount(tree)
  const file = (path: string): File => {
    const node = tree.find(tree.root, `/lib/packages/${path}`)
    if (typeof node === 'number' || node.kind !== 'file') throw new Error(`${path} is no file`)
    return node
  }
  return { packages, file }
}

/** A run whose host has packs of this size. */
function runOf(bytes: number): { readonly run: Parameters<Packages['load']>[0]; readonly fetched: string[] } {
  const fetched: string[] = []
  const run = {
    fetch: async (source: ContentSource) => {
      fetched.push(typeof source === 'string' ? source : '')
      return new Uint8Array(bytes).fill(7)
    },
    // The cast is safe: the test uses only this method of the meter, which permits everything.
    meter: { within: async <T>(work: Promise<T>) => work } as unknown as Parameters<
      Packages['load']
    >[0]['meter'],
  }
  return { run, fetched }
}

async function load(packages: Packages, file: File, run: Parameters<Packages['load']>[0]): Promise<number> {
  if (!file.pack) throw new Error('the file is in no pack')
  return packages.load(run, file.pack)
}

test('all files of a pack are loaded together, and none can be written', async () => {
  const { packages, file } = mounted(rowOf('one', 10))
  const { run, fetched } = runOf(10)
  expect(file('one/a.txt').bytes).toBeNull()
  expect(await load(packages, file('one/a.txt'), run)).toBe(0)
  expect(file('one/a.txt').bytes).toHaveLength(8)
  expect(file('one/deep/b.txt').bytes).toHaveLength(2)
  expect(fetched).toEqual(['/packs/one'])
  expect([file('one/a.txt').writable, file('one/a.txt').parent?.writable]).toEqual([false, false])
})

test('a pack of another length than in the index is not used', async () => {
  const { packages, file } = mounted(rowOf('one', 10))
  expect(await load(packages, file('one/a.txt'), runOf(9).run)).toBe(-ERRNO.IO)
  expect(file('one/a.txt').bytes).toBeNull()
})

test('earlier packs are evicted, except those with open files', async () => {
  const bytes = 4 * MIB
  const { packages, file } = mounted(...['a', 'b', 'c'].map((name) => rowOf(name, bytes)))
  const { run } = runOf(bytes)
  await load(packages, file('a/a.txt'), run)
  await load(packages, file('b/a.txt'), run)
  file('a/a.txt').openCount = 1
  expect(await load(packages, file('c/a.txt'), run)).toBe(0)
  expect(['a', 'b', 'c'].map((name) => file(`${name}/a.txt`).bytes !== null)).toEqual([true, false, true])
  file('c/deep/b.txt').openCount = 1
  expect(await load(packages, file('b/a.txt'), run)).toBe(-ERRNO.NOMEM)
  // The next job starts without open files.
  packages.mount(new Tree(quotaOf(MIB, 10, MIB), () => 0))
  expect(await load(packages, file('b/a.txt'), run)).toBe(0)
})
