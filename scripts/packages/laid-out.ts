// Lists the files of all locked packages below their folders in the sandbox. Reads cached archives, and sends no
// requests.

import { ok } from '../../src/lib/result.ts'
import { counted } from '../../src/lib/counted.ts'
import { cachedArchive } from './archive-cache.ts'
import { LANGUAGES, type Language, type PackageLock } from './lock.ts'
import { ALL_PACKAGES_FILES_MAX, ALL_PACKAGES_UNPACKED_MAX_BYTES } from './limits.ts'
import { readNodePackage } from './node-package.ts'
import { problem, type PackageResult } from './problem.ts'
import { readWheel } from './wheel.ts'
import type { PackageFiles } from './archive-files.ts'

export interface LaidOutPackage {
  readonly language: Language
  readonly name: string
  readonly version: string
  /** The files by path below the language's folder of packages. */
  readonly files: PackageFiles
  /** The names that scripts can import. */
  readonly modules: readonly string[]
}

/** The packages in the order of the lock. Fails if an archive is not cached, or a limit is exceeded. */
export async function layOut(
  root: string,
  lock: PackageLock,
): Promise<PackageResult<readonly LaidOutPackage[]>> {
  const laidOut: LaidOutPackage[] = []
  const owners = new Map<string, string>()
  let bytes = 0
  for (const language of LANGUAGES)
    for (const [name, { version, file, sha256 }] of Object.entries(lock[language]).toSorted(byName)) {
      const archive = await cachedArchive(root, sha256)
      if (!archive)
        return problem(
          'index_missing',
          `${file} of the package ${name} has not been fetched. Run npm run skills:build with --index URL (Python) or --npm-index URL.`,
        )
      const read =
        language === 'python' ? readPython(name, file, archive) : await readNode(name, file, archive)
      if (!read.ok) return read
      for (const [path, content] of read.value.files) {
        const owner = owners.get(`${language} ${path}`)
        if (owner !== undefined)
          return problem(
            'package_conflict',
            `${owner} and ${name} both contain ${path}. Remove one of them: npm run packages -- remove NAME.`,
          )
        owners.set(`${language} ${path}`, name)
        bytes += content.length
      }
      laidOut.push({ language, name, version, ...read.value })
    }
  if (bytes > ALL_PACKAGES_UNPACKED_MAX_BYTES)
    return problem(
      'package_too_large',
      `The packages total ${bytes} bytes unpacked; the limit for a deployment is ${ALL_PACKAGES_UNPACKED_MAX_BYTES}. Remove some: npm run packages -- remove NAME.`,
    )
  if (owners.size > ALL_PACKAGES_FILES_MAX)
    return problem(
      'package_too_large',
      `The packages have ${counted(owners.size, 'file')}; a deployment may have ${ALL_PACKAGES_FILES_MAX}. Remove some: npm run packages -- remove NAME.`,
    )
  return ok(laidOut)
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

type LaidOutFiles = Pick<LaidOutPackage, 'files' | 'modules'>

function readPython(
  name: string,
  file: string,
  archive: Uint8Array<ArrayBuffer>,
): PackageResult<LaidOutFiles> {
  const wheel = readWheel(name, file, archive)
  return wheel.ok ? ok({ files: wheel.value.files, modules: wheel.value.modules }) : wheel
}

async function readNode(
  name: string,
  file: string,
  archive: Uint8Array,
): Promise<PackageResult<LaidOutFiles>> {
  const read = await readNodePackage(name, file, archive)
  if (!read.ok) return read
  const files = new Map([...read.value.files].map(([path, content]) => [`${name}/${path}`, content]))
  return ok({ files, modules: [name] })
}
