// Lists the files under a location of the tree, of the thread and of skills, for tools that search. Returns only what
// the two access objects show: they decide what a run may see.

import type { FileAccess } from '../../files/access.ts'
import { DATA_ROOT, fullPath } from '../../files/path.ts'
import { inParallel } from '../../lib/parallel.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { FILE_INLINE_MAX_BYTES } from '../../limits/files.ts'
import { SEARCH_SKILLS_MAX } from './limits.ts'
import { rootOf, type IndexEntry } from '../../skills/skill.ts'
import type { SkillAccess } from '../../skills/view/access.ts'
import { countOf } from './listing.ts'
import { noFolder } from './missing.ts'
import type { TreeAccess, TreeLocation } from './tree-location.ts'

export interface Found {
  /** As the model may use it. */
  readonly full: string
  /** Relative to the location; if that is a file itself, its name. */
  readonly path: string
  /** Null: unknown before it is read. */
  readonly bytes: number | null
  /** It is in the store, so reading takes a while. */
  readonly far: boolean
  read(): Promise<Result<Uint8Array, string>>
}

export interface Walk {
  readonly root: string
  /** Sorted by path. */
  readonly files: readonly Found[]
  /** What was left out, as a text; empty: nothing. */
  readonly left: string
}

/** Folders of tools and version control: searched only if they are named. */
const PASSED_OVER = new Set(['.git', '.svn', '.hg', 'node_modules', '__pycache__', '.venv', '.DS_Store'])

/** Lists of skills' files that are read in parallel. */
const LISTS_AT_ONCE = 8

/** `asked`: the path and the pattern, which may name a folder that is skipped otherwise. */
export async function walk(
  location: TreeLocation,
  access: TreeAccess,
  searched: string,
): Promise<Result<Walk, string>> {
  const found = await everything(location, access)
  if (!found.ok) return found
  const named = new Set(searched.split(/[/{},]/))
  const over = (name: string): boolean => PASSED_OVER.has(name) && !named.has(name)
  const files = found.value.files.filter(({ path }) => !path.split('/').some(over))
  const gone = found.value.files.length - files.length
  const skipped = gone === 0 ? '' : `${countOf(gone, 'file')} skipped (${[...PASSED_OVER].join(', ')}).`
  return ok({ ...found.value, files, left: [found.value.left, skipped].filter(Boolean).join(' ') })
}

async function everything(location: TreeLocation, access: TreeAccess): Promise<Result<Walk, string>> {
  if (location.at === 'data') return inData(location.path, access.files)
  if (location.at === 'root') {
    const skills = await inSkills(access.skills.list(), '/mnt', access.skills)
    const data = ofData('', '/mnt', access.files)
    return ok({ ...skills, files: [...skills.files, ...data] })
  }
  const { target: at } = location
  if (at.at === 'skill') return inSkill(at.skill, at.path, access.skills)
  const skills = access.skills.list().filter((entry) => at.at === 'tree' || entry.category === at.category)
  return ok(
    await inSkills(skills, at.at === 'tree' ? '/mnt/skills' : `/mnt/skills/${at.category}`, access.skills),
  )
}

function inData(path: string, files: FileAccess): Result<Walk, string> {
  const root = fullPath(path)
  if (files.get(path)) return ok({ root, files: ofData(path, parentOf(root), files), left: '' })
  const below = ofData(path, root, files)
  return below.length === 0 && path.includes('/')
    ? err(noFolder(path, files))
    : ok({ root, files: below, left: '' })
}

function ofData(path: string, root: string, files: FileAccess): readonly Found[] {
  return files
    .list()
    .filter((row) => path === '' || row.path === path || row.path.startsWith(`${path}/`))
    .map((row) => ({
      full: fullPath(row.path),
      path: `${DATA_ROOT}/${row.path}`.slice(root.length + 1),
      bytes: row.bytes,
      far: row.bytes > FILE_INLINE_MAX_BYTES,
      read: () => files.read(row),
    }))
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

async function inSkill(skill: IndexEntry, path: string, skills: SkillAccess): Promise<Result<Walk, string>> {
  const listed = await skills.files(skill.name)
  if (!listed.ok) return listed
  const root = path === '' ? rootOf(skill) : `${rootOf(skill)}/${path}`
  const paths = listed.value.files.map((file) => file.path)
  if (paths.includes(path))
    return ok({ root, files: ofSkill(skill, [path], parentOf(root), skills), left: '' })
  const below = paths.filter((other) => path === '' || other.startsWith(`${path}/`))
  if (below.length === 0) return err(`There is no folder ${root}.`)
  return ok({ root, files: ofSkill(skill, below, root, skills), left: '' })
}

/** Skills that this run may not use now, or that cannot be read, are only counted. */
async function inSkills(all: readonly IndexEntry[], root: string, skills: SkillAccess): Promise<Walk> {
  const looked = all.slice(0, SEARCH_SKILLS_MAX)
  const lists = new Map<string, readonly string[]>()
  await inParallel(looked, LISTS_AT_ONCE, async ({ name }) => {
    const listed = await skills.files(name)
    if (!listed.ok) return
    const paths = listed.value.files.map((file) => file.path)
    lists.set(name, paths)
  })
  const files = looked.flatMap((skill) => ofSkill(skill, lists.get(skill.name) ?? [], root, skills))
  const more = all.length - looked.length
  const away = looked.length - lists.size
  const left = [
    more === 0 ? '' : `${countOf(more, 'more skill')} not searched: name one in the path.`,
    away === 0 ? '' : `${countOf(away, 'skill')} cannot be used right now.`,
  ]
  return {
    root,
    files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    left: left.filter(Boolean).join(' '),
  }
}

function ofSkill(
  skill: IndexEntry,
  paths: readonly string[],
  root: string,
  skills: SkillAccess,
): readonly Found[] {
  return paths.map((path) => {
    const full = `${rootOf(skill)}/${path}`
    return {
      full,
      path: full.slice(root.length + 1),
      bytes: null,
      far: true,
      async read() {
        const file = await skills.read(skill.name, path, true)
        return file.ok ? ok(file.value.bytes) : file
      },
    }
  })
}
