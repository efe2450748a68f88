// Reports tool names in a skill's frontmatter that match none of Satchel's tools. These are only notes, because other
// hosts may have tools of these names.

import { countLines } from '../../lib/text.ts'
import { quoted, startReport } from '../format/finding.ts'
import { mappedTools, type KnownTools } from '../format/tool-names.ts'
import type { Finding, SkillMeta } from '../skill.ts'

const NAMES_LISTED_MAX = 10

/** The notes about unknown names. `text` is SKILL.md, in which the lines of the fields are found. */
export function unknownTools(meta: SkillMeta, text: string, known: KnownTools): readonly Finding[] {
  const report = startReport('lenient')
  for (const [key, names] of [
    ['allowed-tools', meta.allowedTools ?? []],
    ['disallowed-tools', meta.disallowedTools],
  ] as const) {
    const { unknown } = mappedTools(names, known)
    if (unknown.length === 0) continue
    const offset = new RegExp(`^${key}\\s*:`, 'm').exec(text)?.index
    const list = unknown.slice(0, NAMES_LISTED_MAX).map(quoted).join(', ')
    const message = `${quoted(key)} names tools that do not exist here: ${list}${unknown.length > NAMES_LISTED_MAX ? ' …' : ''}.`
    const line = offset === undefined ? null : countLines(text.slice(0, offset))
    report.add(
      'tool-unknown',
      'note',
      line,
      message,
      'Check the spelling. Keep them if other hosts have these tools.',
    )
  }
  return report.findings
}
