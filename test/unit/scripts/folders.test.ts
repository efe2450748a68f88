// Promise: folders import each other in one direction; a violation is reported with its imports.

import { describe, expect, test } from 'vitest'

import { importsIn, type Import } from '../../../scripts/check/imports.ts'
import { describeFolderCycle, findFolderCycles } from '../../../scripts/check/knots.ts'
import { outOfOrder } from '../../../scripts/check/order.ts'

const by = (...pairs: readonly string[]): readonly Import[] =>
  pairs.map((pair) => {
    const [from = '', to = '', typeOnly] = pair.split(' ')
    return { from, to, typeOnly: typeOnly === 'type' }
  })

test('imports are read as the formatter writes them, types separately', () => {
  const text = `import './a.ts'
import b from './b.ts'
import { type C, d } from './cd.ts'
import { type E } from './e.ts'
import type { F } from './f.ts'
import {
  g,
  type H,
} from './g.ts'
import * as i from '../i.ts'
export { j } from './j.ts'
export type { K } from './k.ts'
import { readFile } from 'node:fs'
const late = await import('./l.ts')
type M = typeof import('./m.ts').m
`
  expect(importsIn(text).map(({ path, typeOnly }) => `${path}${typeOnly ? ' type' : ''}`)).toEqual(
    ['./a.ts', './b.ts', './cd.ts', './e.ts type', './f.ts type', './g.ts', '../i.ts', './j.ts'].concat([
      './k.ts type',
      './l.ts',
    ]),
  )
})

describe('a cycle', () => {
  test('is shown with an import for each step, at any depth', () => {
    const found = findFolderCycles(
      by('src/a/b/x/1.ts src/a/b/y/2.ts', 'src/a/b/y/3.ts src/a/b/z/4.ts', 'src/a/b/z/4.ts src/a/b/x/5.ts'),
    )
    expect(found.map(describeFolderCycle)).toEqual([
      `src/a/b: x → y → z → x
  src/a/b/x/1.ts imports src/a/b/y/2.ts
  src/a/b/y/3.ts imports src/a/b/z/4.ts
  src/a/b/z/4.ts imports src/a/b/x/5.ts`,
    ])
  })

  test('can include files beside subfolders that are above one and below another', () => {
    const found = findFolderCycles(by('src/a/top.ts src/a/x/1.ts', 'src/a/y/2.ts src/a/low.ts'))
    expect(found.map(describeFolderCycle)).toEqual([
      `src/a: loose files on both sides
  src/a/top.ts imports src/a/x/1.ts
  src/a/y/2.ts imports src/a/low.ts`,
    ])
  })

  test('does not exist among types, within one folder, or if all imports go in one direction', () => {
    expect(findFolderCycles(by('src/a/1.ts src/b/2.ts', 'src/b/2.ts src/a/3.ts type'))).toEqual([])
    expect(findFolderCycles(by('src/a/1.ts src/a/2.ts', 'src/a/2.ts src/a/1.ts'))).toEqual([])
    expect(
      findFolderCycles(by('src/a/1.ts src/b/2.ts', 'src/a/1.ts src/c/3.ts', 'src/b/2.ts src/c/3.ts')),
    ).toEqual([])
  })
})

test('an import against the order is named with its reason', () => {
  const wrong = outOfOrder(
    by(
      'src/agent/loop.ts src/lib/result.ts',
      'src/agent/loop.ts src/tools/sources.ts',
      'src/thread/thread.ts src/workspace/api.ts type',
      'src/thread/thread.ts src/workspace/workspace.ts',
      'src/skills/scan/scan.ts src/skills/publish/publish.ts',
      'src/skills/share/shared.ts src/skills/catalog/api.ts',
      'src/lib/text.ts scripts/lib/terminal.ts',
      'src/index.ts src/api/app.ts',
    ),
  )
  expect(wrong).toEqual([
    'src/agent/loop.ts imports src/tools/sources.ts: agent/ may not import tools/.',
    'src/thread/thread.ts imports src/workspace/workspace.ts: thread/ may import only types from workspace/.',
    'src/skills/scan/scan.ts imports src/skills/publish/publish.ts: skills/scan/ may not import skills/publish/.',
    'src/lib/text.ts imports scripts/lib/terminal.ts: src/ may not import files outside of src/.',
  ])
})
