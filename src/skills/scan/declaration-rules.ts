// What the text of a SKILL.md asks of the model: overriding its instructions, powers it should not need, secrets.

import { quoted } from '../format/finding.ts'
import { isGuarding } from './prose.ts'
import type { Report } from './report.ts'
import type { Source } from './source.ts'

export const DECLARATION_ANCHOR =
  'nstructions|NSTRUCTIONS|rompt|ommands?\\b|redential|ecrets|etwork|\\.ssh|\\/etc\\/|[iI]gnore|[dD]isregard|[fF]orget|\\.aws|\\.env\\b|eychain|ookies|nemonic|eed phrase|rivate key|nvironment|docker\\.sock|rbitrary|nrestricted'

const GAP = '[ \\t]{1,4}'
const OVERRIDES = new RegExp(
  `\\b(?:ignore|disregard|forget)${GAP}(?:(?:all|any|every|of|the|your|my)${GAP}){0,4}(?:previous|prior|above|earlier|preceding)${GAP}(?:\\w{1,20}${GAP})?(?:instructions?|prompts?|rules|directions|messages)|\\boverrid(?:e|es|ing)${GAP}(?:(?:all|any|the|your)${GAP}){0,3}(?:system|developer)${GAP}(?:instructions?|prompts?|messages?)`,
  'gi',
)
const CAPABILITIES =
  /\bexecut(?:e|es|ing)[ \t]{1,4}arbitrary[ \t]{1,4}(?:shell[ \t]{1,4})?(?:commands?|code)\b|\bcredential[ \t]{1,4}access\b|\bread(?:s|ing)?[ \t]{1,4}secrets\b|\b(?:arbitrary|unrestricted)[ \t]{1,4}(?:network|internet|shell)\b/gi
// The metadata address has a rule of its own.
const PATHS = /~\/\.ssh\b|\/etc\/(?:passwd|shadow)\b|\/var\/run\/docker\.sock/g

const KEYS =
  /\b(?:seed phrase|mnemonic|private keys?|wallet|keychain|browser cookies|id_(?:rsa|ed25519)|environment variables)\b|(?:\.ssh|\.aws|\.env)\b/i
const SENT = /\b(?:send|post|upload|submit|forward|transmit|share)\b/i

export function declarationsIn(piece: string, at: number, source: Source, report: Report): void {
  // What is told not to be done, or shown for what it is, is guarded against.
  if (!source.isSkill || isGuarding(withoutOrders(piece))) return
  const rules = [
    [OVERRIDES, 'declaration-prompt-override'],
    [CAPABILITIES, 'declaration-sensitive-capability'],
    [PATHS, 'declaration-sensitive-path'],
  ] as const
  for (const [pattern, rule] of rules)
    for (const match of piece.matchAll(pattern))
      report.add(rule, source.path, source.lineAt(at + match.index), quoted(match[0]))
  const key = SENT.test(piece) && /https?:\/\//.test(piece) ? KEYS.exec(piece) : null
  if (key)
    report.add(
      'declaration-sensitive-path',
      source.path,
      source.lineAt(at),
      `${quoted(key[0])} to be sent away`,
    )
}

/** An order to ignore what came before is no warning of it. */
function withoutOrders(piece: string): string {
  return piece.replace(OVERRIDES, ' ')
}
