// The frontmatter fields: those of the specification, those that Satchel also supports, and all others.

import { quoted } from './finding.ts'
import type { Report } from './finding.ts'
import type { YamlField } from './yaml-strings.ts'

const SPECIFIED = new Set(['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'])
const OURS = new Set([
  'tags',
  'when_to_use',
  'disable-model-invocation',
  'user-invocable',
  'argument-hint',
  'disallowed-tools',
  'dependencies',
  'version',
  'changelog',
])
/** Other hosts act on these fields. The reason tells an author why this host does not. */
const WITHOUT_EFFECT: ReadonlyMap<string, string> = new Map([
  ['model', 'a conversation keeps its first model'],
  ['effort', 'effort is set by the request'],
  ['context', 'the skill is loaded into the conversation itself'],
  ['agent', 'the skill is loaded into the conversation itself'],
  ['background', 'the skill is loaded into the conversation itself'],
  ['hooks', 'nothing is ever run on events'],
  ['shell', 'nothing is ever run while a skill is loaded'],
  ['paths', 'the model decides by the description alone'],
  ['arguments', 'text after /name has no named arguments'],
])

/** Fields with a property of their own in SkillMeta. All others are kept in `extra`. */
export const CONSUMED: ReadonlySet<string> = new Set(
  [...SPECIFIED, ...OURS].filter((key) => key !== 'metadata'),
)

export function checkFieldNames(fields: readonly YamlField[], report: Report): void {
  const isKnown = ({ key }: YamlField): boolean => OURS.has(key) || WITHOUT_EFFECT.has(key)
  const others = fields.filter((field) => !SPECIFIED.has(field.key) && !isKnown(field))
  const list = (some: readonly YamlField[]): string => some.map((field) => quoted(field.key)).join(', ')
  const first = others[0]
  if (first) {
    const message = `Unexpected fields in frontmatter: ${list(others.slice(0, 10))}${others.length > 10 ? ' …' : ''}.`
    const fix = 'Move custom data under metadata:.'
    report.add('unknown-field', report.mode === 'strict' ? 'error' : 'note', first.line, message, fix)
  }
  for (const field of fields) {
    const why = WITHOUT_EFFECT.get(field.key)
    if (why === undefined) continue
    const message = `Field ${quoted(field.key)} has no effect here: ${why}.`
    report.add('field-without-effect', 'note', field.line, message, 'Say in the body what must hold.')
  }
  const known = fields.filter(isKnown)
  if (report.mode === 'strict' && known[0]) {
    const message = `Fields outside the specification, which other hosts may refuse: ${list(known)}.`
    const fix = 'Keep them if the skill is for this host.'
    report.add('extension-field', 'note', known[0].line, message, fix)
  }
}
