// Turns folders and archives on disk into skills to send. Refuses here what the server would refuse
// anyway, except that only the server knows which findings were accepted earlier.

import { type Result } from '../../src/lib/result.ts'
import { type Acceptance, isAcceptable } from '../../src/skills/check/accept.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
import type { Finding } from '../../src/skills/skill.ts'
import { type BuildBlob, fileBlob, memoryBlob, sha256Of } from '../skill-folders/blob.ts'
import { unsearchedMessage } from '../skill-folders/unseen.ts'
import type { UnsearchedFolder } from '../skill-folders/unseen.ts'
import { judgeReadSkill } from '../check-skills/check.ts'
import { shownPath } from '../lib/shown-path.ts'
import { unusedAcceptances } from '../lib/accepts.ts'
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
  readonly fileLocation: (file: string) => string
  readonly name: string
  readonly files: readonly SendableFile[]
  /** The accepted rules that would otherwise refuse this skill. */
  readonly accept: readonly Acceptance[]
  /** Notes about files that were left out; none of them is an error. */
  readonly findings: readonly Finding[]
}

export interface GatheredSkills {
  readonly skills: readonly Sendable[]
  /** Reasons why something cannot be sent, one sentence each. A single one prevents sending anything. */
  readonly errors: readonly string[]
}

type PrepareResult = Result<Sendable, readonly string[]>

/**
 * All skills below these folders and in these archives. Two skills with the same name are an error.
 * `unsearchedNote`: a sentence about the folders that were not searched.
 */
export async function gather(
  paths: readonly string[],
  accept: readonly Acceptance[] = [],
): Promise<GatheredSkills & { readonly unsearchedNote: string | null }> {
  const results: PrepareResult[] = []
  const unsearched: UnsearchedFolder[] = []
  for (const path of paths) {
    const skills = await skillsAt(path)
    if (skills.ok) unsearched.push(...skills.value.unsearched)
    if (!skills.ok) results.push({ ok: false, error: [skills.error] })
    else
      for (const { location, fileLocation, read } of skills.value.skills)
        results.push(
          prepareSkill(
            await read(),
            shownPath(location, process.cwd()),
            (file) => shownPath(fileLocation(file), process.cwd()),
            accept,
          ),
        )
  }
  const distinctSkills = rejectDuplicates(results)
  const refusingRules = new Set(
    distinctSkills.skills.flatMap((skill) => skill.accept.map(({ rule }) => rule)),
  )
  // An error in a skill may be the reason why an acceptance is unused.
  const errors =
    distinctSkills.errors.length > 0 ? distinctSkills.errors : unusedAcceptances(accept, refusingRules)
  return {
    ...distinctSkills,
    errors,
    unsearchedNote: unsearchedMessage(unsearched, (path) => shownPath(path, process.cwd())),
  }
}

/** Skills in memory; `folder` is the name of each. Errors refuse a skill here. */
export function gatherMemory(
  sources: readonly { readonly files: FileMap; readonly folder: string; readonly location: string }[],
): GatheredSkills {
  return rejectDuplicates(
    sources.map(({ files, folder, location }) =>
      prepareSkill(
        { files, folder, diskPaths: new Map(), findings: [] },
        location,
        (file) => `${location}: ${file}`,
        null,
      ),
    ),
  )
}

function rejectDuplicates(results: readonly PrepareResult[]): GatheredSkills {
  const errors: string[] = []
  const skills = new Map<string, Sendable>()
  for (const result of results)
    if (!result.ok) errors.push(...result.error)
    else {
      const { name, location } = result.value
      const earlier = skills.get(name)
      // The skill was named twice, as a folder and by the SKILL.md in it.
      if (earlier?.location === location) continue
      if (earlier)
        errors.push(`${location} and ${earlier.location} are both called ${name}. Publish one of them.`)
      skills.set(name, result.value)
    }
  return { skills: Array.from(skills.values()), errors }
}

/** If `accept` is null, acceptances are not checked. */
function prepareSkill(
  read: ReadSkill,
  location: string,
  fileLocation: (file: string) => string,
  accept: readonly Acceptance[] | null,
): PrepareResult {
  const { name, refusing } = judgeReadSkill(read)
  if (name === null || !refusing.every((finding) => accept !== null && isAcceptable(finding)))
    return { ok: false, error: refusing.map((finding) => describeFinding(fileLocation, finding)) }
  const files = Array.from(read.files, ([path, bytes]) => {
    const sha256 = sha256Of(bytes)
    const diskPath = read.diskPaths.get(path)
    // Read when needed, because thousands of skills would not fit into memory.
    return {
      path,
      sha256,
      blob: diskPath === undefined ? memoryBlob(bytes) : fileBlob(diskPath, bytes.length, sha256),
    }
  })
  return {
    ok: true,
    value: {
      location,
      fileLocation,
      name,
      files,
      accept: (accept ?? []).filter(({ rule }) => refusing.some((finding) => finding.rule === rule)),
      findings: read.findings,
    },
  }
}

function describeFinding(
  fileLocation: (file: string) => string,
  { rule, file, line, message, fix }: Finding,
): string {
  return `${fileLocation(file)}${line === null ? '' : `:${line}`}: error ${rule}: ${message} ${fix}`
}
