// read_file: one text file of a visible skill, whole or a range of its lines.

import * as z from 'zod'
import type { ToolNote, ToolResult } from '../../agent/tool.ts'
import { fromUtf8 } from '../../lib/bytes.ts'
import { cutText } from '../../lib/text.ts'
import { READ_FILE_MAX_CHARS } from '../../limits.ts'
import type { SkillAccess } from '../../skills/view/access.ts'
import { leftLiteral, withRoot } from '../../skills/view/body-text.ts'
import { builtin, errorResult } from '../builtin.ts'
import { findPlace } from './relative-path.ts'

const Input = z.strictObject({
  path: z.string().min(1).describe('Full path, such as /mnt/skills/public/<skill>/references/<file>.md.'),
  start_line: z.int().min(1).optional().describe('First line to read, from 1.'),
  end_line: z.int().min(1).optional().describe('Last line to read, included.'),
})

const SKILL_FILE = 'SKILL.md'

export const READ_FILE = builtin({
  name: 'read_file',
  description:
    'Reads a text file of a skill. Read what a loaded skill tells you to read; give a range of lines for a long file.',
  input: Input,
  effect: 'read',
  run: ({ skills }, wanted) => read(skills, wanted),
})

async function read(skills: SkillAccess, wanted: z.infer<typeof Input>): Promise<ToolResult> {
  const place = await findPlace(wanted.path, skills)
  if (!place.ok) return errorResult(place.error)
  if (place.value.at !== 'skill' || place.value.path === '')
    return errorResult(`${wanted.path} is a folder. Use ls to see what is in it.`)
  const file = await skills.read(place.value.skill.name, place.value.path)
  if (!file.ok) return errorResult(file.error)
  const text = fromUtf8(file.value.bytes)
  if (text === null || text.includes('\0'))
    return errorResult(
      `${wanted.path} is not a text file (${file.value.bytes.length} bytes), so it cannot be read here.`,
    )
  const { entry, path } = file.value
  const { name, category, digest } = entry
  if (path !== SKILL_FILE) {
    const note: ToolNote = { type: 'resource', skill: name, category, digest, path }
    return { content: range(text, wanted), isError: false, notes: [note] }
  }
  const filled = withRoot(text, entry)
  const body = wanted.start_line === undefined && wanted.end_line === undefined
  const literal = body ? leftLiteral(filled) : null
  return {
    content: range(filled, wanted) + (literal === null ? '' : `\n${literal}`),
    isError: false,
    notes: [{ type: 'skill', name, category, digest, via: 'read', body }],
  }
}

/** Lines `start` to `end`, both included; either may be missing, an end past the file's is the file's. */
function range(text: string, { start_line: start, end_line: end }: z.infer<typeof Input>): string {
  if (text === '') return '(empty)'
  const lines = text.replace(/\n$/, '').split('\n')
  const first = start ?? 1
  const last = Math.min(end ?? lines.length, lines.length)
  if (first > lines.length) return `(start_line is past the end: the file has ${lines.length} lines)`
  if (first > last) return '(start_line is after end_line: no lines in this range)'
  const chosen = lines.slice(first - 1, last).join('\n')
  if (chosen.length <= READ_FILE_MAX_CHARS) return chosen
  const kept = cutText(chosen, READ_FILE_MAX_CHARS)
  // Ranges are of whole lines: asked for again, this one would be cut at the same place.
  if (!kept.includes('\n')) {
    const next = first < last ? ` Read on with start_line ${first + 1}.` : ''
    return `${kept}\n[cut: line ${first} of ${lines.length} is longer than one read can show; its rest cannot be read here.${next}]`
  }
  const until = first + kept.split('\n').length - 1
  return `${kept}\n[cut near line ${until} of ${lines.length}; read on with start_line ${until}]`
}
