// The text by which a loaded skill enters the conversation. Its frame cannot be closed or forged from inside.

import { closeTag, defuseTags, openTag } from '../lib/framework-tags.ts'
import { escapeXml } from '../lib/text.ts'
import { RESOURCE_LIST_MAX } from '../limits.ts'
import type { LoadedSkill } from './access.ts'
import { SKILL_FILE } from './finding.ts'
import { rootOf } from './skill.ts'

/** Body and list of files; the body is verbatim but for our own tags, which are made harmless. */
export function wrapSkill({ entry, body, files }: LoadedSkill): string {
  const attributes = [
    `name="${escapeXml(entry.name)}"`,
    `digest="sha256:${entry.digest}"`,
    `root="${escapeXml(rootOf(entry))}"`,
  ]
  return [
    `<skill_content ${attributes.join(' ')}>`,
    defuseTags(body),
    ...resources(files.map((file) => file.path).filter((path) => path !== SKILL_FILE)),
    closeTag('skill_content'),
  ].join('\n')
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
