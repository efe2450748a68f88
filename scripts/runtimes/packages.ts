// The packages that scripts can import: those of skills/packages.lock, from cached archives, and time zones. Their files
// are laid into packs, which isolates fetch when a script imports something. Asks no index.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { INDEX_PARTS, INSTALLED_PART, PACKS_ROOT } from '../../src/sandbox/installed-packages.ts'
import { EMPTY_LOCK, PACKAGE_LOCK, parsePackageLock } from '../packages/lock.ts'
import { layOut, type LaidOutPackage } from '../packages/laid-out.ts'
import { PACKAGE_UNPACKED_MAX_BYTES } from '../packages/limits.ts'
import { ok } from '../../src/lib/result.ts'
import { compiledPath, compilePython, SITE_PACKAGES } from './compile-python.ts'
import { current, digestOf, digestOfFiles, RUNTIMES, type RuntimeModule } from './store.ts'
import { python } from './python.ts'
import { timeZones } from './time-zones.ts'

import type { InstalledPackages } from '../../src/sandbox/installed-packages.ts'
import type { PackageIndex } from '../../src/sandbox/wasm/packages.ts'
import type { Recipe } from './recipe.ts'

const NODE_MODULES = '/node_modules'
const ZONES = '/usr/share/zoneinfo'
const OWN = ['scripts/packages', 'scripts/runtimes', 'src/sandbox/wasm', 'src/sandbox/python']

export const packagesRecipe: Recipe = {
  name: 'packages',
  main: '',
  inputs: (root) => {
    const lock = join(root, PACKAGE_LOCK)
    return digestOf([
      ['files', digestOfFiles(root, OWN, ['package-lock.json'])],
      ['lock', existsSync(lock) ? readFileSync(lock) : ''],
    ])
  },
  build: async (root, say) => {
    const lock = lockOf(root)
    if (!lock.ok) throw new Error(lock.error.message)
    const laidOut = await layOut(root, lock.value)
    if (!laidOut.ok) throw new Error(laidOut.error.message)
    const compiled = compile(root, laidOut.value)
    const packs = packsOf(laidOut.value, compiled)
    const zones = packed('zones', ZONES, timeZones(root))
    say(`packages: ${laidOut.value.length}, and time zones`)
    return {
      ...Object.fromEntries([...packs, zones].map(({ part, bytes }) => [part, dataModule(bytes)])),
      [INDEX_PARTS.python]: jsonModule(
        indexOf([...packs.filter(({ row }) => row.folder === SITE_PACKAGES), zones]),
      ),
      [INDEX_PARTS.node]: jsonModule(indexOf(packs.filter(({ row }) => row.folder === NODE_MODULES))),
      [INSTALLED_PART]: jsonModule(installedOf(laidOut.value)),
    }
  },
}

function lockOf(root: string): ReturnType<typeof parsePackageLock> {
  const file = join(root, PACKAGE_LOCK)
  return existsSync(file) ? parsePackageLock(readFileSync(file, 'utf8')) : ok(EMPTY_LOCK)
}

/** The compiled modules of all Python packages, with the interpreter that has been built before. */
function compile(root: string, packages: readonly LaidOutPackage[]): ReadonlyMap<string, Uint8Array> {
  const sources = new Map(
    packages.filter(({ language }) => language === 'python').flatMap(({ files }) => [...files]),
  )
  if (sources.size === 0) return new Map()
  const runtime = current(root, python.name, python.inputs(root))
  const read = (part: string): Uint8Array<ArrayBuffer> => {
    const file = runtime?.modules[part]?.file
    if (file === undefined)
      throw new Error(
        'The Python runtime is not built, so packages cannot be compiled. Run node scripts/assets.ts.',
      )
    return new Uint8Array(readFileSync(join(root, RUNTIMES, file)))
  }
  const compiled = compilePython(sources, read('python.wasm'), read('stdlib.zip'))
  if (compiled.ok) return compiled.value
  const { path, reason } = compiled.error
  const owner = packages.find(({ language, files }) => language === 'python' && files.has(path ?? ''))
  if (path === null || !owner) throw new Error(`The packages cannot be compiled: ${reason}`)
  const { name, version } = owner
  throw new Error(
    `The file ${path} of the package ${name} ${version} ends the sandbox's Python while it is compiled: ${reason}. Use another version (npm run packages -- add "${name}<${version}") or remove the package (npm run packages -- remove ${name}).`,
  )
}

interface BuiltPack {
  readonly part: string
  readonly bytes: Uint8Array
  readonly row: PackageIndex['packs'][number]
}

/** For each package a pack of its files, and for Python another one of its compiled modules. */
function packsOf(
  packages: readonly LaidOutPackage[],
  compiled: ReadonlyMap<string, Uint8Array>,
): readonly BuiltPack[] {
  return packages.flatMap(({ language, name, files }, index) => {
    if (language === 'node') return [packed(`node${index}`, NODE_MODULES, files)]
    const own = new Map(
      [...files.keys()].flatMap((path) => {
        const bytes = compiled.get(compiledPath(path))
        return bytes ? [[compiledPath(path), bytes] as const] : []
      }),
    )
    const packs = [packed(`python${index}`, SITE_PACKAGES, files)]
    if (own.size > 0) packs.push(packed(`python${index}c`, SITE_PACKAGES, own))
    const large = packs.find(({ bytes }) => bytes.length > PACKAGE_UNPACKED_MAX_BYTES)
    if (large)
      throw new Error(
        `The package ${name} has ${large.bytes.length} bytes when it is compiled; the limit is ${PACKAGE_UNPACKED_MAX_BYTES}. Remove it: npm run packages -- remove ${name}.`,
      )
    return packs
  })
}

function packed(stem: string, folder: string, files: ReadonlyMap<string, Uint8Array>): BuiltPack {
  const sorted = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const bytes = Buffer.concat(sorted.map(([, content]) => content))
  // The name contains the digest, so that no isolate reads the bytes of another build by an old index.
  const part = `${stem}-${digestOf([[stem, bytes]]).slice(0, 16)}.bin`
  const rows = sorted.map(([path, content]) => [path, content.length] as const)
  return { part, bytes, row: { source: `${PACKS_ROOT}${part}`, folder, files: rows } }
}

function indexOf(packs: readonly BuiltPack[]): PackageIndex {
  return { packs: packs.map(({ row }) => row) }
}

function installedOf(packages: readonly LaidOutPackage[]): InstalledPackages {
  const named = (wanted: string): readonly string[] =>
    packages.filter(({ language }) => language === wanted).map(({ name }) => name)
  const modules = packages
    .filter(({ language }) => language === 'python')
    .flatMap(({ name, modules: own }) => own.map((module) => [module, name] as const))
  return { pythonModules: Object.fromEntries(modules), python: named('python'), node: named('node') }
}

function dataModule(bytes: Uint8Array): RuntimeModule {
  return { type: 'data', bytes }
}

function jsonModule(value: object): RuntimeModule {
  return dataModule(new TextEncoder().encode(JSON.stringify(value)))
}
