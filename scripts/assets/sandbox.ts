// Links the sandbox's runtimes into the static files if they have been built and are up to date.

import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { RECIPES } from '../runtimes/build.ts'
import { current, RUNTIMES } from '../runtimes/store.ts'
import { linkFile } from './link.ts'

/** The name of the sandbox's folder in the folder of runtimes, whose files no browser runs. */
export const SANDBOX_FOLDER = 'sandbox'

/** Links the sandbox's runtimes into `folder`, which contains all runtimes. Returns whether all of them exist. */
export function linkSandbox(root: string, folder: string): boolean {
  const out = join(folder, SANDBOX_FOLDER)
  mkdirSync(out, { recursive: true })
  const keptFiles = new Set<string>()
  let hasAll = true
  for (const { name, inputs } of RECIPES) {
    const manifest = current(root, name, inputs(root))
    hasAll &&= manifest !== null
    if (!manifest) continue
    for (const { file } of Object.values(manifest.modules)) keptFiles.add(file)
    keptFiles.add(`${name}.json`)
  }
  for (const file of keptFiles) linkFile(join(root, RUNTIMES, file), join(out, file))
  for (const file of readdirSync(out)) if (!keptFiles.has(file)) rmSync(join(out, file), { force: true })
  return hasAll
}
