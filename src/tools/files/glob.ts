// glob: finds files whose paths match a pattern.

import * as z from 'zod'
import type { ToolResult } from '../../agent/tool.ts'
import { DATA_ROOT } from '../../files/path.ts'
import { GLOB_MAX_PATHS, SEARCH_WORK_MAX } from './limits.ts'
import { builtin, errorResult } from '../record/builtin.ts'
import { countOf, firstLines } from './listing.ts'
import { compileGlob } from './pattern.ts'
import { findInTree, type TreeAccess } from './tree-location.ts'
import { searchPace } from './turns.ts'
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
    'Finds files by a pattern for their paths: *, **, ?, [a-z], {a,b}. A pattern without a slash (*.csv) matches the name, in any folder. Returns full paths, sorted.',
  input: z.strictObject({
    pattern: z
      .string()
      .min(1)
      .describe('Such as *.csv, uploads/**/*.{md,txt}, or a full path with wildcards.'),
    path: z.string().min(1).optional().describe(`The folder to search; ${DATA_ROOT} by default.`),
  }),
  effect: 'read',
  run: ({ skills, files }, { pattern, path }) => find(pattern, path, { skills, files }),
})

async function find(written: string, path: string | undefined, access: TreeAccess): Promise<ToolResult> {
  const { folder, glob, anchored } = parted(written, path)
  if (glob.split('/').includes('..'))
    return errorResult('The pattern contains "..". Name the folder in path instead.')
  const pattern = compileGlob(glob, anchored)
  if (!pattern.ok) return errorResult(pattern.error)
  const location = await findInTree(folder, access)
  if (!location.ok) return errorResult(location.error)
  const walked = await walk(location.value, access, `${folder}/${glob}`)
  if (!walked.ok) return errorResult(walked.error)
  const { root, files, left } = walked.value
  const pace = searchPace()
  const found: string[] = []
  let looked = 0
  for (const file of files) {
    const before = pattern.value.cost()
    if (pattern.value.fits(file.path)) found.push(file.full)
    looked += 1
    const rest = pace.did(pattern.value.cost() - before)
    if (rest) await rest
    if (pace.total() > SEARCH_WORK_MAX) break
  }
  const lines = firstLines(found, GLOB_MAX_PATHS)
  const notes = [
    lines.length < found.length ? 'Results truncated. Narrow the path or pattern to see fewer matches.' : '',
    looked < files.length
      ? `Stopped after about a second of work: ${looked} of ${countOf(files.length, 'path')} were compared. Make the pattern simpler.`
      : '',
    left,
  ].filter(Boolean)
  const first = lines.length < found.length ? ` (showing first ${lines.length})` : ''
  const head =
    found.length === 0
      ? `No files matched under ${root}.`
      : `Found ${countOf(found.length, 'path')} under ${root}${first}`
  return { content: [head, ...lines, ...notes].join('\n'), isError: false }
}

/** Splits a full path with wildcards into a folder and a pattern below it. */
function parted(
  pattern: string,
  path: string | undefined,
): { readonly folder: string; readonly glob: string; readonly anchored: boolean } {
  if (!/^\/|^mnt\//.test(pattern)) return { folder: path ?? DATA_ROOT, glob: pattern, anchored: false }
  const names = pattern.split('/').filter((name) => name !== '')
  const sign = names.findIndex((name) => /[*?[{\\]/.test(name))
  const cut = sign === -1 ? names.length - 1 : sign
  return { folder: `/${names.slice(0, cut).join('/')}`, glob: names.slice(cut).join('/'), anchored: true }
}
