// The packages of the deployment: which runtime can import them, and which packs contain their files. Reads what
// scripts/runtimes/packages.ts wrote.

import type { FileSource } from './file-source.ts'

/** The imports that scripts can use in addition to the standard library. */
export interface InstalledPackages {
  /** The package of each top-level Python module, such as `pyyaml` for `yaml`. */
  readonly pythonModules: Readonly<Record<string, string>>
  /** The names of Python packages, normalized: `pyyaml`. */
  readonly python: readonly string[]
  readonly node: readonly string[]
}

export const NOTHING_INSTALLED: InstalledPackages = { pythonModules: {}, python: [], node: [] }
/** The name of the manifest, and of the part that lists the packages. */
export const PACKAGES = 'packages'
export const INSTALLED_PART = 'installed.json'
/** The path below which isolates request packs from their host. No file of a thread or a skill has such a path. */
export const PACKS_ROOT = '/packs/'
/** The part that a runtime loads as `packages.bin`. */
export const INDEX_PARTS = { python: 'python.index', node: 'node.index' } as const

/** A part of `/runtimes/sandbox/packages.json`. */
interface PackagePart {
  readonly type: 'js' | 'wasm' | 'data'
  readonly file: string
  readonly sha256: string
}

export interface PackageManifest {
  readonly source: FileSource
  readonly modules: Readonly<Record<string, PackagePart>>
}

/** The bytes of a part; null if there is no such part. Rejects if its file is missing. */
export async function readPart(
  { source, modules }: PackageManifest,
  part: string,
  urlOf: (file: string) => string,
): Promise<Uint8Array | null> {
  const file = Object.hasOwn(modules, part) ? modules[part]?.file : undefined
  if (file === undefined) return null
  const response = await source.fetch(urlOf(file))
  if (!response.ok) throw new Error(`${file} of the packages is missing (${response.status})`)
  return new Uint8Array(await response.arrayBuffer())
}
