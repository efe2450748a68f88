// Reads the files of a package's archive, which is untrusted: paths must not lead out of the folder, nothing may occur
// twice, be a link, or exceed the limits. Nothing in it is executed.

import { crc32, gunzipSync } from 'node:zlib'

import { fromUtf8 } from '../../src/lib/bytes.ts'
import { ok } from '../../src/lib/result.ts'
import { Blocks } from '../../src/skills/package/blocks.ts'
import { inflate } from '../../src/skills/package/inflate.ts'
import { fileKindRefusal } from '../../src/skills/package/member-kind.ts'
import { TarRefusal } from '../../src/skills/package/tar-headers.ts'
import { walkTar } from '../../src/skills/package/tar.ts'
import { zipMembers } from '../../src/skills/package/zip-directory.ts'
import { PACKAGE_FILE_MAX_BYTES, PACKAGE_FILES_MAX, PACKAGE_UNPACKED_MAX_BYTES } from './limits.ts'
import { problem, type PackageResult } from './problem.ts'

export type PackageFiles = ReadonlyMap<string, Uint8Array>

const STORED = 0
const DEFLATED = 8
/** Bytes of tar headers and padding per file. */
const TAR_OVERHEAD_BYTES = 2_048

class Intake {
  readonly files = new Map<string, Uint8Array>()
  readonly #file: string
  readonly #folded = new Set<string>()
  #bytes = 0

  constructor(file: string) {
    this.#file = file
  }

  /** Why the member may not be read; null if it may be. */
  refusal(path: string, size: number): PackageResult<never> | null {
    const shown = JSON.stringify(path.slice(0, 120))
    const refuse = (reason: string): PackageResult<never> =>
      problem('package_unsafe', `${this.#file} was refused: ${shown} ${reason}. Nothing was unpacked.`)
    if (!isSafePath(path)) return refuse('leads out of the package or is not a portable path')
    if (this.#folded.has(path.toLowerCase())) return refuse('appears twice')
    this.#folded.add(path.toLowerCase())
    this.#bytes += size
    const exceeded =
      size > PACKAGE_FILE_MAX_BYTES
        ? `one file of more than ${PACKAGE_FILE_MAX_BYTES} bytes`
        : this.#bytes > PACKAGE_UNPACKED_MAX_BYTES
          ? `more than ${PACKAGE_UNPACKED_MAX_BYTES} bytes unpacked`
          : this.#folded.size > PACKAGE_FILES_MAX
            ? `more than ${PACKAGE_FILES_MAX} files`
            : null
    return exceeded === null ? null : tooLarge(this.#file, exceeded)
  }

  unsafe(path: string, reason: string): PackageResult<never> {
    const shown = JSON.stringify(path.slice(0, 120))
    return problem('package_unsafe', `${this.#file} was refused: ${shown}: ${reason} Nothing was unpacked.`)
  }
}

function tooLarge(file: string, exceeded: string): PackageResult<never> {
  return problem(
    'package_too_large',
    `${file} has ${exceeded}, the limit for a package. Choose a smaller package or version.`,
  )
}

function isSafePath(path: string): boolean {
  const names = path.split('/')
  return (
    path.length <= 1_000 &&
    // oxlint-disable-next-line no-control-regex -- control characters are what this refuses
    !/[\u0000-\u001f\u007f\\:]/.test(path) &&
    names.every((name) => name !== '' && name !== '.' && name !== '..' && name.length <= 200)
  )
}

/** The files of a wheel. */
export function unzipPackage(file: string, bytes: Uint8Array<ArrayBuffer>): PackageResult<PackageFiles> {
  const members = zipMembers(new Blocks([bytes]))
  if (!members.ok) return problem('package_unsafe', `${file} was refused. ${members.error.detail}`)
  const intake = new Intake(file)
  for (const entry of members.value) {
    const name = fromUtf8(entry.name)
    if (name === null) return intake.unsafe('', 'A name is not UTF-8.')
    const folder = name.endsWith('/')
    const path = folder ? name.slice(0, -1) : name
    const kind = entry.extra ?? fileKindRefusal(entry.mode, folder)
    if (kind !== null) return intake.unsafe(path, kind)
    if (folder) {
      if (!isSafePath(path))
        return intake.refusal(path, 0) ?? intake.unsafe(path, 'It is not a portable path.')
      continue
    }
    const refused = intake.refusal(path, entry.size)
    if (refused) return refused
    const packed = bytes.subarray(entry.start, entry.start + entry.compressedBytes)
    const content =
      entry.method === STORED ? packed : entry.method === DEFLATED ? contentOf(packed, entry.size) : null
    if (content?.length !== entry.size || crc32(content) !== entry.crc)
      return intake.unsafe(path, 'Its content does not match its header.')
    intake.files.set(path, content)
  }
  return ok(intake.files)
}

function contentOf(packed: Uint8Array, size: number): Uint8Array | null {
  const inflated = inflate(packed, size)
  return inflated.ok ? inflated.value.content : null
}

/** The files of an npm package, without the archive's outer folder. */
export async function untarPackage(file: string, bytes: Uint8Array): Promise<PackageResult<PackageFiles>> {
  const limit = PACKAGE_UNPACKED_MAX_BYTES + PACKAGE_FILES_MAX * TAR_OVERHEAD_BYTES
  let tar: Uint8Array<ArrayBuffer>
  try {
    tar = new Uint8Array(gunzipSync(bytes, { maxOutputLength: limit }))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ERR_BUFFER_TOO_LARGE')
      return tooLarge(file, `more than ${PACKAGE_UNPACKED_MAX_BYTES} bytes unpacked`)
    return problem('package_unsafe', `${file} was refused: it is not a gzip file.`)
  }
  const intake = new Intake(file)
  try {
    const refused = await walkTar(
      new Blob([tar]).stream(),
      PACKAGE_FILES_MAX * 2,
      async ({ header, body }) => {
        const { name, type, size, mode = 0, pax = {} } = header
        if (type !== 'file' && type !== 'directory') return intake.unsafe(name, 'It is a link or a device.')
        if (pax['linkpath'] !== undefined) return intake.unsafe(name, 'It is a link.')
        const kind = fileKindRefusal(mode, type === 'directory')
        if (kind !== null) return intake.unsafe(name, kind)
        const inner = name.replace(/\/$/, '').split('/').slice(1).join('/')
        if (type === 'directory') {
          const safe = name.split('/').every((part) => part !== '..') && !name.startsWith('/')
          return safe ? null : intake.unsafe(name, 'It leads out of the package.')
        }
        const refusedFile = isSafePath(name) ? intake.refusal(inner, size) : intake.refusal(name, size)
        if (refusedFile) return refusedFile
        intake.files.set(inner, new Uint8Array(await new Response(body).arrayBuffer()))
        return null
      },
    )
    return refused ?? ok(intake.files)
  } catch (error) {
    const detail = error instanceof TarRefusal ? error.message : 'The tar is damaged.'
    return problem('package_unsafe', `${file} was refused. ${detail}`)
  }
}
