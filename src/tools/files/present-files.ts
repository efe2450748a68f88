// present_files: shows files under outputs/ to the user. Changes no files.

import * as z from 'zod'
import type { ToolNote, ToolResult } from '../../agent/tool.ts'
import type { FileAccess, FileRow } from '../../files/access.ts'
import { fullPath } from '../../files/path.ts'
import { fromUtf8 } from '../../lib/bytes.ts'
import { err, type Result } from '../../lib/result.ts'
import { cutText, stripInvisible } from '../../lib/text.ts'
import { ARTIFACT_TITLE_MAX_CHARS, HEADING_FILE_MAX_BYTES, PRESENTED_FILES_MAX } from './limits.ts'
import { builtin, errorResult } from '../record/builtin.ts'
import { findThreadFile } from './thread-path.ts'
import { runInTurn } from './scheduling.ts'
import { countOf } from './listing.ts'

const OUTPUTS = 'outputs/'

export const PRESENT_FILES = builtin({
  name: 'present_files',
  group: 'files',
  label: { icon: 'file', now: 'Presenting', past: 'Presented', failed: 'Could not present', many: 'times' },
  always: true,
  description: 'Shows files under /mnt/user-data/outputs to the user. Call it once they are finished.',
  input: z.strictObject({
    paths: z
      .array(z.string().min(1))
      .min(1)
      .max(PRESENTED_FILES_MAX)
      .describe('Full paths, in the order in which to show them.'),
  }),
  effect: 'read',
  run: ({ files }, { paths }, call) => runInTurn(files, call, () => present(files, paths)),
})

async function present(files: FileAccess, paths: readonly string[]): Promise<ToolResult> {
  const results = paths.map((path) => findOutputFile(path, files))
  const errors = results.flatMap((result) => (result.ok ? [] : [result.error]))
  if (errors.length > 0) return errorResult(`Nothing was shown. ${[...new Set(errors)].join(' ')}`)
  // A file that is listed twice is shown once.
  const rows = new Map(
    results.flatMap((result) => (result.ok ? [[result.value.path, result.value] as const] : [])),
  )
  const shown = await Promise.all(
    [...rows.values()].map(async (row) => ({ row, title: await titleOf(row, files) })),
  )
  const notes = shown.map(({ row: { path, type }, title }): ToolNote => ({
    type: 'artifact',
    path,
    title,
    media_type: type,
  }))
  const lines = shown.map(
    ({ row, title }) => `${fullPath(row.path)} as "${title}" (${row.type}, ${countOf(row.bytes, 'byte')})`,
  )
  return { content: `The user now sees:\n${lines.join('\n')}`, isError: false, notes }
}

function findOutputFile(path: string, files: FileAccess): Result<FileRow, string> {
  const row = findThreadFile(path, files)
  if (!row.ok || row.value.path.startsWith(OUTPUTS)) return row
  return err(
    `${fullPath(row.value.path)} is not in outputs/. Only files under ${fullPath('outputs')} can be shown. Write it there first.`,
  )
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }

/** Decodes the HTML entities and backslash escapes of Markdown. */
function decodeMarkdown(heading: string): string {
  return heading.replace(/&(lt|gt|amp|quot|#39);|\\([!-/:-@[-`{-~])/g, (all, name: string, escaped: string) =>
    name === undefined ? escaped : (ENTITIES[name] ?? all),
  )
}

/** The first heading of a Markdown document; for any other file, its name. */
async function titleOf(row: FileRow, files: FileAccess): Promise<string> {
  const name = row.path.slice(row.path.lastIndexOf('/') + 1)
  const isMarkdown = row.type === 'text/markdown' && row.bytes <= HEADING_FILE_MAX_BYTES
  const bytes = isMarkdown ? await files.read(row) : err('')
  const text = bytes.ok ? fromUtf8(bytes.value) : null
  const heading = /^#{1,6}[ \t]+(.*)$/m.exec(text ?? '')?.[1] ?? ''
  const title = stripInvisible(decodeMarkdown(heading.replace(/[ \t]+#*\s*$/, ''))).trim()
  return cutText(title === '' ? name : title, ARTIFACT_TITLE_MAX_CHARS)
}
