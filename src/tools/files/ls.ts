// ls: what lies in a folder of the tree that the model sees. Lists what is visible, nothing else.

import * as z from 'zod'
import type { ToolResult } from '../../agent/tool.ts'
import { LS_MAX_ENTRIES } from '../../limits.ts'
import type { SkillAccess } from '../../skills/view/access.ts'
import { builtin, errorResult } from '../builtin.ts'
import { findPlace } from './relative-path.ts'
import type { SkillPlace } from './skill-path.ts'

export const LS = builtin({
  name: 'ls',
  description: 'Lists a folder: skills under /mnt/skills, or the files of one skill.',
  input: z.strictObject({
    path: z
      .string()
      .min(1)
      .describe('Absolute path of a folder, such as /mnt/skills or the root of a skill.'),
  }),
  effect: 'read',
  run: async ({ skills }, { path }) => {
    const place = await findPlace(path, skills)
    return place.ok ? list(skills, path, place.value) : errorResult(place.error)
  },
})

async function list(skills: SkillAccess, asked: string, place: SkillPlace): Promise<ToolResult> {
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

/** Every file below, one a line; the rest is counted after what is hidden was taken out. */
function shown(entries: readonly string[]): ToolResult {
  if (entries.length === 0) return { content: '(empty)', isError: false }
  const more = entries.length - LS_MAX_ENTRIES
  const lines = entries.slice(0, LS_MAX_ENTRIES)
  return { content: [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'), isError: false }
}
