// ls: what lies in a folder of the tree that the model sees. Lists what is visible, nothing else.

import * as z from 'zod'
import type { Tool, ToolResult } from '../agent/tool.ts'
import { LS_MAX_ENTRIES, TOOL_TIMEOUT_MS } from '../limits.ts'
import type { SkillAccess } from '../skills/view/access.ts'
import { errorResult, specOf, withInput } from './input.ts'
import { findPlace } from './relative-path.ts'
import type { SkillPlace } from './skill-path.ts'

const Input = z.strictObject({
  path: z.string().min(1).describe('Absolute path of a folder, such as /mnt/skills or the root of a skill.'),
})

const SPEC = specOf('ls', 'Lists a folder: skills under /mnt/skills, or the files of one skill.', Input)

export function ls(skills: SkillAccess): Tool {
  return {
    spec: SPEC,
    effect: 'read',
    timeoutMs: TOOL_TIMEOUT_MS,
    run: (input) =>
      withInput(Input, input, async ({ path }) => {
        const place = await findPlace(path, skills)
        return place.ok ? list(skills, path, place.value) : errorResult(place.error)
      }),
  }
}

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
