// Rules about what a SKILL.md asks of the model: to override its instructions, to use powers it should not
// need, or to handle secrets.

import { quoted } from '../../format/finding.ts'
import { warnsAgainst } from '../base/prose.ts'
import type { ScanReport } from '../report.ts'
import type { Source } from '../base/source.ts'

export const DECLARATION_ANCHOR =
  'nstructions|NSTRUCTIONS|rompt|ommands?\\b|redential|ecrets|etwork|\\.ssh|\\/etc\\/|[iI]gnore|[dD]isregard|[fF]orget|\\.aws|\\.env\\b|eychain|ookies|nemonic|eed phrase|rivate key|nvironment|docker\\.sock|rbitrary|nrestricted'

const GAP = '[ \\t]{1,4}'
const PROMPT_OVERRIDE = new RegExp(
  `\\b(?:ignore|disregard|forget)${GAP}(?:(?:all|any|every|of|the|your|my)${GAP}){0,4}(?:previous|prior|above|earlier|preceding)${GAP}(?:\\w{1,20}${GAP})?(?:instructions?|prompts?|rules|directions|messages)|\\boverrid(?:e|es|ing)${GAP}(?:(?:all|any|the|your)${GAP}){0,3}(?:system|developer)${GAP}(?:instructions?|prompts?|messages?)`,
  'gi',
)
const SENSITIVE_CAPABILITY =
  /\bexecut(?:e|es|ing)[ \t]{1,4}arbitrary[ \t]{1,4}(?:shell[ \t]{1,4})?(?:commands?|code)\b|\bcredential[ \t]{1,4}access\b|\bread(?:s|ing)?[ \t]{1,4}secrets\b|\b(?:arbitrary|unrestricted)[ \t]{1,4}(?:network|internet|shell)\b/gi
/** A sensitive path that is to be read or copied. A mere mention often says where keys belong. */
const SENSITIVE_PATH =
  /\b(?:read|cat|open|copy|cp|collect|gather|list|ls|scan|search|grep|find|include|access|inspect|load|print|show|extract|get|fetch|back up|archive|tar|zip|mount)\w{0,3}\b[^\n]{0,80}(~\/\.ssh(?!\/(?:config|known_hosts|authorized_keys|[\w.-]{1,60}\.pub)|[\w-])|\/etc\/(?:passwd|shadow)\b)/gi

const KEY_TERMS =
  '(?:\\b(?:seed phrase|mnemonic|private keys?|wallet (?:files?|keys?|seed)|keychain|browser cookies|id_(?:rsa|ed25519))\\b|(?:~|\\$HOME)?/?\\.(?:ssh(?!\\/(?:config|known_hosts|authorized_keys))|aws|env)\\b(?![.\\w]))'
const SEND_TERMS = '\\b(?:send|upload|submit|forward|transmit|post|share)(?:s|ing)?\\b'
const SENT_KEYS = new RegExp(
  `${SEND_TERMS}[^\\n]{0,60}?(${KEY_TERMS})|(${KEY_TERMS})[^\\n]{0,40}${SEND_TERMS}`,
  'i',
)

export function checkDeclarations(
  piece: string,
  pieceOffset: number,
  source: Source,
  report: ScanReport,
): void {
  // Text that forbids or describes an attack is a warning against it.
  if (!source.isSkillFile || warnsAgainst(withoutOrders(piece))) return
  const rules = [
    [PROMPT_OVERRIDE, 'declaration-prompt-override'],
    [SENSITIVE_CAPABILITY, 'declaration-sensitive-capability'],
    [SENSITIVE_PATH, 'declaration-sensitive-path'],
  ] as const
  for (const [pattern, rule] of rules)
    for (const match of piece.matchAll(pattern))
      report.add(rule, source.path, source.lineAt(pieceOffset + match.index), quoted(match[1] ?? match[0]))
  const sentKeys = /https?:\/\//.test(piece) ? SENT_KEYS.exec(piece) : null
  if (sentKeys)
    report.add(
      'declaration-sensitive-path',
      source.path,
      source.lineAt(pieceOffset),
      `A request to send ${quoted(sentKeys[1] ?? sentKeys[2] ?? '')} over the network`,
    )
}

/** Removes orders to ignore earlier instructions, because their words look like a warning. */
function withoutOrders(piece: string): string {
  return piece.replace(PROMPT_OVERRIDE, ' ')
}
