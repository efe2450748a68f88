// From folders and archives on disk to skills that can be sent. Judges them as publishing will; sends nothing.

import { readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'

import { type Failure, type Result } from '../../src/lib/result.ts'
import { ARCHIVE_BODY_MAX_BYTES } from '../../src/limits.ts'
import { SCAN_CONCURRENCY } from '../limits.ts'
import { byPlace, SKILL_FILE } from '../../src/skills/format/finding.ts'
import { parseSkill } from '../../src/skills/format/parse.ts'
import { unpackArchive } from '../../src/skills/package/archive.ts'
import { type FileMap, skillFolder } from '../../src/skills/package/skill-folder.ts'
import type { Finding } from '../../src/skills/skill.ts'
import { type Blob, fileBlob, memoryBlob, sha256Of } from '../build/blob.ts'
import { findPackages, type FoundSkill } from '../build/find-packages.ts'
import { listPackage } from '../build/list-package.ts'
import { mapBounded } from '../build/pool.ts'
import { hashed, readPackage } from '../build/read-package.ts'

interface SendableFile {
  readonly path: string
  readonly sha256: string
  readonly blob: Blob
}

/** A skill that is ready to be sent. */
export interface Sendable {
  /** Where it came from, for people: its folder, its file, or its archive. */
  readonly place: string
  /** Where one of its files is, for people. */
  readonly at: (file: string) => string
  readonly name: string
  readonly files: readonly SendableFile[]
  /** What was left out or is doubtful; no errors. */
  readonly findings: readonly Finding[]
}

export interface Gathered {
  readonly skills: readonly Sendable[]
  /** Why something cannot be sent, in sentences; any of them refuses the whole. */
  readonly errors: readonly string[]
}

type Refusable = Result<Sendable, readonly string[]>

/** All skills below these folders and in these archives. Two of one name are an error. */
export async function gather(paths: readonly string[]): Promise<Gathered> {
  const found: Refusable[] = []
  const errors: string[] = []
  for (const path of paths) {
    const there = await stat(path).catch(() => null)
    if (there === null) errors.push(`${path}: there is no such folder or file.`)
    else if (there.isDirectory() || /\.md$/i.test(path)) found.push(...(await fromFolder(path, errors)))
    else found.push(await fromArchive(path, there.size))
  }
  return sorted(found, errors)
}

/** Skills that are in memory already; `folder` is the name that each has or will have. */
export function gatherMemory(
  all: readonly { readonly files: FileMap; readonly folder: string; readonly place: string }[],
): Gathered {
  return sorted(
    all.map(({ files, folder, place }) => sendable(files, folder, place)),
    [],
  )
}

function sorted(found: readonly Refusable[], before: readonly string[]): Gathered {
  const errors = [...before]
  const skills = new Map<string, Sendable>()
  for (const one of found)
    if (!one.ok) errors.push(...one.error)
    else {
      const { name, place } = one.value
      const other = skills.get(name)
      // Named twice, as a folder and as the SKILL.md in it.
      if (other?.place === place) continue
      if (other) errors.push(`${place} and ${other.place} are both called ${name}. Publish one of them.`)
      skills.set(name, one.value)
    }
  return { skills: Array.from(skills.values()), errors }
}

async function fromFolder(path: string, errors: string[]): Promise<readonly Refusable[]> {
  const { packages, findings } = await findPackages(path)
  for (const { severity, file, message } of findings)
    if (severity === 'error') errors.push(`${file}: ${message}`)
  if (packages.length === 0 && errors.length === 0)
    errors.push(`${path}: there is no skill (a folder with ${SKILL_FILE}) in it.`)
  return mapBounded(packages, SCAN_CONCURRENCY, fromPackage)
}

async function fromPackage(found: FoundSkill): Promise<Refusable> {
  const near = relative(process.cwd(), found.path)
  const folder = near === '' || near.startsWith('..') ? found.path : near
  const onDisk = (file: string): string => join(folder, file === SKILL_FILE ? found.skillFile : file)
  const listing = await listPackage(found, 'strict')
  const { contents, findings } = readPackage(listing.files, 'strict')
  const files = hashed(listing.files, contents).map(({ path, disk, size, sha256 }) => ({
    path,
    sha256,
    blob: fileBlob(disk, size, sha256),
  }))
  const place = found.flat === true ? onDisk(SKILL_FILE) : folder
  const notes = [...listing.findings, ...findings]
  return readied(
    contents.get(SKILL_FILE) ?? null,
    { place, at: onDisk, files, findings: notes },
    found.folder,
  )
}

async function fromArchive(path: string, size: number): Promise<Refusable> {
  if (size > ARCHIVE_BODY_MAX_BYTES)
    return { ok: false, error: [`${path}: it has ${size} bytes; at most ${ARCHIVE_BODY_MAX_BYTES}.`] }
  const unpacked = await unpackArchive(new Uint8Array(await readFile(path)))
  if (!unpacked.ok) return { ok: false, error: refusal(path, unpacked.error) }
  const folder = skillFolder(unpacked.value)
  if (!folder.ok) return { ok: false, error: refusal(path, folder.error) }
  return sendable(folder.value.files, folder.value.folder, path)
}

/** `folder`: the name of its directory, '' when there is none to compare. */
function sendable(files: FileMap, folder: string, place: string): Refusable {
  const listed = Array.from(files, ([path, bytes]) => ({
    path,
    sha256: sha256Of(bytes),
    blob: memoryBlob(bytes),
  }))
  const main = files.get(SKILL_FILE) ?? new Uint8Array()
  const at = (file: string): string => `${place}: ${file}`
  return readied(main, { place, at, files: listed, findings: [] }, folder)
}

/** `main`: the bytes of SKILL.md, null when it cannot be read (and a finding says so). */
function readied(main: Uint8Array | null, rest: Omit<Sendable, 'name'>, folder: string): Refusable {
  const parsed = main && parseSkill(main, folder, 'strict')
  const errors = [...rest.findings, ...(parsed?.findings ?? [])].filter(
    ({ severity }) => severity === 'error',
  )
  if (!parsed?.skill || errors.length > 0)
    return { ok: false, error: errors.toSorted(byPlace).map((finding) => sentence(rest.at, finding)) }
  return { ok: true, value: { ...rest, name: parsed.skill.meta.name } }
}

function refusal(place: string, { detail, errors = [] }: Failure): readonly string[] {
  return [`${place}: ${detail}`, ...errors.map(({ path, message }) => `  ${path}: ${message}`)]
}

function sentence(at: (file: string) => string, { file, line, message, mend }: Finding): string {
  return `${at(file)}${line === null ? '' : `:${line}`}: ${message} ${mend}`
}
