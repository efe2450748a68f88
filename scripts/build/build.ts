// Creates a build: the index of all skills, and the bytes for each address. Equal files give an equal digest, whatever
// their location, order or age. Writes nothing.

import { join } from 'node:path'
import { fromUtf8, utf8 } from '../../src/lib/bytes.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { SCAN_CONCURRENCY } from '../lib/limits.ts'
import { quoted, SKILL_FILE } from '../../src/skills/format/finding.ts'
import { indexObjects, indexOfObjects } from '../../src/skills/store/index-objects.ts'
import { indexSize, indexProblem, type IndexSize } from '../../src/skills/store/index-size.ts'
import type { Finding, IndexEntry, SkillIndex, ToolEntry } from '../../src/skills/skill.ts'
import { findingsOf } from '../check-skills/check.ts'
import type { BuildBlob } from '../skill-folders/blob.ts'
import { fileBlob, memoryBlob } from '../skill-folders/blob.ts'
import type { BuildCache } from './cache.ts'
import { openCache } from './cache.ts'
import type { FoundSkill } from '../skill-folders/find-packages.ts'
import { findPackages } from '../skill-folders/find-packages.ts'
import type { IndexedSkill } from './index-skill.ts'
import { indexSkill } from './index-skill.ts'
import { mapBounded } from '../lib/pool.ts'
import type { Switches } from '../skill-folders/switches.ts'
import type { UnsearchedFolder } from '../skill-folders/unseen.ts'
import { readSwitches } from '../skill-folders/switches.ts'

/** Everything that a deployed build needs, by content address. */
export interface Build {
  /** SHA-256 of `indexText`. */
  readonly digest: string
  readonly index: SkillIndex
  readonly indexText: string
  /** The shards that `indexText` lists, by SHA-256. Empty unless the index is too large for one object. */
  readonly indexShards: ReadonlyMap<string, string>
  /** The SHA-256 of each SKILL.md. Its text is also stored in KV. */
  readonly bodies: ReadonlySet<string>
  /** All files, manifests and objects of the index, by SHA-256. The bytes of files are read from disk when needed. */
  readonly blobs: ReadonlyMap<string, BuildBlob>
}

/** A skill that was found, even if it cannot be loaded. */
export interface BuiltSkill {
  /** The path of its folder, for display. Not part of the build. */
  readonly location: string
  /** The name of its SKILL.md on disk, which may be different (`skill.md`). */
  readonly skillFile: string
  /** True if it is in the first directory, which is the project's own. */
  readonly isOwn: boolean
  /** Null if it cannot be loaded. */
  readonly entry: IndexEntry | null
  /** True if an earlier skill has the same name. */
  readonly isHidden: boolean
  /** The findings, with file paths relative to the skill. */
  readonly findings: readonly Finding[]
}

export interface BuildOutcome {
  readonly build: Build
  /** In the order of the directories, sorted by path in each. */
  readonly skills: readonly BuiltSkill[]
  /** Findings that belong to no skill. Their paths begin with a directory exactly as the caller passed it. */
  readonly findings: readonly (Finding & { readonly isOwn: boolean })[]
  /** Folders that contain skills but were not searched. */
  readonly unsearched: readonly UnsearchedFolder[]
}

interface LiveSkill extends Pick<IndexedSkill, 'files' | 'manifest'> {
  readonly skill: FoundSkill
  readonly entry: IndexEntry
}

interface SkillSource {
  readonly skill: FoundSkill
  readonly isOwn: boolean
}

/**
 * Builds the skills in these directories, each of which is a skill or contains skills at any depth; the first one is
 * the project's own. Of skills with the same name, the one in the earlier directory is live, or else the one with the
 * smaller path. `strict` adds the findings of publishing but does not change the build. `cache` is not saved here.
 * `onRead` is called after each skill with the number of skills that are done and the total.
 */
export async function makeBuild(
  dirs: readonly string[],
  strict: boolean,
  cache?: BuildCache,
  onRead: (done: number, result: number) => void = () => {},
): Promise<BuildOutcome> {
  const unsearched: UnsearchedFolder[] = []
  const findings: BuildOutcome['findings'][number][] = []
  const switches = await Promise.all(dirs.map(readSwitches))
  // Directories may contain each other. A skill belongs to the first one in which it is found.
  const skills = new Map<string, SkillSource>()
  for (const [index, directory] of dirs.entries()) {
    const isOwn = index === 0
    for (const finding of switches[index]?.findings ?? [])
      findings.push({ ...finding, file: `${directory}/${finding.file}`, isOwn })
    const search = await findPackages(directory)
    for (const finding of search.findings) findings.push({ ...finding, isOwn })
    if (
      !isOwn &&
      search.packages.length === 0 &&
      search.findings.every(({ severity }) => severity === 'note')
    )
      findings.push({ ...noSkill(directory), isOwn })
    unsearched.push(...search.unsearched)
    for (const skill of search.packages) {
      const key = join(skill.path, skill.skillFile)
      if (!skills.has(key)) skills.set(key, { skill, isOwn })
    }
  }
  const usedCache = cache ?? (await openCache(null, systemClock))
  const enabled = firstSwitch(switches)
  let done = 0
  const indexedSkills = await mapBounded([...skills.values()], SCAN_CONCURRENCY, async ({ skill, isOwn }) => {
    const indexedSkill = await indexSkill(skill, usedCache)
    const entry = indexedSkill.entry && {
      ...indexedSkill.entry,
      enabled: enabled.get(indexedSkill.entry.name) ?? true,
    }
    const result = {
      ...indexedSkill,
      skill,
      isOwn,
      entry,
      ...(strict && { findings: await findingsOf(skill) }),
    }
    onRead((done += 1), skills.size)
    return result
  })
  const assembled = await assemble(indexedSkills, firstTools(switches))
  // The size concerns all directories. The finding names the last one, because it was probably added last.
  const tooLarge = indexTooLarge(indexSize(assembled.build.index), dirs.at(-1) ?? '')
  if (tooLarge) findings.push({ ...tooLarge, isOwn: true })
  return { ...assembled, findings, unsearched }
}

