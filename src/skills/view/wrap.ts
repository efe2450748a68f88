// The text by which a loaded skill enters the conversation. Its frame cannot be closed or forged from inside.

import { closeTag, defuseTags, escapeXml, openTag } from '../../lib/framework-tags.ts'
import { cutText } from '../../lib/text.ts'
import { READ_FILE_MAX_CHARS } from '../../limits/tools.ts'
import { RESOURCE_LIST_CHARS, RESOURCE_LIST_MAX } from './limits.ts'
import type { LoadedSkill } from './access.ts'
import { leftLiteral, withArguments, withRoot } from './body-text.ts'
import { SKILL_FILE } from '../format/finding.ts'
import { locationOf, rootOf } from '../skill.ts'

/** A body, and our own words around it: who it is before, the skills it builds on and its files behind. */
interface WrappedSkill {
  /** The author's, as written but for variables: our own tags in it are still to be made harmless. */
  readonly content: string
  readonly frame: { readonly before: string; readonly after: string }
}

/** `request`: what a person wrote when calling it, to stand for $ARGUMENTS; null where the model loads it. */
export function wrapSkill(skill: LoadedSkill, request: string | null = null): WrappedSkill {
  const { entry, files } = skill
  const attributes = [
    `name="${escapeXml(entry.name)}"`,
    `digest="sha256:${entry.digest}"`,
    `root="${escapeXml(rootOf(entry))}"`,
  ]
  const after = [
    '',
    ...dependencies(skill),
    ...resources(files.map((file) => file.path).filter((path) => path !== SKILL_FILE)),
    closeTag('skill_content'),
  ]
  return {
    content: shownBody(skill, request),
    frame: { before: `<skill_content ${attributes.join(' ')}>\n`, after: after.join('\n') },
  }
}

/** The same as one text, harmless. */
export function wrappedText(skill: LoadedSkill, request: string | null): string {
  const { content, frame } = wrapSkill(skill, request)
  return frame.before + defuseTags(content) + frame.after
}

/** A body too long for one answer ends at a whole line, and says how to read on. */
function shownBody({ entry, body: written, bodyLine }: LoadedSkill, request: string | null): string {
  const body = withRoot(written, entry)
  const shown = (text: string, behind = ''): string => {
    const filled = request === null ? { text, left: true } : withArguments(text, request)
    // Judged by what the author wrote: the person's words are no variables and no commands.
    const literal = leftLiteral(body, !filled.left)
    return filled.text + behind + (literal === null ? '' : `\n${literal}`)
  }
  if (body.length <= READ_FILE_MAX_CHARS) return shown(body)
  // Cut before it is filled in, which may bring more lines: the next line to read is one of the file.
  const kept =
    body.slice(0, body.lastIndexOf('\n', READ_FILE_MAX_CHARS) + 1) || cutText(body, READ_FILE_MAX_CHARS)
  const next = bodyLine + kept.split('\n').length - 1
  return shown(kept, `\n[The instructions go on: read_file ${locationOf(entry)} with start_line ${next}.]`)
}

function dependencies(skill: LoadedSkill): readonly string[] {
  if (skill.dependencies.length === 0) return []
  return [
    openTag('skill_dependencies'),
    ...fitting(
      skill.dependencies.map(({ name, location }) => escapeXml(`${name}: ${location ?? 'not available'}`)),
    ),
    closeTag('skill_dependencies'),
  ]
}

/** The first lines that a list has room for. */
function fitting(lines: readonly string[]): readonly string[] {
  let left = RESOURCE_LIST_CHARS
  return lines.slice(0, RESOURCE_LIST_MAX).filter((line) => {
    left -= line.length + 1
    return left >= 0
  })
}

/** In place of a body that stands in the conversation already. */
export function loadedNote(skill: { readonly name: string; readonly digest: string }): string {
  return `Skill "${escapeXml(skill.name)}" is already loaded earlier in this conversation, in this very version (sha256:${skill.digest}); follow it. To see a part of it again, read its SKILL.md with start_line and end_line.`
}

/** Nothing for a skill that is SKILL.md alone. */
function resources(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return []
  const listed = fitting(paths.slice(0, RESOURCE_LIST_MAX).map((path) => `<file>${escapeXml(path)}</file>`))
  const left = paths.length - listed.length
  return [
    openTag('skill_resources'),
    ...listed,
    ...(left > 0 ? [`… and ${left} more; list the folder with ls.`] : []),
    closeTag('skill_resources'),
  ]
}
