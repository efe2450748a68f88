// Stores runtimes in dist/runtimes: files named by their digest, and a manifest for each runtime. A runtime with
// unchanged inputs is not built again.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const RUNTIMES = 'dist/runtimes'
/** The maximum size of a static asset (Workers limits). */
const ASSET_MAX_BYTES = 25 * 1_048_576

/** A module of a child, as the loader accepts it. */
export interface RuntimeModule {
  readonly type: 'js' | 'wasm' | 'data'
  readonly bytes: Uint8Array
}

/** The contents of `dist/runtimes/<name>.json`. */
export interface RuntimeManifest {
  /** Digest of all inputs: the same inputs give the same files. */
  readonly inputs: string
  readonly main: string
  readonly modules: Readonly<
    Record<
      string,
      {
        readonly type: RuntimeModule['type']
        readonly file: string
        readonly bytes: number
        readonly sha256: string
      }
    >
  >
}

/** The digest of `inputs` (names and bytes, in order). */
export function digestOf(inputs: Iterable<readonly [name: string, bytes: Uint8Array | string]>): string {
  const hash = createHash('sha256')
  for (const [name, bytes] of inputs) hash.update(`${name}\0${bytes.length}\0`).update(bytes)
  return hash.digest('hex')
}

/** The digest of all files in `folders`, and of `more`. */
export function digestOfFiles(root: string, folders: readonly string[], more: readonly string[]): string {
  const own = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${folder}/${entry.name}`),
  )
  const files = [...own.toSorted(), ...more]
  return digestOf(files.map((file) => [file, readFileSync(join(root, file))] as const))
}

function manifestOf(root: string, name: string): RuntimeManifest | null {
  try {
    // The cast is safe: this file writes the manifest, below.
    return JSON.parse(readFileSync(join(root, RUNTIMES, `${name}.json`), 'utf8')) as RuntimeManifest
  } catch {
    return null
  }
}

function filesOf(manifest: RuntimeManifest | null): readonly string[] {
  return Object.values(manifest?.modules ?? {}).map(({ file }) => file)
}

/** The manifest of a runtime if it is complete and was built from `inputs`, otherwise null. */
export function current(root: string, name: string, inputs: string): RuntimeManifest | null {
  const manifest = manifestOf(root, name)
  const whole = filesOf(manifest).every((file) => existsSync(join(root, RUNTIMES, file)))
  return whole && manifest?.inputs === inputs ? manifest : null
}

/**
 * Writes a runtime: its files, then its manifest, then deletes files of the earlier one. Throws if a file is too
 * large.
 */
export function store(
  root: string,
  name: string,
  inputs: string,
  main: string,
  parts: Readonly<Record<string, RuntimeModule>>,
): RuntimeManifest {
  mkdirSync(join(root, RUNTIMES), { recursive: true })
  const old = filesOf(manifestOf(root, name))
  const modules = Object.fromEntries(
    Object.entries(parts).map(([part, { type, bytes }]) => {
      if (bytes.length > ASSET_MAX_BYTES)
        throw new Error(
          `${part} of ${name} has ${bytes.length} bytes; an asset has ${ASSET_MAX_BYTES} at most`,
        )
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const [stem = '', extension = ''] = part.split('.')
      const file = `${name}-${stem}-${sha256.slice(0, 16)}.${extension}`
      replace(join(root, RUNTIMES, file), bytes)
      return [part, { type, file, bytes: bytes.length, sha256 }]
    }),
  )
  const manifest: RuntimeManifest = { inputs, main, modules }
  replace(join(root, RUNTIMES, `${name}.json`), `${JSON.stringify(manifest, null, 2)}\n`)
  const kept = new Set(filesOf(manifest))
  for (const file of old) if (!kept.has(file)) rmSync(join(root, RUNTIMES, file), { force: true })
  return manifest
}

/** Writes atomically, so that concurrent readers see either the old or the new file. */
function replace(path: string, bytes: Uint8Array | string): void {
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, bytes)
  renameSync(temporary, path)
}
