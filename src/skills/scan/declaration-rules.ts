// What the text of a SKILL.md asks of the model: overriding its instructions, powers it should not need, secrets.

import { quoted } from '../format/finding.ts'
import { isGuarding } from './prose.ts'
import type { Report, Rule } from './report.ts'
import type { Source } from './source.ts'

const OVERRIDE: Rule = {
  id: 'declaration-prompt-override',
  severity: 'warning',
  why: 'a skill adds to the instructions of an agent; text that cancels them is how injections begin.',
  mend: 'Say what to do, without reference to other instructions. In a skill about injections, quote it in a reference file.',
}
const CAPABILITY: Rule = {
  id: 'declaration-sensitive-capability',
  severity: 'warning',
  why: 'the skill speaks of a power that is more than most skills need.',
  mend: 'Name the one command or host that is needed, and list the tools in allowed-tools.',
}
const PATH: Rule = {
  id: 'declaration-sensitive-path',
  severity: 'warning',
  why: 'keys, accounts or control of the machine lie there.',
  mend: 'Leave the path out, or say why the skill needs it.',
}

export const DECLARATION_ANCHOR =
  'nstructions|NSTRUCTIONS|rompt|ommands?\\b|redential|ecrets|etwork|\\.ssh|\\/etc\\/|docker\\.sock|rbitrary|nrestricted'

const GAP = '[ \\t]{1,4}'
const OVERRIDES = new RegExp(
  `\\b(?:ignore|disregard|forget)${GAP}(?:(?:all|any|every|of|the|your|my)${GAP}){0,4}(?:previous|prior|above|earlier|preceding)${GAP}(?:\\w{1,20}${GAP})?(?:instructions?|prompts?|rules|directions|messages)|\\boverrid(?:e|es|ing)${GAP}(?:(?:all|any|the|your)${GAP}){0,3}(?:system|developer)${GAP}(?:instructions?|prompts?|messages?)`,
  'gi',
)
const CAPABILITIES =
  /\bexecut(?:e|es|ing)[ \t]{1,4}arbitrary[ \t]{1,4}(?:shell[ \t]{1,4})?(?:commands?|code)\b|\bcredential[ \t]{1,4}access\b|\bread(?:s|ing)?[ \t]{1,4}secrets\b|\b(?:arbitrary|unrestricted)[ \t]{1,4}(?:network|internet|shell)\b/gi
// The metadata address has a rule of its own.
const PATHS = /~\/\.ssh\b|\/etc\/(?:passwd|shadow)\b|\/var\/run\/docker\.sock/g

export function declarationsIn(piece: string, at: number, source: Source, report: Report): void {
  // What is told not to be done, or shown for what it is, is guarded against.
  if (!source.isSkill || isGuarding(withoutOrders(piece))) return
  const rules = [
    [OVERRIDES, OVERRIDE],
    [CAPABILITIES, CAPABILITY],
    [PATHS, PATH],
  ] as const
  for (const [pattern, rule] of rules)
    for (const match of piece.matchAll(pattern))
      report.add(rule, source.path, source.lineAt(at + match.index), quoted(match[0]))
}

/** An order to ignore what came before is no warning of it. */
function withoutOrders(piece: string): string {
  return piece.replace(OVERRIDES, ' ')
}
