// Finds the skill folders below a directory. Never follows a link, never looks inside a skill for another one.

import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { SCAN_MAX_DEPTH, SCAN_MAX_ENTRIES } from '../../src/limits.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'

export interface SkillFolder {
  readonly path: string
  /** The directory's name: what the skill should be called. */
  readonly folder: string
  /** Name of its SKILL.md as it is on disk. */
  readonly skillFile: string
}

export interface Found {
  /** Sorted by path. */
  readonly packages: readonly SkillFolder[]
  /** Why the walk left something out, in words; empty when it saw everything. */
  readonly problems: readonly string[]
}

const SKIPPED = new Set(['node_modules', '__pycache__'])

/** Entries that are never part of a skill: caches, version control, droppings of desktops. */
export function isSkipped(name: string): boolean {
  return name.startsWith('.') || SKIPPED.has(name) || name.endsWith('.pyc')
}

/** Entries of a directory by name, in an order that no file system decides. */
export async function listDirectory(path: string): Promise<Dirent[]> {
  const entries = await readdir(path, { withFileTypes: true })
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** A folder with SKILL.md (else skill.md) is a skill, and everything below it is its own. */
export async function findPackages(root: string): Promise<Found> {
  const packages: SkillFolder[] = []
  const problems: string[] = []
  const queue: { readonly path: string; readonly depth: number }[] = [{ path: resolve(root), depth: 0 }]
  for (let at = 0; at < queue.length; at++) {
    const here = queue[at]
    if (!here) break
    if (at >= SCAN_MAX_ENTRIES) {
      problems.push(`Only the first ${SCAN_MAX_ENTRIES} folders below ${root} were looked at.`)
      break
    }
    let entries: Dirent[]
    try {
      entries = await listDirectory(here.path)
    } catch (error) {
      problems.push(
        `${here.path} cannot be listed (${error instanceof Error ? error.message : 'unreadable'}).`,
      )
      continue
    }
    const skillFile = skillFileOf(entries)
    if (skillFile !== null) packages.push({ path: here.path, folder: basename(here.path), skillFile })
    else if (here.depth < SCAN_MAX_DEPTH)
      for (const entry of entries)
        if (entry.isDirectory() && !isSkipped(entry.name))
          queue.push({ path: join(here.path, entry.name), depth: here.depth + 1 })
  }
  return { packages: packages.sort((a, b) => (a.path < b.path ? -1 : 1)), problems }
}

function skillFileOf(entries: readonly Dirent[]): string | null {
  const files = new Set(entries.filter((entry) => entry.isFile()).map((entry) => entry.name))
  for (const name of [SKILL_FILE, 'skill.md']) if (files.has(name)) return name
  return null
}
