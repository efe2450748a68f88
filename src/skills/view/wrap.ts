// The text by which a loaded skill enters the conversation. Its frame cannot be closed or forged from inside.

import { closeTag, defuseTags, openTag } from '../../lib/framework-tags.ts'
import { cutText, escapeXml } from '../../lib/text.ts'
import { READ_FILE_MAX_CHARS, RESOURCE_LIST_MAX } from '../../limits.ts'
import type { LoadedSkill } from './access.ts'
import { SKILL_FILE } from '../format/finding.ts'
import { locationOf, rootOf } from '../skill.ts'

/** Body and list of files; the body is verbatim but for our own tags, which are made harmless. */
export function wrapSkill(skill: LoadedSkill): string {
  const { entry, files } = skill
  const attributes = [
    `name="${escapeXml(entry.name)}"`,
    `digest="sha256:${entry.digest}"`,
    `root="${escapeXml(rootOf(entry))}"`,
  ]
  return [
    `<skill_content ${attributes.join(' ')}>`,
    defuseTags(shownBody(skill)),
    ...resources(files.map((file) => file.path).filter((path) => path !== SKILL_FILE)),
    closeTag('skill_content'),
  ].join('\n')
}

/** A body too long for one answer ends at a whole line, and says how to read on. */
function shownBody({ entry, body, bodyLine }: LoadedSkill): string {
  if (body.length <= READ_FILE_MAX_CHARS) return body
  const kept =
    body.slice(0, body.lastIndexOf('\n', READ_FILE_MAX_CHARS) + 1) || cutText(body, READ_FILE_MAX_CHARS)
  const next = bodyLine + kept.split('\n').length - 1
  return `${kept}\n[The instructions go on: read_file ${locationOf(entry)} with start_line ${next}.]`
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
