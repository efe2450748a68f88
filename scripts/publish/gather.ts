// Turns folders and archives on disk into skills to send. Refuses here what the server would refuse
// anyway, except that only the server knows which findings were accepted earlier.

import { type Result } from '../../src/lib/result.ts'
import { type Acceptance, isAcceptable } from '../../src/skills/check/accept.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
import type { Finding } from '../../src/skills/skill.ts'
import { type BuildBlob, fileBlob, memoryBlob, sha256Of } from '../skill-folders/blob.ts'
import { unseenLine } from '../skill-folders/unseen.ts'
import type { Unseen } from '../skill-folders/unseen.ts'
import { judgeRead } from '../check-skills/check.ts'
import { shownPath } from '../lib/shown-path.ts'
import { unused } from '../lib/accepts.ts'
import { type ReadSkill, skillsAt } from '../check-skills/unchecked.ts'

interface SendableFile {
  readonly path: string
  readonly sha256: string
  readonly blob: BuildBlob
}

/** A skill that is ready to be sent. */
export interface Sendable {
  /** Its origin for display: its folder, its file, or its archive. */
  readonly location: string
  /** The displayed path of one of its files. */
  readonly at: (file: string) => string
  readonly name: string
  readonly files: readonly SendableFile[]
  /** Of the acceptances, the rules that refuse this skill. */
  readonly accept: readonly Acceptance[]
  /** Files that were left out; no errors. */
  readonly findings: readonly Finding[]
}

export interface Gathered {
  readonly skills: readonly Sendable[]
  /** Why something cannot be sent, one sentence each; any of them refuses everything. */
  readonly errors: readonly string[]
}

type Refusable = Result<Sendable, readonly string[]>

/**
 * All skills below these folders and in these archives. Two with one name are an error. `left`: a sentence
 * about those that were not searched.
 */
export async function gather(
  paths: readonly string[],
  accept: readonly Acceptance[] = [],
): Promise<Gathered & { readonly left: string | null }> {
  const found: Refusable[] = []
  const unseen: Unseen[] = []
  for (const path of paths) {
    const skills = await skillsAt(path)
    if (skills.ok) unseen.push(...skills.value.unseen)
    if (!skills.ok) found.push({ ok: false, error: [skills.error] })
    else
      for (const { location, at, read } of skills.value.skills)
        found.push(
          readied(
            await read(),
            shownPath(location, process.cwd()),
            (file) => shownPath(at(file), process.cwd()),
            accept,
          ),
        )
  }
  const gathered = distinct(found)
  const refused = new Set(gathered.skills.flatMap((skill) => skill.accept.map(({ rule }) => rule)))
  // An error in a skill may be why an acceptance is unused.
  const errors = gathered.errors.length > 0 ? gathered.errors : unused(accept, refused)
  return { ...gathered, errors, left: unseenLine(unseen, (path) => shownPath(path, process.cwd())) }
}

/** Skills in memory; `folder` is the name of each. Errors refuse a skill here. */
export function gatherMemory(
  all: readonly { readonly files: FileMap; readonly folder: string; readonly location: string }[],
): Gathered {
  return distinct(
    all.map(({ files, folder, location }) =>
      readied(
        { files, folder, disks: new Map(), findings: [] },
        location,
        (file) => `${location}: ${file}`,
        null,
      ),
    ),
  )
}

function distinct(found: readonly Refusable[]): Gathered {
  const errors: string[] = []
  const skills = new Map<string, Sendable>()
  for (const one of found)
    if (!one.ok) errors.push(...one.error)
    else {
      const { name, location } = one.value
      const other = skills.get(name)
      // Named twice, as a folder and as the SKILL.md in it.
      if (other?.location === location) continue
      if (other)
        errors.push(`${location} and ${other.location} are both called ${name}. Publish one of them.`)
      skills.set(name, one.value)
    }
  return { skills: Array.from(skills.values()), errors }
}

/** If `accept` is null, acceptances are not checked. */
function readied(
  read: ReadSkill,
  location: string,
  at: (file: string) => string,
  accept: readonly Acceptance[] | null,
): Refusable {
  const { name, refusing } = judgeRead(read)
  if (name === null || !refusing.every((finding) => accept !== null && isAcceptable(finding)))
    return { ok: false, error: refusing.map((finding) => sentence(at, finding)) }
  const files = Array.from(read.files, ([path, bytes]) => {
    const sha256 = sha256Of(bytes)
    const disk = read.disks.get(path)
    // Thousands of skills would not fit into memory.
    return {
      path,
      sha256,
      blob: disk === undefined ? memoryBlob(bytes) : fileBlob(disk, bytes.length, sha256),
    }
  })
  return {
    ok: true,
    value: {
      location,
      at,
      name,
      files,
      accept: (accept ?? []).filter(({ rule }) => refusing.some((finding) => finding.rule === rule)),
      findings: read.findings,
    },
  }
}

function sentence(at: (file: string) => string, { rule, file, line, message, fix }: Finding): string {
  return `${at(file)}${line === null ? '' : `:${line}`}: error ${rule}: ${message} ${fix}`
}
