// Builds the runtimes for guest code into dist/runtimes, and rebuilds one only when its inputs change.

import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

import { bashRuntime } from './bash.ts'
import { node } from './node.ts'
import { packagesRecipe } from './packages.ts'
import { python } from './python.ts'
import { current, store } from './store.ts'

import type { Recipe } from './recipe.ts'
import type { RuntimeManifest } from './store.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const RECIPES: readonly Recipe[] = [bashRuntime, python, node, packagesRecipe]

const USAGE = `node scripts/runtimes/build.ts [--force] [--check]

  Builds the outdated runtimes in dist/runtimes from the packages that package.json pins.

  --force   build all of them
  --check   build all of them, and fail if a byte differs from the existing files`

/** Builds the runtimes that are missing or outdated. Rejects with the message of the first failure. */
export async function buildRuntimes(
  root: string,
  force: boolean,
  say: (line: string) => void,
): Promise<void> {
  for (const recipe of RECIPES) {
    const inputs = recipe.inputs(root)
    const there = force ? null : current(root, recipe.name, inputs)
    if (!there) await build(root, recipe, inputs, say)
  }
}

async function build(
  root: string,
  recipe: Recipe,
  inputs: string,
  say: (line: string) => void,
): Promise<RuntimeManifest> {
  const began = performance.now()
  say(`${recipe.name}: building`)
  const manifest = store(root, recipe.name, inputs, recipe.main, await recipe.build(root, say))
  const bytes = Object.values(manifest.modules).reduce((sum, module) => sum + module.bytes, 0)
  say(`${recipe.name}: ${(bytes / 1e6).toFixed(1)} MB in ${Math.round(performance.now() - began)} ms`)
  return manifest
}

/** Builds each runtime again. Returns the names of modules whose bytes differ. */
async function differing(root: string, say: (line: string) => void): Promise<readonly string[]> {
  await buildRuntimes(root, false, say)
  const different: string[] = []
  for (const recipe of RECIPES) {
    const inputs = recipe.inputs(root)
    const before = current(root, recipe.name, inputs)
    const after = await build(root, recipe, inputs, say)
    for (const [name, { sha256 }] of Object.entries(after.modules))
      if (before?.modules[name]?.sha256 !== sha256) different.push(`${recipe.name}/${name}`)
  }
  return different
}

async function main(args: readonly string[]): Promise<number> {
  const unknown = args.find((arg) => !['--force', '--check', '--help'].includes(arg))
  if (args.includes('--help') || unknown !== undefined) {
    console.log(unknown === undefined ? USAGE : `There is no option "${unknown}".\n\n${USAGE}`)
    return unknown === undefined ? 0 : 2
  }
  const say = (line: string): void => console.log(line)
  if (!args.includes('--check')) {
    await buildRuntimes(ROOT, args.includes('--force'), say)
    return 0
  }
  const different = await differing(ROOT, say)
  console.log(
    different.length === 0 ? 'built twice, equal byte for byte' : `not reproducible: ${different.join(', ')}`,
  )
  return different.length === 0 ? 0 : 1
}

if (import.meta.main)
  process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error))
    return 1
  })
