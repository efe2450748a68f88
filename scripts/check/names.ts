// Checks that exported names are unique, except where folders tell them apart.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { sourcesBelow } from './imports.ts'

/** Names that two folders share, with the distinction. */
export const SHARED_NAMES: ReadonlySet<string> = new Set([
  // A client method has the name of the server's operation.
  'ChatRequest',
  'Unpublishing',
  'ToolRow',
  'callableSkills',
  'commitSkills',
  'liveDigest',
  'putBlob',
  'rate',
  'searchThreads',
  'skillFile',
  // Two interpreters, node and python, with equal parts.
  'Interpreter',
  'Machine',
  'beginJob',
  'fileCalls',
  'readCommand',
  // Two languages, python and javascript.
  'MATTERS',
  // One file writes the other, or declares its types.
  'BUILD_DIGEST',
  'setHooks',
])

// The formatter puts each export on a line of its own.
const EXPORT =
  /^export (?:declare )?(?:async )?(?:const|let|function\*?|(?:abstract )?class|interface|type) (?<name>[\w$]+)/gm

export interface SourceText {
  readonly path: string
  readonly text: string
}

/** Names that two files export and no folder tells apart, with the files. */
export function repeatedNames(sources: readonly SourceText[], shared = SHARED_NAMES): readonly string[] {
  const files = new Map<string, Set<string>>()
  for (const { path, text } of sources)
    for (const { groups } of text.matchAll(EXPORT)) {
      const name = groups?.['name'] ?? ''
      files.set(name, (files.get(name) ?? new Set()).add(path))
    }
  const repeated = [...files].filter(([name, paths]) => paths.size > 1 && !shared.has(name))
  const unused = [...shared].filter((name) => (files.get(name)?.size ?? 0) < 2)
  return [
    ...repeated.map(
      ([name, paths]) =>
        `${name} is exported by ${[...paths].join(' and ')}: rename one, make them one, or add it to SHARED_NAMES (scripts/check/names.ts).`,
    ),
    ...unused.map(
      (name) => `${name} is exported by one file: take it out of SHARED_NAMES (scripts/check/names.ts).`,
    ),
  ]
}

/** The sources of `src` and `scripts`, without sandbox guests, which have their own names. */
export function namedSources(root: string): readonly SourceText[] {
  return sourcesBelow(root, ['src', 'scripts'])
    .filter((path) => !path.includes('/guest/'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}
