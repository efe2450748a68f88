// Finds the imports between source files with regular expressions, which require formatted sources.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'

export interface Import {
  readonly from: string
  readonly to: string
  /** True if it imports only types. */
  readonly typeOnly: boolean
}

// The formatter starts each statement on a new line.
const STATEMENT =
  /^(?:import|export)\s+(?<type>type\s+(?=[{*\w]))?(?:(?<names>\{[^}]*\}|\*[^'"]*|[\w$]+(?:\s*,\s*\{[^}]*\})?)\s+from\s+)?['"](?<path>\.[^'"]+)['"]/gm
const DYNAMIC_IMPORT = /\bimport\(\s*['"](?<path>\.[^'"]+)['"]\s*\)(?!\.|>)/g

function importsOnlyTypes(names: string | undefined): boolean {
  if (!names?.startsWith('{')) return false
  const importedNames = names.slice(1, -1).split(',')
  return importedNames.every((name) => name.trim() === '' || name.trim().startsWith('type '))
}

/** The relative paths that a source text imports, as written (`./a.ts`). */
export function importsIn(text: string): readonly { readonly path: string; readonly typeOnly: boolean }[] {
  const staticImports = [...text.matchAll(STATEMENT)].map(({ groups }) => ({
    path: groups?.['path'] ?? '',
    typeOnly: groups?.['type'] !== undefined || importsOnlyTypes(groups?.['names']),
  }))
  const dynamicImports = [...text.matchAll(DYNAMIC_IMPORT)].map(({ groups }) => ({
    path: groups?.['path'] ?? '',
    typeOnly: false,
  }))
  return [...staticImports, ...dynamicImports]
}

/** The source files below these folders, relative to `root`. */
export function sourcesBelow(root: string, folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  )
}

/** Every import of a file below these folders, with paths relative to `root`. */
export function importsBelow(root: string, folders: readonly string[]): readonly Import[] {
  return sourcesBelow(root, folders).flatMap((from) =>
    importsIn(readFileSync(join(root, from), 'utf8')).map(({ path, typeOnly }) => ({
      from,
      to: posix.normalize(posix.join(dirname(from), path)),
      typeOnly,
    })),
  )
}