/** The error if an index of this size is too large to be used; null if it is not. */
export function indexTooLarge(size: IndexSize, file: string): Finding | null {
  const why = indexProblem(size)
  if (why === null) return null
  const message = `The index of all skills and tools together ${why}`
  const fix = 'Leave out skills or folders, or shorten descriptions, tags and changelogs.'
  return { rule: 'index-too-large', severity: 'error', file, line: null, message, fix }
}

function noSkill(file: string): Finding {
  const message = `This folder contains no skill (a folder with a ${SKILL_FILE}).`
  const fix = 'Specify the folder that contains the skill folders.'
  return { rule: 'folder-empty', severity: 'warning', file, line: null, message, fix }
}

async function assemble(
  onRead: readonly (SkillSource & IndexedSkill)[],
  tools: readonly ToolEntry[],
): Promise<Pick<BuildOutcome, 'build' | 'skills'>> {
  const live = new Map<string, LiveSkill>()
  const skills: BuiltSkill[] = []
  for (const { skill, isOwn, entry, findings, files, manifest } of onRead) {
    const liveSkill = entry ? live.get(entry.name) : undefined
    const conflicts = entry && liveSkill ? [nameTaken(entry.name, liveSkill.skill.path)] : []
    if (entry && !liveSkill) live.set(entry.name, { skill, entry, files, manifest })
    skills.push({
      location: skill.path,
      skillFile: skill.skillFile,
      isOwn,
      entry,
      isHidden: liveSkill !== undefined,
      findings: [...findings, ...conflicts],
    })
  }
  return { build: await gather([...live.values()], tools), skills }
}

async function gather(live: readonly LiveSkill[], tools: readonly ToolEntry[]): Promise<Build> {
  const bodies = new Set<string>()
  const blobs = new Map<string, BuildBlob>()
  for (const { entry, files, manifest } of live) {
    for (const { sha256, diskPath, size } of files) blobs.set(sha256, fileBlob(diskPath, size, sha256))
    blobs.set(entry.digest, memoryBlob(utf8(manifest)))
    bodies.add(entry.body)
  }
  const { address, objects } = await indexObjects({
    format: 1,
    skills: live.map(({ entry }) => entry),
    tools,
  })
  for (const { sha256, bytes } of objects) blobs.set(sha256, memoryBlob(bytes))
  const texts = new Map(objects.map(({ sha256, bytes }) => [sha256, fromUtf8(bytes) ?? '']))
  const indexText = texts.get(address) ?? ''
  texts.delete(address)
  // Parse the index again, so that no build has one that the Worker would refuse.
  const index = indexOfObjects([...texts.values(), indexText])
  if (!index) throw new Error('The new index cannot be read back. This is a bug in index-json.ts.')
  return { digest: address, index, indexText, indexShards: texts, bodies, blobs }
}

function nameTaken(name: string, otherPath: string): Finding {
  const message = `The skill in ${otherPath} also has the name ${quoted(name)}, so this one is hidden.`
  return {
    rule: 'name-taken',
    severity: 'warning',
    file: SKILL_FILE,
    line: 1,
    message,
    fix: 'Rename one of the two skills.',
  }
}

/** Which skills are enabled. As with names, the earlier directory has precedence. */
function firstSwitch(result: readonly Switches[]): ReadonlyMap<string, boolean> {
  return new Map(result.toReversed().flatMap((switches) => [...switches.enabled]))
}

/** The tools of all directories. The earlier directory has precedence. */
function firstTools(result: readonly Switches[]): readonly ToolEntry[] {
  const tools = new Map(
    result
      .toReversed()
      .flatMap((indexedSkill) => indexedSkill.tools.map((tool) => [tool.name, tool] as const)),
  )
  return [...tools.values()]
}

/** Whether the command must fail: if there is an error in the project's own skills or, with `strict`, in any skill. */
export function hasFailed({ skills, findings }: BuildOutcome, strict: boolean): boolean {
  const hasErrors = (isOwn: boolean, list: readonly Finding[]): boolean =>
    (isOwn || strict) && list.some((finding) => finding.severity === 'error')
  return (
    skills.some((skill) => hasErrors(skill.isOwn, skill.findings)) ||
    findings.some((finding) => hasErrors(finding.isOwn, [finding]))
  )
}
