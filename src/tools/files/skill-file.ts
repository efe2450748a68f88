// read_file for files of skills.

import type { ToolNote, ToolResult } from '../../agent/tool.ts'
import { fromUtf8, utf8 } from '../../lib/bytes.ts'
import type { SkillAccess } from '../../skills/view/access.ts'
import { leftLiteral, withRoot } from '../../skills/view/body-text.ts'
import { errorResult } from '../record/builtin.ts'
import { lineRange, type LineRange } from './lines.ts'
import type { SkillTarget } from './skill-path.ts'

const SKILL_FILE = 'SKILL.md'

export async function readSkillFile(
  writtenPath: string,
  location: SkillTarget,
  range: LineRange,
  skills: SkillAccess,
): Promise<ToolResult> {
  if (location.kind !== 'skill' || location.path === '')
    return errorResult(`${writtenPath} is a folder. List its files with ls.`)
  const file = await skills.read(location.skill.name, location.path)
  if (!file.ok) return errorResult(file.error)
  const { entry, path, bytes } = file.value
  const text = fromUtf8(bytes)
  if (text === null || text.includes('\0'))
    return errorResult(
      `${writtenPath} is not a text file (${bytes.length} bytes), so it cannot be read here.`,
    )
  const { name, category, digest } = entry
  if (path !== SKILL_FILE) {
    const note: ToolNote = { type: 'resource', skill: name, category, digest, path }
    return { content: lineRange(bytes, range) ?? '', isError: false, notes: [note] }
  }
  const filled = withRoot(text, entry)
  const body = range.start_line === undefined && range.end_line === undefined
  const literal = body ? leftLiteral(filled) : null
  return {
    content: (lineRange(utf8(filled), range) ?? '') + (literal === null ? '' : `\n${literal}`),
    isError: false,
    notes: [{ type: 'skill', name, category, digest, via: 'read', body }],
  }
}
