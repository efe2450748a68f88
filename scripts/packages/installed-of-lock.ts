// The locked packages in the form that checks of skills use: their names, and the modules of fetched packages.

import { layOut } from './laid-out.ts'
import { readPackageLock } from './lock.ts'

import type { InstalledPackages } from '../../src/sandbox/installed-packages.ts'

/** The packages of a checkout. An unreadable lock counts as empty; other commands report it. */
export async function installedOfLock(root: string): Promise<InstalledPackages> {
  const lock = await readPackageLock(root)
  if (!lock.ok) return { pythonModules: {}, python: [], node: [] }
  const [python, node] = [Object.keys(lock.value.python), Object.keys(lock.value.node)]
  const laidOut = python.length === 0 ? null : await layOut(root, { python: lock.value.python, node: {} })
  const modules = laidOut?.ok
    ? laidOut.value.flatMap(({ name, modules: own }) => own.map((module) => [module, name] as const))
    : python.map((name) => [name.replace(/^python-/, '').replaceAll('-', '_'), name] as const)
  return { pythonModules: Object.fromEntries(modules), python, node }
}
