// From folders and archives on disk to skills that can be sent. What nobody can accept never leaves the machine; what
// was accepted before, the server knows.

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
  /** Where it came from, for people: its folder, its file, or its archive. */
  readonly place: string
  /** Where one of its files is, for people. */
  readonly at: (file: string) => string
  readonly name: string
  readonly files: readonly SendableFile[]
  /** Of what is to be accepted, the rules that refuse it. */
  readonly accept: readonly Acceptance[]
  /** What was left out of its folder; no errors. */
  readonly findings: readonly Finding[]
}

export interface Gathered {
  readonly skills: readonly Sendable[]
  /** Why something cannot be sent, in sentences; any of them refuses the whole. */
  readonly errors: readonly string[]
}

type Refusable = Result<Sendable, readonly string[]>

/**
 * All skills below these folders and in these archives. Two of one name are an error. `left`: a sentence on those that
 * were not looked at.
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
  // What is wrong with a skill may be why nothing is left to accept.
  const errors = gathered.errors.length > 0 ? gathered.errors : unused(accept, refused)
  return { ...gathered, errors, left: unseenLine(unseen, (path) => shownPath(path, process.cwd())) }
}

/** Skills that are in memory already; `folder` is the name that each has or will have. What refuses one stays here. */
export function gatherMemory(
  all: readonly { readonly files: FileMap; readonly folder: string; readonly place: string }[],
): Gathered {
  return distinct(
    all.map(({ files, folder, place }) =>
      readied({ files, folder, disks: new Map(), findings: [] }, place, (file) => `${place}: ${file}`, null),
    ),
  )
}

function distinct(found: readonly Refusable[]): Gathered {
  const errors: string[] = []
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

/** `accept` null: nobody is asked whether an error was accepted. */
function readied(
  read: ReadSkill,
  place: string,
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
      place,
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
