// Adds the device files to a guest's tree, and opens its standard streams.

import type { OpenFiles } from './open-files.ts'
import type { Tree } from './tree.ts'

const DEVICES = [
  ['null', 'null', true],
  ['zero', 'zero', true],
  ['random', 'random', false],
  ['urandom', 'random', false],
  ['stdin', 'stdin', false],
  ['stdout', 'stdout', true],
  ['stderr', 'stderr', true],
] as const

/** Adds `/dev` to a tree. */
export function addDevices(tree: Tree): void {
  for (const [name, device, writable] of DEVICES) tree.device(`/dev/${name}`, device, writable)
}

/** Opens the standard streams as 0, 1 and 2. */
export function openStreams(tree: Tree, files: OpenFiles): void {
  for (const [name, flags] of [
    ['stdin', 0],
    ['stdout', 1],
    ['stderr', 1],
  ] as const) {
    const node = tree.find(tree.root, `/dev/${name}`)
    if (typeof node !== 'number') files.open(node, flags)
  }
}
