// ls: what lies in a folder of the tree that the model sees. Lists what is visible, nothing else.

import * as z from 'zod'
import type { ToolResult } from '../../agent/tool.ts'
import { DATA_FOLDERS, fullPath } from '../../files/path.ts'
import type { FileAccess, FileRow } from '../../files/access.ts'
import { LS_MAX_ENTRIES } from './limits.ts'
import type { SkillAccess } from '../../skills/view/access.ts'
import { builtin, errorResult } from '../record/builtin.ts'
import { countOf, firstLines } from './listing.ts'
import { noFolder } from './missing.ts'
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
        'Absolute path of a folder, such as /mnt/user-data/uploads, /mnt/skills or the root of a skill.',
      ),
  }),
  effect: 'read',
  run: async ({ skills, files }, { path }) => {
    const place = await findInTree(path, { skills, files })
    if (!place.ok) return errorResult(place.error)
    switch (place.value.at) {
      case 'root':
        return shown(['skills/', 'user-data/'])
      case 'data':
        return data(place.value.path, files)
      case 'skills':
        return list(skills, path, place.value.place)
    }
  },
})

async function list(skills: SkillAccess, asked: string, place: SkillTarget): Promise<ToolResult> {
  if (place.at === 'tree') return shown(['custom/', 'public/'])
  if (place.at === 'category')
    return shown(
      skills
        .list()
        .filter((entry) => entry.category === place.category)
        .map((entry) => `${entry.name}/`),
    )
  const files = await skills.files(place.skill.name)
  if (!files.ok) return errorResult(files.error)
  const prefix = place.path === '' ? '' : `${place.path}/`
  const paths = files.value.files.map((file) => file.path)
  if (prefix !== '' && paths.includes(place.path))
    return errorResult(`${asked} is a file. Use read_file to read it.`)
  const inside = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length))
  if (inside.length === 0) return errorResult(`There is no folder ${asked}.`)
  return shown(inside)
}

/** All that is below with its size; where that is too much, what lies in the folder itself, its folders first. */
function data(path: string, files: FileAccess): ToolResult {
  if (files.get(path)) return errorResult(`${fullPath(path)} is a file. Use read_file to read it.`)
  const prefix = path === '' ? '' : `${path}/`
  const below = files.list().filter((row) => row.path.startsWith(prefix))
  if (below.length === 0 && path.includes('/')) return errorResult(noFolder(path, files))
  const name = (row: FileRow): string => row.path.slice(prefix.length)
  const empty =
    path === ''
      ? DATA_FOLDERS.filter((folder) => !below.some((row) => row.path.startsWith(`${folder}/`)))
      : []
  const none = empty.map((folder) => `${folder}/ (empty)`)
  if (below.length <= LS_MAX_ENTRIES) {
    const lines = below.map((row) => `${name(row)} (${countOf(row.bytes, 'byte')})`)
    if (firstLines(lines, LS_MAX_ENTRIES).length === lines.length) return shown([...lines, ...none])
  }
  const folders = new Map<string, { files: number; bytes: number }>()
  for (const row of below) {
    const folder = /^[^/]+(?=\/)/.exec(name(row))?.[0]
    if (folder === undefined) continue
    const { files: count, bytes } = folders.get(folder) ?? { files: 0, bytes: 0 }
    folders.set(folder, { files: count + 1, bytes: bytes + row.bytes })
  }
  return shown([
    ...[...folders].map(
      ([folder, of]) => `${folder}/ (${countOf(of.files, 'file')}, ${countOf(of.bytes, 'byte')})`,
    ),
    ...none,
    ...below
      .filter((row) => !name(row).includes('/'))
      .map((row) => `${name(row)} (${countOf(row.bytes, 'byte')})`),
  ])
}

/** One a line; the rest is counted after what is hidden was taken out. */
function shown(entries: readonly string[]): ToolResult {
  if (entries.length === 0) return { content: '(empty)', isError: false }
  const lines = firstLines(entries, LS_MAX_ENTRIES)
  const more = entries.length - lines.length
  return { content: [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'), isError: false }
}
