// Finds the skills below a directory. Does not follow links and does not search inside skills.

import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { SCAN_MAX_DEPTH, SCAN_MAX_ENTRIES } from './limits.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import type { Finding } from '../../src/skills/skill.ts'
import { FLAT_FOLDER, isFlatName } from './flat-skill.ts'
import { unsearchedFinding, findUnsearched } from './unseen.ts'
import type { UnsearchedFolder } from './unseen.ts'

export interface FoundSkill {
  readonly path: string
  /** The expected name of the skill: the name of its folder, or of its only file without the extension. */
  readonly folder: string
  /** The name of its SKILL.md on disk, which may be different. */
  readonly skillFile: string
  /** True for a skill that consists of a single file in a folder `.skills`. */
  readonly flat?: boolean
}

export interface FoundPackages {
  /** The skills, sorted by the path of their folder or of their only file. */
  readonly packages: readonly FoundSkill[]
  /** The folders that were not searched, and why. */
  readonly findings: readonly Finding[]
  /** The folders that were not searched although they contain skills. */
  readonly unsearched: readonly UnsearchedFolder[]
}

/** The names of a SKILL.md. As in the reference validator, the first one that exists is used. */
const SKILL_FILES = [SKILL_FILE, 'skill.md']
const SKIPPED = new Set(['node_modules', '__pycache__'])

/** True for entries that never belong to a skill, such as caches, version control folders and hidden files. */
export function isSkipped(name: string): boolean {
  return name.startsWith('.') || SKIPPED.has(name) || name.endsWith('.pyc')
}

/** The entries of a directory, sorted by name. */
export async function listDirectory(path: string): Promise<Dirent[]> {
  const entries = await readdir(path, { withFileTypes: true })
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * Finds the skills in `root`, which is a directory or a single file of a skill. A folder with a SKILL.md (or else a
 * skill.md) is a skill, with everything below it. So is each `*.md` in a folder `.skills`.
 */
export async function findPackages(root: string): Promise<FoundPackages> {
  const startPath = resolve(root)
  const info = await stat(startPath).catch(() => null)
  if (info?.isFile() === true) return packageOfFile(startPath)
  const packages: FoundSkill[] = []
  const findings: Finding[] = []
  const unsearched: UnsearchedFolder[] = []
  const noteUnsearched = async (path: string, why: UnsearchedFolder['why']): Promise<void> => {
    const found = await findUnsearched(path, why)
    if (!found) return
    unsearched.push(found)
    findings.push(unsearchedFinding(found))
  }
  const queue: { readonly path: string; readonly depth: number }[] = [{ path: startPath, depth: 0 }]
  for (let index = 0; index < queue.length; index++) {
    const current = queue[index]
    if (!current) break
    if (index >= SCAN_MAX_ENTRIES) {
      findings.push(unreadableFinding(root, `Only the first ${SCAN_MAX_ENTRIES} folders were searched.`))
      break
    }
    let entries: Dirent[]
    try {
      entries = await listDirectory(current.path)
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unreadable'
      findings.push(unreadableFinding(current.path, `The folder cannot be listed (${why}).`))
      continue
    }
    const skillFile = skillFileOf(entries)
    if (skillFile !== null) {
      packages.push({ path: current.path, folder: basename(current.path), skillFile })
      continue
    }
    packages.push(...flatSkills(current.path, entries))
    for (const entry of entries) {
      if (!entry.isDirectory()) continue
      const path = join(current.path, entry.name)
      if (isSkipped(entry.name) && entry.name !== FLAT_FOLDER) await noteUnsearched(path, 'hidden')
      else if (current.depth < SCAN_MAX_DEPTH) queue.push({ path, depth: current.depth + 1 })
      else await noteUnsearched(path, 'deep')
    }
  }
  const sortKey = (skill: FoundSkill): string =>
    skill.flat === true ? join(skill.path, skill.skillFile) : skill.path
  return { packages: packages.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)), findings, unsearched }
}

function packageOfFile(path: string): FoundPackages {
  const name = basename(path)
  const folder = dirname(path)
  if (SKILL_FILES.includes(name))
    return {
      packages: [{ path: folder, folder: basename(folder), skillFile: name }],
      findings: [],
      unsearched: [],
    }
  if (basename(folder) === FLAT_FOLDER && isFlatName(name))
    return { packages: [flatSkill(folder, name)], findings: [], unsearched: [] }
  const message = `A single file is a skill only if its name is ${SKILL_FILE}, or if it is a *.md in a folder ${FLAT_FOLDER}.`
  return { packages: [], findings: [unreadableFinding(path, message)], unsearched: [] }
}

function skillFileOf(entries: readonly Dirent[]): string | null {
  const files = new Set(entries.filter((entry) => entry.isFile()).map((entry) => entry.name))
  return SKILL_FILES.find((name) => files.has(name)) ?? null
}

function flatSkills(path: string, entries: readonly Dirent[]): FoundSkill[] {
  if (basename(path) !== FLAT_FOLDER) return []
  return entries
    .filter((entry) => entry.isFile() && isFlatName(entry.name))
    .map((entry) => flatSkill(path, entry.name))
}

function flatSkill(path: string, file: string): FoundSkill {
  return { path, folder: file.slice(0, -'.md'.length), skillFile: file, flat: true }
}

function unreadableFinding(file: string, message: string): Finding {
  const fix = 'Specify a readable folder that contains skills.'
  return { rule: 'folder-unreadable', severity: 'error', file, line: null, message, fix }
}
