// The text by which a loaded skill enters the conversation. Its frame cannot be closed or forged from inside.

import { closeTag, defuseTags, openTag } from '../../lib/framework-tags.ts'
import { cutText, escapeXml } from '../../lib/text.ts'
import { READ_FILE_MAX_CHARS, RESOURCE_LIST_MAX } from '../../limits.ts'
import type { LoadedSkill } from './access.ts'
import { leftLiteral, withArguments, withRoot } from './body-text.ts'
import { SKILL_FILE } from '../format/finding.ts'
import { locationOf, rootOf } from '../skill.ts'

/**
 * Body, the skills it builds on, and its files. The body is verbatim but for variables that stand for its folder, and
 * our own tags, which are made harmless. `request`: what a person wrote when calling it, to stand for $ARGUMENTS; null
 * where the model loads it.
 */
export function wrapSkill(skill: LoadedSkill, request: string | null = null): string {
  const { entry, files } = skill
  const attributes = [
    `name="${escapeXml(entry.name)}"`,
    `digest="sha256:${entry.digest}"`,
    `root="${escapeXml(rootOf(entry))}"`,
  ]
  return [
    `<skill_content ${attributes.join(' ')}>`,
    defuseTags(shownBody(skill, request)),
    ...dependencies(skill),
    ...resources(files.map((file) => file.path).filter((path) => path !== SKILL_FILE)),
    closeTag('skill_content'),
  ].join('\n')
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
    ...skill.dependencies
      .slice(0, RESOURCE_LIST_MAX)
      .map(({ name, location }) => escapeXml(`${name}: ${location ?? 'not available'}`)),
    closeTag('skill_dependencies'),
  ]
}

/** In place of a body that stands in the conversation already. */
export function loadedNote(skill: { readonly name: string; readonly digest: string }): string {
  return `Skill "${escapeXml(skill.name)}" is already loaded earlier in this conversation, in this very version (sha256:${skill.digest}); follow it. To see a part of it again, read its SKILL.md with start_line and end_line.`
}

/** Nothing for a skill that is SKILL.md alone. */
function resources(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return []
  const left = paths.length - RESOURCE_LIST_MAX
  return [
    openTag('skill_resources'),
    ...paths.slice(0, RESOURCE_LIST_MAX).map((path) => `<file>${escapeXml(path)}</file>`),
    ...(left > 0 ? [`… and ${left} more; list the folder with ls.`] : []),
    closeTag('skill_resources'),
  ]
}
