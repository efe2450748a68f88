// The files that an npm package installs, without those that only people and type checkers read. Scripts in its
// package.json are never executed.

import { ok } from '../../src/lib/result.ts'
import { untarPackage, type PackageFiles } from './archive-files.ts'
import { nativeMessage } from './native.ts'
import { problem, type PackageResult } from './problem.ts'

export interface NodePackage {
  /** The files by path below the package's folder. */
  readonly files: PackageFiles
  readonly licence: string
}

const NATIVE_FILE = /\.(?:node|so|dll|dylib)$|(?:^|\/)binding\.gyp$/i
const LEFT_OUT = /\.(?:map|flow|tsbuildinfo)$|\.d\.[cm]?ts$/

export async function readNodePackage(
  name: string,
  file: string,
  bytes: Uint8Array,
): Promise<PackageResult<NodePackage>> {
  const unpacked = await untarPackage(file, bytes)
  if (!unpacked.ok) return unpacked
  const native = [...unpacked.value.keys()].find((path) => NATIVE_FILE.test(path))
  if (native !== undefined)
    return problem('package_native', nativeMessage('node', name, `its archive contains ${native}`))
  const manifest = manifestOf(unpacked.value.get('package.json'))
  if (manifest === null)
    return problem(
      'package_unsafe',
      `${file} was refused: it is not an npm package, because it has no package.json.`,
    )
  const kept = [...unpacked.value].filter(([path]) => !LEFT_OUT.test(path))
  return ok({ files: new Map(kept), licence: licenceOf(manifest['license']) })
}

function manifestOf(bytes: Uint8Array | undefined): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes))
    // The cast is safe: any object has string keys.
    return typeof parsed === 'object' && parsed !== null
      ? (parsed as Readonly<Record<string, unknown>>)
      : null
  } catch {
    return null
  }
}

function licenceOf(licence: unknown): string {
  if (typeof licence === 'string' && licence !== '') return licence.slice(0, 100)
  const type: unknown =
    typeof licence === 'object' && licence !== null && 'type' in licence ? licence.type : null
  return typeof type === 'string' ? type.slice(0, 100) : 'not declared'
}
