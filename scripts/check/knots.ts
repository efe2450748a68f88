// Finds import cycles between folders. No two folders may import each other by value, at any depth, and the files
// directly in a folder must either import its subfolders or be imported by them, but not both.

import { dirname } from 'node:path'

import type { Import } from './imports.ts'

const LOOSE_FILES = '(files)'

/**
 * The part of a folder to which a file belongs: the name of a subfolder, or LOOSE for a file directly in the folder.
 */
function partOf(folder: string, file: string): string | null {
  if (!file.startsWith(`${folder}/`)) return null
  const segments = file.slice(folder.length + 1).split('/')
  return segments.length === 1 ? LOOSE_FILES : (segments[0] ?? null)
}

function edgesIn(
  folder: string,
  imports: readonly Import[],
): ReadonlyMap<string, ReadonlyMap<string, Import>> {
  const edges = new Map<string, Map<string, Import>>()
  for (const imported of imports) {
    const [from, to] = [partOf(folder, imported.from), partOf(folder, imported.to)]
    if (from === null || to === null || from === to) continue
    const targets = edges.get(from) ?? new Map<string, Import>()
    if (!targets.has(to)) targets.set(to, imported)
    edges.set(from, targets)
  }
  return edges
}

/** The shortest cycle from a part to itself, with one import for each step; null if there is none. */
function findCycle(
  start: string,
  edges: ReadonlyMap<string, ReadonlyMap<string, Import>>,
): readonly Import[] | null {
  const reached = new Map<string, readonly Import[]>([[start, []]])
  for (const [part, path] of reached) {
    for (const [next, step] of edges.get(part) ?? []) {
      if (next === start) return [...path, step]
      if (!reached.has(next)) reached.set(next, [...path, step])
    }
  }
  return null
}

export interface FolderCycle {
  readonly folder: string
  readonly kind: 'circle' | 'loose files on both sides'
  /** One import for each step of the cycle. */
  readonly steps: readonly Import[]
}

/**
 * All violations: the shortest cycles in each folder (at most one for each part), and folders whose loose files import
 * subfolders and are imported by them.
 */
export function findFolderCycles(allImports: readonly Import[]): readonly FolderCycle[] {
  const imports = allImports.filter(({ typeOnly }) => !typeOnly)
  const folders = new Set<string>()
  for (const { from, to } of imports)
    for (const file of [from, to])
      for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) folders.add(folder)
  return [...folders].sort().flatMap((folder) => {
    const edges = edgesIn(folder, imports)
    const cycles: FolderCycle[] = []
    const reported = new Set<string>()
    for (const part of edges.keys()) {
      const steps = reported.has(part) ? null : findCycle(part, edges)
      if (!steps) continue
      for (const { from } of steps) reported.add(partOf(folder, from) ?? '')
      cycles.push({ folder, kind: 'circle', steps })
    }
    const up = [...edges]
      .find(([part, to]) => part !== LOOSE_FILES && to.has(LOOSE_FILES))?.[1]
      .get(LOOSE_FILES)
    const down = [...(edges.get(LOOSE_FILES)?.values() ?? [])][0]
    if (up && down && !reported.has(LOOSE_FILES))
      cycles.push({ folder, kind: 'loose files on both sides', steps: [down, up] })
    return cycles
  })
}

/** Describes a violation in several lines: the cycle, then the import for each step. */
export function describeFolderCycle({ folder, kind, steps }: FolderCycle): string {
  const parts = steps.map(({ from }) => partOf(folder, from) ?? '')
  const circle = kind === 'circle' ? [...parts, parts[0]].join(' → ') : kind
  return [`${folder}: ${circle}`, ...steps.map(({ from, to }) => `  ${from} imports ${to}`)].join('\n')
}
