// A source as a tree of files that can be listed, and read by path. Independent of where the files are stored.

import { ok, type Result } from '../../src/lib/result.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
import { FLAT_FOLDER } from '../skill-folders/flat-skill.ts'

export interface TreeFile {
  /** Relative to the root, with `/`; not validated as a skill's path yet. */
  readonly path: string
  readonly size: number
  /** `other`: a link, a device: never read. */
  readonly kind: 'file' | 'other'
}

export interface SourceTree {
  readonly files: readonly TreeFile[]
  /** The commit, if it is known. */
  readonly commit: string | null
  /** The bytes of these paths; the caller has checked their sizes. */
  read(paths: ReadonlySet<string>): Promise<Result<FileMap, string>>
}

export function memoryTree(all: FileMap): SourceTree {
  return {
    files: Array.from(all, ([path, bytes]) => ({ path, size: bytes.length, kind: 'file' })),
    commit: null,
    read: async (paths) => ok(new Map(Array.from(all).filter(([path]) => paths.has(path)))),
  }
}

/** The tree below `prefix`, which is removed from its paths. */
function below(tree: SourceTree, prefix: string): SourceTree {
  const files = tree.files.filter(({ path }) => path.startsWith(prefix))
  return renamed(
    { ...tree, files },
    (path) => path.slice(prefix.length),
    (path) => prefix + path,
  )
}

/** The tree as the only folder of another: its paths begin with `folder`. */
export function inside(tree: SourceTree, folder: string): SourceTree {
  return renamed(
    tree,
    (path) => `${folder}/${path}`,
    (path) => path.slice(folder.length + 1),
  )
}

function renamed(tree: SourceTree, to: (path: string) => string, from: (path: string) => string): SourceTree {
  return {
    files: tree.files.map((file) => ({ ...file, path: to(file.path) })),
    commit: tree.commit,
    async read(paths) {
      const read = await tree.read(new Set(Array.from(paths, from)))
      return read.ok ? ok(new Map(Array.from(read.value, ([path, bytes]) => [to(path), bytes]))) : read
    },
  }
}

/**
 * Removes the single top folder of a repository archive, which is named after the commit or branch. Keeps it if it
 * is a skill itself or the folder of single-file skills: then its name matters.
 */
export function unwrapped(tree: SourceTree, always: boolean): SourceTree {
  const top = tree.files[0]?.path.split('/')[0] ?? ''
  const all = tree.files.every(({ path }) => path.startsWith(`${top}/`))
  const isSkill = tree.files.some(({ path }) => path === `${top}/SKILL.md`)
  return top !== '' && all && (always || (!isSkill && top !== FLAT_FOLDER)) ? below(tree, `${top}/`) : tree
}
