// ls: lists a folder of the tree that the model sees. Shows only what this run may see.

import * as z from 'zod'
import type { ToolResult } from '../../agent/tool.ts'
import { DATA_FOLDERS, fullPath } from '../../files/path.ts'
import type { FileAccess, FileRow } from '../../files/access.ts'
import { LS_ENTRIES_MAX } from './limits.ts'
import type { SkillAccess } from '../../skills/view/access.ts'
import { builtin, errorResult } from '../record/builtin.ts'
import { countOf, firstLines } from './listing.ts'
import { missingFolderMessage } from './missing-path.ts'
import { findInTree } from './tree-location.ts'
import type { SkillTarget } from './skill-path.ts'

export const LS = builtin({
  name: 'ls',
  group: 'files',
  label: { icon: 'file', now: 'Listing', past: 'Listed', failed: 'Could not list', many: 'folders' },
  always: true,
  description:
    'Lists a folder: the files of this conversation under /mnt/user-data (uploads, workspace, outputs), skills under /mnt/skills, or the files of one skill.',
  input: z.strictObject({
    path: z
      .string()
      .min(1)
      .describe(
        'Absolute path of a folder, such as /mnt/user-data/uploads, /mnt/skills or the folder of a skill.',
      ),
  }),
  effect: 'read',
  run: async ({ skills, files }, { path }) => {
    const location = await findInTree(path, { skills, files })
    if (!location.ok) return errorResult(location.error)
    switch (location.value.kind) {
      case 'root':
        return listingResult(['skills/', 'user-data/'])
      case 'data':
        return listData(location.value.path, files)
      case 'skills':
        return listSkills(skills, path, location.value.target)
    }
  },
})

async function listSkills(
  skills: SkillAccess,
  writtenPath: string,
  location: SkillTarget,
): Promise<ToolResult> {
  if (location.kind === 'tree') return listingResult(['custom/', 'public/'])
  if (location.kind === 'category')
    return listingResult(
      skills
        .list()
        .filter((entry) => entry.category === location.category)
        .map((entry) => `${entry.name}/`),
    )
  const files = await skills.files(location.skill.name)
  if (!files.ok) return errorResult(files.error)
  const prefix = location.path === '' ? '' : `${location.path}/`
  const paths = files.value.files.map((file) => file.path)
  if (prefix !== '' && paths.includes(location.path))
    return errorResult(`${writtenPath} is a file. Use read_file to read it.`)
  const relativePaths = paths
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length))
  if (relativePaths.length === 0) return errorResult(`There is no folder ${writtenPath}.`)
  return listingResult(relativePaths)
}

/** Lists all files below the folder with their sizes or, if there are too many, its direct entries, subfolders first. */
function listData(path: string, files: FileAccess): ToolResult {
  if (files.get(path)) return errorResult(`${fullPath(path)} is a file. Use read_file to read it.`)
  const prefix = path === '' ? '' : `${path}/`
  const below = files.list().filter((row) => row.path.startsWith(prefix))
  if (below.length === 0 && path.includes('/')) return errorResult(missingFolderMessage(path, files))
  const relativePath = (row: FileRow): string => row.path.slice(prefix.length)
  const emptyNames =
    path === ''
      ? DATA_FOLDERS.filter((folder) => !below.some((row) => row.path.startsWith(`${folder}/`)))
      : []
  const emptyFolders = emptyNames.map((folder) => `${folder}/ (empty)`)
  if (below.length <= LS_ENTRIES_MAX) {
    const lines = below.map((row) => `${relativePath(row)} (${countOf(row.bytes, 'byte')})`)
    if (firstLines(lines, LS_ENTRIES_MAX).length === lines.length)
      return listingResult([...lines, ...emptyFolders])
  }
  const totalByFolder = new Map<string, { files: number; bytes: number }>()
  for (const row of below) {
    const folder = /^[^/]+(?=\/)/.exec(relativePath(row))?.[0]
    if (folder === undefined) continue
    const { files: count, bytes } = totalByFolder.get(folder) ?? { files: 0, bytes: 0 }
    totalByFolder.set(folder, { files: count + 1, bytes: bytes + row.bytes })
  }
  return listingResult([
    ...[...totalByFolder].map(
      ([folder, total]) => `${folder}/ (${countOf(total.files, 'file')}, ${countOf(total.bytes, 'byte')})`,
    ),
    ...emptyFolders,
    ...below
      .filter((row) => !relativePath(row).includes('/'))
      .map((row) => `${relativePath(row)} (${countOf(row.bytes, 'byte')})`),
  ])
}

/** The result with one entry per line, and the number of entries that were left out. */
function listingResult(entries: readonly string[]): ToolResult {
  if (entries.length === 0) return { content: '(empty)', isError: false }
  const lines = firstLines(entries, LS_ENTRIES_MAX)
  const omittedCount = entries.length - lines.length
  return {
    content: [...lines, ...(omittedCount > 0 ? [`… and ${omittedCount} more`] : [])].join('\n'),
    isError: false,
  }
}
