// An exported name says what a thing is: two files export the same one only where their folders say which is meant.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { sourcesBelow } from './imports.ts'

/** Names that two folders share, with what tells them apart. */
export const SHARED_NAMES: ReadonlySet<string> = new Set([
  // The client calls a route by the name of what the server does there.
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
  // Two interpreters, node and python, with the same parts.
  'Interpreter',
  'Machine',
  'beginJob',
  'fileCalls',
  'readCommand',
  // Two languages that are read, python and javascript.
  'MATTERS',
  // Written by one file into the other, or declared for it.
  'BUILD_DIGEST',
  'setHooks',
])

// The formatter begins each export on a line of its own.
const EXPORT =
  /^export (?:declare )?(?:async )?(?:const|let|function\*?|(?:abstract )?class|interface|type) (?<name>[\w$]+)/gm

export interface SourceText {
  readonly path: string
  readonly text: string
}

/** Every name that two files export and that no folder tells apart, with the files. */
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

/** The sources of `src` and `scripts`; what a guest of the sandbox is made of has names of its own. */
export function namedSources(root: string): readonly SourceText[] {
  return sourcesBelow(root, ['src', 'scripts'])
    .filter((path) => !path.includes('/guest/'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}
