// Guards the file tree that Python sees: it is writable only where the thread keeps files, within its quota, and no
// path leads outside.

import { describe, expect, test } from 'vitest'

import { changesSince, emptyFolders, filesOf } from '../../../src/sandbox/wasm/changes.ts'
import { negativeErrno } from '../../../src/sandbox/wasm/errno.ts'
import { OpenFiles } from '../../../src/sandbox/wasm/open-files.ts'
import { quotaOf } from '../../../src/sandbox/wasm/quota.ts'
import { pathOf, Tree } from '../../../src/sandbox/wasm/tree.ts'

import type { NodeLocation } from '../../../src/sandbox/wasm/tree.ts'

const WORK = '/mnt/user-data/workspace'

function treeOf(maxBytes = 1_000, maxFiles = 10): Tree {
  const tree = new Tree(quotaOf(maxBytes, maxFiles, 10_000), () => 0)
  tree.put('/mnt/skills/public/x/SKILL.md', {
    source: '/mnt/skills/public/x/SKILL.md',
    size: 3,
    writable: false,
  })
  tree.put(`${WORK}/in.csv`, { source: `${WORK}/in.csv`, size: 4, writable: true })
  return tree
}

function locationIn(tree: Tree, path: string): NodeLocation {
  const found = tree.locate(tree.root, path)
  if (typeof found === 'number') throw new Error(`${path}: ${found}`)
  return found
}

function openFilesOf(tree: Tree): OpenFiles {
  return new OpenFiles(tree, { stdin: new Uint8Array(0), write: () => {}, random: () => {} })
}

/** Creates a file with these bytes, as a script would. */
function write(tree: Tree, path: string, text: string): number {
  const file = tree.create(locationIn(tree, path))
  if (typeof file === 'number') return file
  const files = openFilesOf(tree)
  const fd = files.open(file, 1)
  const open = files.get(fd)
  const written = open ? files.write(open, new TextEncoder().encode(text), null) : -1
  files.close(fd)
  return written
}

const fetch = async (): Promise<Uint8Array> => new TextEncoder().encode('a,b\n')

describe('writing', () => {
  test.each(['/mnt/skills/public/x/new', '/mnt/user-data/new', '/mnt/new', '/new', '/dev/new', '/lib/new'])(
    '%s is refused',
    (path) => {
      const tree = treeOf()
      tree.folders('/dev')
      tree.folders('/lib')
      expect(write(tree, path, 'x')).toBe(negativeErrno('ROFS'))
    },
  )

  test.each([`${WORK}/new`, '/mnt/user-data/uploads/new', '/mnt/user-data/outputs/new', '/tmp/new'])(
    '%s is allowed',
    (path) => {
      expect(write(treeOf(), path, 'x')).toBe(1)
    },
  )

  test('a skill cannot be moved, removed or replaced', () => {
    const tree = treeOf()
    write(tree, `${WORK}/mine`, 'x')
    const skill = locationIn(tree, '/mnt/skills/public/x/SKILL.md')
    expect(tree.remove(skill, false)).toBe(negativeErrno('ROFS'))
    expect(tree.rename(skill, locationIn(tree, `${WORK}/a`))).toBe(negativeErrno('ROFS'))
    expect(tree.rename(locationIn(tree, `${WORK}/mine`), skill)).toBe(negativeErrno('ROFS'))
    expect(tree.rename(locationIn(tree, '/mnt/skills'), locationIn(tree, '/tmp/skills'))).toBe(
      negativeErrno('ROFS'),
    )
  })

  test('the fixed folders stay', () => {
    const tree = treeOf()
    expect(tree.rename(locationIn(tree, '/mnt/user-data/outputs'), locationIn(tree, `${WORK}/o`))).toBe(
      negativeErrno('ROFS'),
    )
    expect(tree.remove(locationIn(tree, '/tmp'), true)).toBe(negativeErrno('ROFS'))
  })
})

describe('paths', () => {
  test('.. ends at the root, and goes through folders only', () => {
    const tree = treeOf()
    const found = tree.find(tree.root, `${WORK}/../../../../../mnt/skills/public/x/SKILL.md`)
    expect(typeof found === 'number' ? found : pathOf(found)).toBe('/mnt/skills/public/x/SKILL.md')
    expect(tree.find(tree.root, `${WORK}/in.csv/../in.csv`)).toBe(negativeErrno('NOTDIR'))
    expect(tree.find(tree.root, `${WORK}/nowhere/../in.csv`)).toBe(negativeErrno('NOENT'))
  })

  test('that are too long are refused', () => {
    const tree = treeOf()
    expect(tree.locate(tree.root, `/tmp/${'a'.repeat(256)}`)).toBe(negativeErrno('NAMETOOLONG'))
    expect(tree.locate(tree.root, `/tmp/${'a/'.repeat(3_000)}`)).toBe(negativeErrno('NAMETOOLONG'))
  })

  test('a folder does not move into itself', () => {
    const tree = treeOf()
    tree.makeFolder(locationIn(tree, '/tmp/a'))
    expect(tree.rename(locationIn(tree, '/tmp/a'), locationIn(tree, '/tmp/a/b'))).toBe(negativeErrno('INVAL'))
  })
})

