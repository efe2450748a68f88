// glob: finds files whose paths match a pattern.

import * as z from 'zod'
import type { ToolResult } from '../../agent/tool.ts'
import { DATA_ROOT } from '../../files/path.ts'
import { GLOB_PATHS_MAX, SEARCH_COST_MAX } from './limits.ts'
import { builtin, errorResult } from '../record/builtin.ts'
import { countOf, firstLines } from './listing.ts'
import { compileGlob } from './pattern.ts'
import { findInTree, type TreeAccess } from './tree-location.ts'
import { startSearchPace } from './scheduling.ts'
import { walk } from './walk.ts'

export const GLOB = builtin({
  name: 'glob',
  group: 'files',
  label: {
    icon: 'search',
    now: 'Looking for',
    past: 'Looked for',
    failed: 'Could not look for',
    many: 'patterns',
  },
  always: true,
  description:
    'Finds files whose paths match a glob pattern: *, **, ?, [a-z], {a,b}. A pattern without a slash (*.csv) matches file names in any folder. Returns sorted full paths.',
  input: z.strictObject({
    pattern: z
      .string()
      .min(1)
      .describe('A glob such as *.csv or uploads/**/*.{md,txt}, or a full path with wildcards.'),
    path: z.string().min(1).optional().describe(`The folder to search; ${DATA_ROOT} by default.`),
  }),
  effect: 'read',
  run: ({ skills, files }, { pattern, path }) => findPaths(pattern, path, { skills, files }),
})

async function findPaths(
  writtenPattern: string,
  path: string | undefined,
  access: TreeAccess,
): Promise<ToolResult> {
  const { folder, glob, anchored } = splitPattern(writtenPattern, path)
  if (glob.split('/').includes('..'))
    return errorResult('The pattern must not contain "..". Give the folder in path instead.')
  const pattern = compileGlob(glob, anchored)
  if (!pattern.ok) return errorResult(pattern.error)
  const location = await findInTree(folder, access)
  if (!location.ok) return errorResult(location.error)
  const walked = await walk(location.value, access, `${folder}/${glob}`)
  if (!walked.ok) return errorResult(walked.error)
  const { root, files, omittedNote } = walked.value
  const pace = startSearchPace()
  const foundPaths: string[] = []
  let comparedCount = 0
  for (const file of files) {
    const before = pattern.value.cost()
    if (pattern.value.matchesEntirely(file.path)) foundPaths.push(file.fullPath)
    comparedCount += 1
    const pause = pace.countWork(pattern.value.cost() - before)
    if (pause) await pause
    if (pace.totalUnits() > SEARCH_COST_MAX) break
  }
  const lines = firstLines(foundPaths, GLOB_PATHS_MAX)
  const notes = [
    lines.length < foundPaths.length ? 'Results truncated. Narrow the path or the pattern.' : '',
    comparedCount < files.length
      ? `Stopped after about a second: ${comparedCount} of ${countOf(files.length, 'path')} were compared. Simplify the pattern.`
      : '',
    omittedNote,
  ].filter(Boolean)
  const shownCount = lines.length < foundPaths.length ? ` (showing first ${lines.length})` : ''
  const head =
    foundPaths.length === 0
      ? `No files matched under ${root}.`
      : `Found ${countOf(foundPaths.length, 'path')} under ${root}${shownCount}`
  return { content: [head, ...lines, ...notes].join('\n'), isError: false }
}

/** Splits a full path with wildcards into the folder to search and the pattern relative to it. */
function splitPattern(
  pattern: string,
  path: string | undefined,
): { readonly folder: string; readonly glob: string; readonly anchored: boolean } {
  if (!/^\/|^mnt\//.test(pattern)) return { folder: path ?? DATA_ROOT, glob: pattern, anchored: false }
  const names = pattern.split('/').filter((name) => name !== '')
  const firstWildcard = names.findIndex((name) => /[*?[{\\]/.test(name))
  const folderDepth = firstWildcard === -1 ? names.length - 1 : firstWildcard
  return {
    folder: `/${names.slice(0, folderDepth).join('/')}`,
    glob: names.slice(folderDepth).join('/'),
    anchored: true,
  }
}
