// Links the sandbox's runtimes into the static files, if they are built and up to date. Builds none.

import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { RECIPES } from '../runtimes/build.ts'
import { current, RUNTIMES } from '../runtimes/store.ts'
import { linkFile } from './link.ts'

/** Below the folder of all runtimes, so that no browser runs them. */
export const SANDBOX_FOLDER = 'sandbox'

/** `folder`: the static files' runtimes. Returns whether all of them exist. */
export function linkSandbox(root: string, folder: string): boolean {
  const out = join(folder, SANDBOX_FOLDER)
  mkdirSync(out, { recursive: true })
  const kept = new Set<string>()
  let all = true
  for (const { name, inputs } of RECIPES) {
    const manifest = current(root, name, inputs(root))
    all &&= manifest !== null
    if (!manifest) continue
    for (const { file } of Object.values(manifest.modules)) kept.add(file)
    kept.add(`${name}.json`)
  }
  for (const file of kept) linkFile(join(root, RUNTIMES, file), join(out, file))
  for (const file of readdirSync(out)) if (!kept.has(file)) rmSync(join(out, file), { force: true })
  return all
}
