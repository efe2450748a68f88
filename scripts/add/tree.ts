// Presents a source as a tree of files that can be listed and read by path, wherever the files are stored.

import { ok, type Result } from '../../src/lib/result.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
import { FLAT_FOLDER } from '../skill-folders/flat-skill.ts'

export interface TreeFile {
  /** Relative to the root, with `/`. Not yet validated as a path of a skill. */
  readonly path: string
  readonly size: number
  /** `other` is a link or a device, which is never read. */
  readonly kind: 'file' | 'other'
}

export interface SourceTree {
  readonly files: readonly TreeFile[]
  /** The commit, if it is known. */
  readonly commit: string | null
  /** Reads the files at these paths. The caller must have checked their sizes. */
  read(paths: ReadonlySet<string>): Promise<Result<FileMap, string>>
}

export function memoryTree(files: FileMap): SourceTree {
  return {
    files: Array.from(files, ([path, bytes]) => ({ path, size: bytes.length, kind: 'file' })),
    commit: null,
    read: async (paths) => ok(new Map(Array.from(files).filter(([path]) => paths.has(path)))),
  }
}

/** The part of the tree below `prefix`, which is removed from its paths. */
function subtree(tree: SourceTree, prefix: string): SourceTree {
  const files = tree.files.filter(({ path }) => path.startsWith(prefix))
  return mapPaths(
    { ...tree, files },
    (path) => path.slice(prefix.length),
    (path) => prefix + path,
  )
}

/** Wraps the tree in a folder, with which its paths then begin. */
export function wrapInFolder(tree: SourceTree, folder: string): SourceTree {
  return mapPaths(
    tree,
    (path) => `${folder}/${path}`,
    (path) => path.slice(folder.length + 1),
  )
}

function mapPaths(
  tree: SourceTree,
  toNewPath: (path: string) => string,
  toOldPath: (path: string) => string,
): SourceTree {
  return {
    files: tree.files.map((file) => ({ ...file, path: toNewPath(file.path) })),
    commit: tree.commit,
    async read(paths) {
      const contents = await tree.read(new Set(Array.from(paths, toOldPath)))
      return contents.ok
        ? ok(new Map(Array.from(contents.value, ([path, bytes]) => [toNewPath(path), bytes])))
        : contents
    },
  }
}

/**
 * Removes the single top folder of an archive, which is usually named after the repository. Unless `always`
 * is set, keeps a folder whose name matters: that of a skill, or of single-file skills.
 */
export function unwrapTopFolder(tree: SourceTree, always: boolean): SourceTree {
  const top = tree.files[0]?.path.split('/')[0] ?? ''
  const isOnlyFolder = tree.files.every(({ path }) => path.startsWith(`${top}/`))
  const isSkill = tree.files.some(({ path }) => path === `${top}/SKILL.md`)
  return top !== '' && isOnlyFolder && (always || (!isSkill && top !== FLAT_FOLDER))
    ? subtree(tree, `${top}/`)
    : tree
}
