// Formats a loaded skill for the conversation. Its content cannot close or forge the tags around it.

import { closeTag, defuseTags, escapeXml, openTag } from '../../lib/framework-tags.ts'
import { cutText } from '../../lib/text.ts'
import { READ_FILE_MAX_CHARS } from '../../limits/tools.ts'
import { RESOURCE_LIST_MAX_CHARS, RESOURCE_LIST_MAX } from './limits.ts'
import type { LoadedSkill } from './access.ts'
import { leftLiteral, withArguments, withRoot } from './body-text.ts'
import { SKILL_FILE } from '../format/finding.ts'
import { locationOf, rootOf } from '../skill.ts'

/** A body with Satchel's text around it: the skill's identity before it, dependencies and files after it. */
interface WrappedSkill {
  /** The author's text with variables filled in. Satchel's tags in it are not escaped yet. */
  readonly content: string
  readonly frame: { readonly before: string; readonly after: string }
}

/** Wraps a skill. `request` is the person's text that replaces $ARGUMENTS, or null if the model loads the skill. */
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

/** A wrapped skill as one text, with Satchel's tags in its content escaped. */
export function wrappedText(skill: LoadedSkill, request: string | null): string {
  const { content, frame } = wrapSkill(skill, request)
  return frame.before + defuseTags(content) + frame.after
}

/** The body as shown. One that is too long is cut at the end of a line, with a note on how to read more. */
function shownBody({ entry, body: authorText, bodyLine }: LoadedSkill, request: string | null): string {
  const body = withRoot(authorText, entry)
  const render = (text: string, suffix = ''): string => {
    const filled = request === null ? { text, hasUnfilled: true } : withArguments(text, request)
    // Checks the author's text, because variables in the person's request mean nothing.
    const note = leftLiteral(body, !filled.hasUnfilled)
    return filled.text + suffix + (note === null ? '' : `\n${note}`)
  }
  if (body.length <= READ_FILE_MAX_CHARS) return render(body)
  // Cut before filling in variables, which may add lines, so that `next` is a line number of the file.
  const cutBody =
    body.slice(0, body.lastIndexOf('\n', READ_FILE_MAX_CHARS) + 1) || cutText(body, READ_FILE_MAX_CHARS)
  const next = bodyLine + cutBody.split('\n').length - 1
  return render(
    cutBody,
    `\n[The instructions continue: read_file ${locationOf(entry)} with start_line ${next}.]`,
  )
}

function dependencies(skill: LoadedSkill): readonly string[] {
  if (skill.dependencies.length === 0) return []
  return [
    openTag('skill_dependencies'),
    ...fittingLines(
      skill.dependencies.map(({ name, location }) => escapeXml(`${name}: ${location ?? 'not available'}`)),
    ),
    closeTag('skill_dependencies'),
  ]
}

/** The first lines that fit. */
function fittingLines(lines: readonly string[]): readonly string[] {
  let remaining = RESOURCE_LIST_MAX_CHARS
  return lines.slice(0, RESOURCE_LIST_MAX).filter((line) => {
    remaining -= line.length + 1
    return remaining >= 0
  })
}

/** The text that replaces a body that is already in the conversation. */
export function loadedNote(skill: { readonly name: string; readonly digest: string }): string {
  return `Skill "${escapeXml(skill.name)}" is already loaded earlier in this conversation, in this exact version (sha256:${skill.digest}); follow it. To see a part of it again, read its SKILL.md with start_line and end_line.`
}

/** The list of a skill's files; empty if there are none. */
function resources(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return []
  const listed = fittingLines(
    paths.slice(0, RESOURCE_LIST_MAX).map((path) => `<file>${escapeXml(path)}</file>`),
  )
  const remaining = paths.length - listed.length
  return [
    openTag('skill_resources'),
    ...listed,
    ...(remaining > 0 ? [`… and ${remaining} more; list the folder with ls.`] : []),
    closeTag('skill_resources'),
  ]
}