describe('the quota', () => {
  test('of bytes applies to writing, seeking far and truncating, and removed bytes are free again', () => {
    const tree = treeOf(100)
    expect(write(tree, '/tmp/a', 'x'.repeat(101))).toBe(negativeErrno('NOSPC'))
    expect(tree.quota.wasRefused).toBe(true)
    expect(write(tree, '/tmp/b', 'x'.repeat(90))).toBe(90)
    expect(write(tree, '/tmp/c', 'x'.repeat(20))).toBe(negativeErrno('NOSPC'))
    expect(tree.remove(locationIn(tree, '/tmp/b'), false)).toBe(0)
    expect(write(tree, '/tmp/d', 'x'.repeat(20))).toBe(20)
    const file = tree.find(tree.root, '/tmp/d')
    if (typeof file === 'number' || file.kind !== 'file') throw new Error('no file')
    expect(tree.resize(file, 10 ** 9)).toBe(negativeErrno('NOSPC'))
  })

  test.each([-1, -2_000_000_000, Number.NaN, 0.5, Infinity, 2 ** 53])(
    'is not changed by a length or a position of %s, which are refused',
    (number) => {
      const tree = treeOf(100)
      write(tree, '/tmp/a', 'x'.repeat(90))
      const file = tree.find(tree.root, '/tmp/a')
      if (typeof file === 'number' || file.kind !== 'file') throw new Error('no file')
      const files = openFilesOf(tree)
      const open = files.get(files.open(file, 2))
      if (!open) throw new Error('no descriptor')
      expect(tree.resize(file, number)).toBe(negativeErrno('INVAL'))
      expect(files.write(open, new Uint8Array(20), number)).toBe(negativeErrno('INVAL'))
      expect(files.read(open, new Uint8Array(20), number)).toBe(negativeErrno('INVAL'))
      expect(files.seek(open, number, 0)).toBe(negativeErrno('INVAL'))
      expect(tree.quota.bytes).toBe(90)
      expect(write(tree, '/tmp/b', 'x'.repeat(20))).toBe(negativeErrno('NOSPC'))
    },
  )

  test('of files applies to folders, too', () => {
    const tree = treeOf(1_000, 2)
    expect(write(tree, '/tmp/a', '')).toBe(0)
    expect(tree.makeFolder(locationIn(tree, '/tmp/b'))).toBe(0)
    expect(write(tree, '/tmp/c', '')).toBe(negativeErrno('NOSPC'))
  })
})

describe('changes', () => {
  test('list what was created, changed, moved and removed where it may write, in order', async () => {
    const tree = treeOf()
    tree.put(`${WORK}/b.txt`, { source: `${WORK}/b.txt`, size: 1, writable: true })
    tree.put(`${WORK}/same.txt`, { source: `${WORK}/same.txt`, size: 1, writable: true })
    const before = filesOf(tree)
    write(tree, '/mnt/user-data/outputs/z', 'new')
    write(tree, '/tmp/dropped', 'x')
    tree.rename(locationIn(tree, `${WORK}/in.csv`), locationIn(tree, `${WORK}/moved.csv`))
    tree.remove(locationIn(tree, `${WORK}/b.txt`), false)
    const changes = await changesSince(before, tree, fetch)
    expect(changes.map(({ path, bytes }) => [path, bytes && new TextDecoder().decode(bytes)])).toEqual([
      ['/mnt/user-data/outputs/z', 'new'],
      [`${WORK}/b.txt`, null],
      [`${WORK}/in.csv`, null],
      [`${WORK}/moved.csv`, 'a,b\n'],
      // The calling shell sees it, and the host does not keep it.
      ['/tmp/dropped', 'x'],
    ])
  })

  test('also list empty folders', () => {
    const tree = treeOf()
    for (const path of [`${WORK}/full/empty`, '/tmp/empty']) tree.folders(path)
    write(tree, `${WORK}/full/file`, 'x')
    const empty = emptyFolders(tree)
    expect(empty).toContain(`${WORK}/full/empty`)
    expect(empty).toContain('/tmp/empty')
    expect(empty).not.toContain(`${WORK}/full`)
    expect(empty).not.toContain(WORK)
  })

  test('are empty if nothing changed', async () => {
    const tree = treeOf()
    expect(await changesSince(filesOf(tree), tree, fetch)).toEqual([])
  })
})
