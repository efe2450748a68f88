// Lists the files of the thread and of skills under a location, for the tools that search. Includes only files that the
// two access objects show, because they decide what a run may see.

import type { FileAccess } from '../../files/access.ts'
import { DATA_ROOT, fullPath } from '../../files/path.ts'
import { inParallel } from '../../lib/parallel.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { FILE_INLINE_MAX_BYTES } from '../../limits/files.ts'
import { SEARCH_SKILLS_MAX } from './limits.ts'
import { rootOf, type IndexEntry } from '../../skills/skill.ts'
import type { SkillAccess } from '../../skills/view/access.ts'
import { countOf } from './listing.ts'
import { missingFolderMessage } from './missing-path.ts'
import type { TreeAccess, TreeLocation } from './tree-location.ts'

export interface SearchableFile {
  /** The full path, for the model. */
  readonly fullPath: string
  /** The path relative to the searched location, or the file's name if that location is the file. */
  readonly path: string
  /** Null if the size is unknown until the file is read. */
  readonly bytes: number | null
  /** True if the file is in R2 or in a skill, which makes reading slower. */
  readonly isRemote: boolean
  read(): Promise<Result<Uint8Array, string>>
}

export interface Walk {
  readonly root: string
  /** Sorted by path. */
  readonly files: readonly SearchableFile[]
  /** A note for the model about what was left out; empty if nothing was. */
  readonly omittedNote: string
}

/** Files and folders of tools and version control, which are searched only if the path or pattern names them. */
const SKIPPED_NAMES = new Set(['.git', '.svn', '.hg', 'node_modules', '__pycache__', '.venv', '.DS_Store'])

/** Number of skills whose file lists are read in parallel. */
const PARALLEL_LISTS = 8

/** Lists the files under a location. `searched` is the path and the pattern, in which skipped folders may be named. */
export async function walk(
  location: TreeLocation,
  access: TreeAccess,
  searched: string,
): Promise<Result<Walk, string>> {
  const listed = await listFiles(location, access)
  if (!listed.ok) return listed
  const named = new Set(searched.split(/[/{},]/))
  const isSkipped = (name: string): boolean => SKIPPED_NAMES.has(name) && !named.has(name)
  const files = listed.value.files.filter(({ path }) => !path.split('/').some(isSkipped))
  const skippedCount = listed.value.files.length - files.length
  const skipped =
    skippedCount === 0 ? '' : `Skipped: ${countOf(skippedCount, 'file')} (${[...SKIPPED_NAMES].join(', ')}).`
  return ok({
    ...listed.value,
    files,
    omittedNote: [listed.value.omittedNote, skipped].filter(Boolean).join(' '),
  })
}

async function listFiles(location: TreeLocation, access: TreeAccess): Promise<Result<Walk, string>> {
  if (location.kind === 'data') return walkData(location.path, access.files)
  if (location.kind === 'root') {
    const skills = await walkSkills(access.skills.list(), '/mnt', access.skills)
    const data = dataFiles('', '/mnt', access.files)
    return ok({ ...skills, files: [...skills.files, ...data] })
  }
  const { target } = location
  if (target.kind === 'skill') return walkSkill(target.skill, target.path, access.skills)
  const skills = access.skills
    .list()
    .filter((entry) => target.kind === 'tree' || entry.category === target.category)
  return ok(
    await walkSkills(
      skills,
      target.kind === 'tree' ? '/mnt/skills' : `/mnt/skills/${target.category}`,
      access.skills,
    ),
  )
}

function walkData(path: string, files: FileAccess): Result<Walk, string> {
  const root = fullPath(path)
  if (files.get(path)) return ok({ root, files: dataFiles(path, parentOf(root), files), omittedNote: '' })
  const below = dataFiles(path, root, files)
  return below.length === 0 && path.includes('/')
    ? err(missingFolderMessage(path, files))
    : ok({ root, files: below, omittedNote: '' })
}

function dataFiles(path: string, root: string, files: FileAccess): readonly SearchableFile[] {
  return files
    .list()
    .filter((row) => path === '' || row.path === path || row.path.startsWith(`${path}/`))
    .map((row) => ({
      fullPath: fullPath(row.path),
      path: `${DATA_ROOT}/${row.path}`.slice(root.length + 1),
      bytes: row.bytes,
      isRemote: row.bytes > FILE_INLINE_MAX_BYTES,
      read: () => files.read(row),
    }))
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

async function walkSkill(
  skill: IndexEntry,
  path: string,
  skills: SkillAccess,
): Promise<Result<Walk, string>> {
  const listed = await skills.files(skill.name)
  if (!listed.ok) return listed
  const root = path === '' ? rootOf(skill) : `${rootOf(skill)}/${path}`
  const paths = listed.value.files.map((file) => file.path)
  if (paths.includes(path))
    return ok({ root, files: skillFiles(skill, [path], parentOf(root), skills), omittedNote: '' })
  const below = paths.filter((file) => path === '' || file.startsWith(`${path}/`))
  if (below.length === 0) return err(`There is no folder ${root}.`)
  return ok({ root, files: skillFiles(skill, below, root, skills), omittedNote: '' })
}

/** Lists the files of several skills. Skills that this run may not use, or that cannot be read, are only counted. */
async function walkSkills(all: readonly IndexEntry[], root: string, skills: SkillAccess): Promise<Walk> {
  const searchedSkills = all.slice(0, SEARCH_SKILLS_MAX)
  const lists = new Map<string, readonly string[]>()
  await inParallel(searchedSkills, PARALLEL_LISTS, async ({ name }) => {
    const listed = await skills.files(name)
    if (!listed.ok) return
    const paths = listed.value.files.map((file) => file.path)
    lists.set(name, paths)
  })
  const files = searchedSkills.flatMap((skill) =>
    skillFiles(skill, lists.get(skill.name) ?? [], root, skills),
  )
  const unsearchedCount = all.length - searchedSkills.length
  const unavailableCount = searchedSkills.length - lists.size
  const omittedNote = [
    unsearchedCount === 0
      ? ''
      : `Not searched: ${countOf(unsearchedCount, 'more skill')}. Specify a skill in the path.`,
    unavailableCount === 0
      ? ''
      : `Not searched because currently unavailable: ${countOf(unavailableCount, 'skill')}.`,
  ]
  return {
    root,
    files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    omittedNote: omittedNote.filter(Boolean).join(' '),
  }
}

function skillFiles(
  skill: IndexEntry,
  paths: readonly string[],
  root: string,
  skills: SkillAccess,
): readonly SearchableFile[] {
  return paths.map((path) => {
    const full = `${rootOf(skill)}/${path}`
    return {
      fullPath: full,
      path: full.slice(root.length + 1),
      bytes: null,
      isRemote: true,
      async read() {
        const file = await skills.read(skill.name, path, true)
        return file.ok ? ok(file.value.bytes) : file
      },
    }
  })
}
