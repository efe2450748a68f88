// Rules about addresses in any file: cloud metadata, and plain http.

import { quoted } from '../format/finding.ts'
import { reachOf } from './base/hosts.ts'
import { warnsAgainst } from './base/prose.ts'
import type { ScanReport } from './report.ts'
import type { RuleId } from './rules/rules.ts'
import type { Source } from './base/source.ts'

export const METADATA_ANCHOR =
  '169\\.254\\.1|metadata\\.google|100\\.100\\.100\\.200|fd00:ec2::254|2852039166|0x[aA]9[fF][eE][aA]9[fF][eE]'

export const HTTP_ANCHOR = 'http:\\/\\/|HTTP:\\/\\/|Http:\\/\\/'
const HTTP_TERMS = new RegExp(HTTP_ANCHOR)
const METADATA_TERMS = new RegExp(METADATA_ANCHOR)

const METADATA_HOST =
  /(?<![\w.])(?:169\.254\.169\.254|169\.254\.170\.2|100\.100\.100\.200|metadata\.google\.internal|fd00:ec2::254|2852039166|0xa9fea9fe)(?!\w|\.\d)/gi
// Metadata about the machine that contains no credentials.
const HARMLESS_METADATA_PATH =
  /^\/(?:computeMetadata\/v1\/(?:project\/(?:project-id|numeric-project-id)|instance\/(?:zone|name|id|hostname|region|machine-type))|latest\/meta-data\/(?:public-ipv4|local-ipv4|public-hostname|local-hostname|hostname|instance-id|instance-type|placement\/[\w-]{1,40}))(?![\w/])/
// The address in a firewall rule, which blocks it.
const FIREWALL_RANGE = /^\/32\b/
/**
 * A command or a call that opens an address. Other addresses belong to a license, a schema, a link or an
 * example.
 */
const FETCH_CALL =
  /\b(?:curl|wget|fetch|urlopen|urlretrieve|axios|http\.(?:get|request)|got|Invoke-\w{1,20}|iwr|irm)\b|\b(?:requests|httpx|session|client|aiohttp)\.(?:get|post|put|patch|delete|request)\b|\.open\(\s{0,4}["'](?:GET|POST)/i
const SEND_VERBS = /\b(?:send|post|upload|submit|report|forward|transmit|exfiltrate)\b/i
const HTTP_URL = /\bhttp:\/\/[^\s"'`<>(){}|\\^,;]{1,300}/gi

export function checkAddresses(piece: string, pieceOffset: number, source: Source, report: ScanReport): void {
  for (const match of METADATA_TERMS.test(piece) ? piece.matchAll(METADATA_HOST) : []) {
    const path = piece.slice(match.index + match[0].length)
    // In Markdown, a mention of the address explains it, but a request to it is an instruction to the model.
    const isExplained = source.language === 'markdown' && (warnsAgainst(piece) || !FETCH_CALL.test(piece))
    if (isExplained || HARMLESS_METADATA_PATH.test(path) || FIREWALL_RANGE.test(path)) continue
    report.add(
      'network-cloud-metadata',
      source.path,
      source.lineAt(pieceOffset + match.index),
      `The cloud metadata address (${match[0]})`,
    )
  }
  if (!HTTP_TERMS.test(piece)) return
  for (const match of piece.matchAll(HTTP_URL)) {
    const reach = reachOf(match[0])
    if (reach === 'none' || reach === 'metadata') continue
    const rule = reach === 'local' ? 'network-local-http' : httpRuleFor(piece, source)
    const summary = quoted(match[0].replace(/\/\/[^\s/@]{0,200}@/, '//'))
    if (rule) report.add(rule, source.path, source.lineAt(pieceOffset + match.index), summary)
  }
}

function httpRuleFor(piece: string, source: Source): RuleId | null {
  if (FETCH_CALL.test(piece)) return 'network-cleartext-http'
  return source.isSkillFile && SEND_VERBS.test(piece) && !warnsAgainst(piece)
    ? 'declaration-external-endpoint'
    : null
}
