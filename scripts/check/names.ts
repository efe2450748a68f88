// Checks that exported names are unique, with a list of exceptions.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { sourcesBelow } from './imports.ts'

/** Names that two files may export, with the reason. */
export const SHARED_NAMES: ReadonlySet<string> = new Set([
  // The shell's module declares what its build adds.
  'OWN_COMMANDS',
  // Client methods have the names of the server's operations.
  'ChatRequest',
  'ToolRow',
  'commitSkills',
  'putBlob',
  'searchThreads',
  // Two interpreters, node and python, have the same parts.
  'Interpreter',
  'Machine',
  'beginJob',
  'fileCalls',
  'readCommand',
  // One file generates the other or declares its types.
  'BUILD_DIGEST',
  // The API client names its functions like the server functions that they call.
  'readSkillFile',
  'listThreads',
  'cancelRun',
  'forkThread',
  'rateRun',
  // Separate programs: the page, the demo model, the terminal chat and the scripts.
  'ToolResult',
  'ApprovalCard',
  'formatDuration',
  'checkFiles',
])

// The formatter starts each export on a new line.
const EXPORT =
  /^export (?:declare )?(?:async )?(?:const|let|function\*?|(?:abstract )?class|interface|type) (?<name>[\w$]+)/gm

export interface SourceText {
  readonly path: string
  readonly text: string
}

/** A message for each name that several files export without being an exception, and for each unused exception. */
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
        `${name} is exported by ${[...paths].join(' and ')}. Rename one, merge them, or add the name to SHARED_NAMES (scripts/check/names.ts).`,
    ),
    ...unused.map(
      (name) => `${name} is exported by only one file. Remove it from SHARED_NAMES (scripts/check/names.ts).`,
    ),
  ]
}

/**
 * The sources in `src` and `scripts`, without those of sandbox guests and of the shell, whose names need not be unique.
 */
export function namedSources(root: string): readonly SourceText[] {
  return sourcesBelow(root, ['src', 'scripts'])
    .filter((path) => !path.includes('/guest/') && !/^src\/sandbox\/(?:commands|shell)\//.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}
