// Checks the names of frontmatter fields: those in the specification, those that Satchel also supports, and all others.

import { quoted } from './finding.ts'
import type { Report } from './finding.ts'
import type { YamlField } from './yaml-value.ts'

const STANDARD = new Set(['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'])
const SUPPORTED = new Set([
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
/** Fields that other hosts act on, each with the reason why this host does not. */
const WITHOUT_EFFECT: ReadonlyMap<string, string> = new Map([
  ['model', 'a conversation uses the same model throughout'],
  ['effort', 'the request sets the effort'],
  ['context', 'the skill is loaded into the conversation itself'],
  ['agent', 'the skill is loaded into the conversation itself'],
  ['background', 'the skill is loaded into the conversation itself'],
  ['hooks', 'this host runs nothing on events'],
  ['shell', 'this host runs nothing while it loads a skill'],
  ['paths', 'the model chooses skills by their descriptions alone'],
  ['arguments', 'the text after /name cannot contain named arguments'],
])

/** Fields for which SkillMeta has a separate property. All others are kept in `extra`. */
export const FIELDS_WITH_PROPERTY: ReadonlySet<string> = new Set(
  [...STANDARD, ...SUPPORTED].filter((key) => key !== 'metadata'),
)

export function checkFieldNames(fields: readonly YamlField[], report: Report): void {
  const isKnown = ({ key }: YamlField): boolean => SUPPORTED.has(key) || WITHOUT_EFFECT.has(key)
  const unexpectedFields = fields.filter((field) => !STANDARD.has(field.key) && !isKnown(field))
  const list = (listedFields: readonly YamlField[]): string =>
    listedFields.map((field) => quoted(field.key)).join(', ')
  const first = unexpectedFields[0]
  if (first) {
    const message = `Unexpected fields in frontmatter: ${list(unexpectedFields.slice(0, 10))}${unexpectedFields.length > 10 ? ' …' : ''}.`
    const fix = 'Move custom data into the field metadata.'
    report.add('unknown-field', report.mode === 'strict' ? 'error' : 'note', first.line, message, fix)
  }
  for (const field of fields) {
    const why = WITHOUT_EFFECT.get(field.key)
    if (why === undefined) continue
    const message = `Field ${quoted(field.key)} has no effect here: ${why}.`
    report.add(
      'field-without-effect',
      'note',
      field.line,
      message,
      'Remove it, or state the requirement in the body instead.',
    )
  }
  const known = fields.filter(isKnown)
  if (report.mode === 'strict' && known[0]) {
    const message = `These fields are not in the specification, so other hosts may refuse them: ${list(known)}.`
    const fix = 'Keep them if the skill is written for this host.'
    report.add('extension-field', 'note', known[0].line, message, fix)
  }
}
