// Makes a build: the index, bodies and files of all skills, in memory. Equal bytes give an equal digest, whatever
// their location, order or age. Writes nothing.

import { fromUtf8, utf8 } from '../../src/lib/bytes.ts'
import { SCAN_CONCURRENCY } from '../../src/limits.ts'
import { manifestOf } from '../../src/skills/package/digest.ts'
import { indexEntry } from '../../src/skills/package/entry.ts'
import { quoted } from '../../src/skills/format/finding.ts'
import { indexText, parseIndex } from '../../src/skills/store/index-json.ts'
import { parseSkill } from '../../src/skills/format/parse.ts'
import type { Finding, IndexEntry, SkillIndex } from '../../src/skills/skill.ts'
import type { SkillFolder } from './find-packages.ts'
import { findPackages } from './find-packages.ts'
import { mapBounded } from './pool.ts'
import type { PackageFile } from './read-package.ts'
import { readPackage, sha256 } from './read-package.ts'
import type { Switches } from './switches.ts'
import { readSwitches } from './switches.ts'

/** Everything a deployed build needs, by content address. */
export interface Build {
  /** sha-256 of `indexText`. */
  readonly digest: string
  readonly index: SkillIndex
  readonly indexText: string
  /** sha-256 of a SKILL.md → its text. */
  readonly bodies: ReadonlyMap<string, string>
  /** sha-256 → bytes: every file, each manifest (under its skill's digest) and the index. */
  readonly blobs: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

/** A skill that was found, whether it can be loaded or not. */
export interface BuiltSkill {
  /** Its folder as given and walked: for people, never part of the build. */
  readonly location: string
  readonly own: boolean
  /** Null when it cannot be loaded. */
  readonly entry: IndexEntry | null
  /** Another skill of this name comes first. */
  readonly hidden: boolean
  /** Files relative to the skill. */
  readonly findings: readonly Finding[]
}

export interface BuildOutcome {
  readonly build: Build
  /** In the order of the directories, sorted by path in each. */
  readonly skills: readonly BuiltSkill[]
  /** Findings that belong to no skill: `file` is a path as given. */
  readonly findings: readonly (Finding & { readonly own: boolean })[]
}

interface Source {
  readonly skill: SkillFolder
  readonly own: boolean
}
interface Read extends Source {
  readonly entry: IndexEntry | null
  readonly findings: readonly Finding[]
  readonly files: readonly PackageFile[]
  readonly manifest: string
}

/**
 * `dirs`: directories that hold skills at any depth, or are one; the first is the project's own, and where two
 * skills have one name the earlier directory wins, then the smaller path. `strict`: findings are also those of
 * publishing, but what is built stays the same.
 */
export async function makeBuild(dirs: readonly string[], strict: boolean): Promise<BuildOutcome> {
  const findings: BuildOutcome['findings'][number][] = []
  const switches = await Promise.all(dirs.map(readSwitches))
  const sources: Source[] = []
  const seen = new Set<string>()
  for (const [at, directory] of dirs.entries()) {
    const own = at === 0
    for (const finding of switches[at]?.findings ?? [])
      findings.push({ ...finding, file: `${directory}/${finding.file}`, own })
    const found = await findPackages(directory)
    const mend = 'Name an existing folder of skills.'
    for (const message of found.problems)
      findings.push({
        rule: 'folder-unreadable',
        severity: 'error',
        file: directory,
        line: null,
        message,
        mend,
        own,
      })
    for (const skill of found.packages) {
      if (seen.has(skill.path)) continue
      seen.add(skill.path)
      sources.push({ skill, own })
    }
  }
  const enabled = firstSwitch(switches)
  const read = await mapBounded(sources, SCAN_CONCURRENCY, async (source) =>
    readSkill(source, enabled, strict),
  )
  return { ...(await assemble(read)), findings }
}

async function readSkill(
  source: Source,
  enabled: ReadonlyMap<string, boolean>,
  strict: boolean,
): Promise<Read> {
  const { files, findings: notes } = await readPackage(source.skill)
  const main = files[0]
  if (!main) return { ...source, entry: null, findings: notes, files: [], manifest: '' }
  const parsed = parseSkill(main.bytes, source.skill.folder, 'lenient')
  const findings = [...notes, ...parsed.findings]
  const judged = strict
    ? [...notes, ...parseSkill(main.bytes, source.skill.folder, 'strict').findings]
    : findings
  if (!parsed.skill) return { ...source, entry: null, findings: judged, files: [], manifest: '' }
  const manifest = await manifestOf(files, sha256)
  const entry = indexEntry({
    skill: parsed.skill,
    category: 'public',
    digest: manifest.digest,
    skillMdSha256: main.sha256,
    files: files.length,
    bytes: files.reduce((sum, file) => sum + file.bytes.length, 0),
    findings,
    enabled: enabled.get(parsed.skill.meta.name) ?? true,
    updatedAt: null,
  })
  return { ...source, entry, findings: judged, files, manifest: manifest.text }
}

async function assemble(read: readonly Read[]): Promise<Pick<BuildOutcome, 'build' | 'skills'>> {
  const live = new Map<string, Read & { readonly entry: IndexEntry }>()
  const skills: BuiltSkill[] = []
  for (const one of read) {
    const { entry } = one
    const first = entry ? live.get(entry.name) : undefined
    const taken = entry && first ? [nameTaken(entry.name, first.skill.path)] : []
    if (entry && !first) live.set(entry.name, { ...one, entry })
    skills.push({
      location: one.skill.path,
      own: one.own,
      entry,
      hidden: first !== undefined,
      findings: [...one.findings, ...taken],
    })
  }
  const bodies = new Map<string, string>()
  const blobs = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const { entry, files, manifest } of live.values()) {
    for (const file of files) blobs.set(file.sha256, file.bytes)
    blobs.set(entry.digest, utf8(manifest))
    bodies.set(entry.body, fromUtf8(blobs.get(entry.body) ?? new Uint8Array()) ?? '')
  }
  const text = indexText({ format: 1, skills: [...live.values()].map(({ entry }) => entry) })
  const digest = await sha256(text)
  blobs.set(digest, utf8(text))
  // Read back, so that a build whose index the Worker would refuse is never made.
  const index = parseIndex(text)
  if (!index)
    throw new Error('the index that was written cannot be read back: this is a bug in index-json.ts')
  return { build: { digest, index, indexText: text, bodies, blobs }, skills }
}

function nameTaken(name: string, by: string): Finding {
  const message = `The name ${quoted(name)} is taken by ${by}; this skill is hidden.`
  return {
    rule: 'name-taken',
    severity: 'warning',
    file: 'SKILL.md',
    line: null,
    message,
    mend: 'Rename one of the two.',
  }
}

/** As with names: the earlier directory decides. */
function firstSwitch(all: readonly Switches[]): ReadonlyMap<string, boolean> {
  return new Map(all.toReversed().flatMap((switches) => [...switches.enabled]))
}

/** True when the command must fail: an error in the project's own skills, or anywhere when strict. */
export function hasFailed({ skills, findings }: BuildOutcome, strict: boolean): boolean {
  const counts = (own: boolean, list: readonly Finding[]): boolean =>
    (own || strict) && list.some((finding) => finding.severity === 'error')
  return (
    skills.some((skill) => counts(skill.own, skill.findings)) ||
    findings.some((finding) => counts(finding.own, [finding]))
  )
}
