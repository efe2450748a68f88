// The contents of a pure wheel: files below site-packages, metadata and top-level modules. Programs that it would
// install are left out, and nothing is executed.

import { ok } from '../../src/lib/result.ts'
import { unzipPackage, type PackageFiles } from './archive-files.ts'
import { hasOptionalParts, nativeMessage } from './native.ts'
import { problem, type PackageResult } from './problem.ts'

export interface Wheel {
  /** The files by path below site-packages. */
  readonly files: PackageFiles
  readonly licence: string
  /** `Requires-Dist`, as written. */
  readonly requires: readonly string[]
  readonly requiresPython: string | null
  /** The names that scripts can import. */
  readonly modules: readonly string[]
}

const NATIVE_FILE = /\.(?:so|pyd|dll|dylib)(?:\.\d+)*$/i
/**
 * Files that are left out: installation records, which nothing reads here, and tests, whose folders several packages
 * share.
 */
const LEFT_OUT = /\.dist-info\/(?:RECORD(?:\.\w+)?|INSTALLER|direct_url\.json)$|^tests?\//
const DATA_FOLDER = /^[^/]+\.data\/(purelib|platlib|data|scripts|headers)\/(.+)$/

/** Whether the name is that of a wheel for all platforms and Python 3. */
export function isPureWheel(file: string): boolean {
  const [python = '', abi, platform] = tagsOf(file)
  return abi === 'none' && platform === 'any' && python.split('.').some((tag) => /^py3\d*$/.test(tag))
}

/** Whether a wheel of this package can be used: it is pure, or its native code is optional. */
export function isUsableWheel(name: string, file: string): boolean {
  if (isPureWheel(file)) return true
  const [python, , platform = ''] = tagsOf(file)
  return hasOptionalParts(name) && python === 'cp313' && /manylinux.*x86_64$/.test(platform)
}

function tagsOf(file: string): readonly string[] {
  return file.endsWith('.whl') ? file.slice(0, -4).split('-').slice(-3) : []
}

/** Reads the wheel of a package, whose name is normalized. */
export function readWheel(name: string, file: string, bytes: Uint8Array<ArrayBuffer>): PackageResult<Wheel> {
  const unzipped = unzipPackage(file, bytes)
  if (!unzipped.ok) return unzipped
  const native = [...unzipped.value.keys()].find((path) => NATIVE_FILE.test(path))
  if (native !== undefined && !hasOptionalParts(name))
    return problem('package_native', nativeMessage('python', name, `its wheel contains ${native}`))
  const metadataPath = [...unzipped.value.keys()].find((path) => /^[^/]+\.dist-info\/METADATA$/.test(path))
  if (metadataPath === undefined)
    return problem('package_unsafe', `${file} was refused: it is not a wheel, because it has no METADATA.`)
  const metadata = headersOf(new TextDecoder().decode(unzipped.value.get(metadataPath)))
  const files = new Map<string, Uint8Array>()
  for (const [path, content] of unzipped.value) {
    const [, kind, inner] = DATA_FOLDER.exec(path) ?? []
    if (NATIVE_FILE.test(path)) continue
    if (kind === undefined && !LEFT_OUT.test(path)) files.set(path, content)
    if ((kind === 'purelib' || kind === 'platlib') && inner !== undefined) files.set(inner, content)
  }
  return ok({
    files,
    licence: licenceOf(metadata),
    requires: metadata.get('requires-dist') ?? [],
    requiresPython: metadata.get('requires-python')?.[0] ?? null,
    modules: modulesOf([...files.keys()]),
  })
}

/** The header fields of a METADATA file by lower-case name. Ignores the text after the first empty line. */
function headersOf(text: string): ReadonlyMap<string, readonly string[]> {
  const headers = new Map<string, string[]>()
  for (const line of text.split(/\r?\n/)) {
    if (line === '') break
    const [, name, value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? []
    if (name === undefined) continue
    const key = name.toLowerCase()
    headers.set(key, [...(headers.get(key) ?? []), value.trim()])
  }
  return headers
}

function licenceOf(metadata: ReadonlyMap<string, readonly string[]>): string {
  const expression = metadata.get('license-expression')?.[0]
  const classifiers = (metadata.get('classifier') ?? [])
    .filter((classifier) => classifier.startsWith('License ::'))
    .map((classifier) => classifier.split('::').at(-1)?.trim() ?? '')
  const free = metadata.get('license')?.[0] ?? ''
  const named = expression ?? (classifiers.join(', ') || free)
  return named.slice(0, 100) || 'not declared'
}

function modulesOf(paths: readonly string[]): readonly string[] {
  const modules = new Set<string>()
  for (const path of paths) {
    const [first = '', ...rest] = path.split('/')
    if (rest.length === 0 && first.endsWith('.py')) modules.add(first.slice(0, -3))
    if (rest.length > 0 && path.endsWith('.py') && /^[A-Za-z_]\w*$/.test(first)) modules.add(first)
  }
  return [...modules].toSorted()
}
