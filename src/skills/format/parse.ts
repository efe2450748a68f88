// Parses a SKILL.md: strictly for publishing, leniently for loading. Never throws, whatever the bytes are.

import { countLines } from '../../lib/text.ts'
import { estimateTokens } from '../../lib/tokens.ts'
import { SKILL_BODY_ADVISED_LINES, SKILL_BODY_ADVISED_TOKENS } from './limits.ts'
import { quoted, startReport } from './finding.ts'
import type { Mode, Report } from './finding.ts'
import { frame } from './frontmatter.ts'
import type { Framed } from './frontmatter.ts'
import { readMeta } from './meta.ts'
import { prescan } from './prescan.ts'
import { repairFields, scanFields } from './repair.ts'
import type { Finding, SkillMeta } from '../skill.ts'
import { readYaml } from './yaml-strings.ts'
import type { Remark } from './yaml-strings.ts'
import type { YamlField } from './yaml-value.ts'

export interface ParsedSkill {
  readonly meta: SkillMeta
  /** The text after the closing fence, trimmed at both ends, with LF line ends, otherwise verbatim. */
  readonly body: string
}

export interface ParseResult {
  /** Null if any finding is an error. The skill can then not be loaded (lenient) or published (strict). */
  readonly skill: ParsedSkill | null
  readonly findings: readonly Finding[]
}

/** `folder` is the name of the skill's folder, or '' if unknown. */
export function parseSkill(bytes: Uint8Array, folder: string, mode: Mode): ParseResult {
  const report = startReport(mode)
  const framed = frame(bytes, report)
  const fields = framed && readFields(framed, report)
  const meta = framed && fields && readMeta(fields, framed.headerLine, folder, report)
  if (framed && meta) checkBody(framed, report)
  const { findings } = report
  const hasErrors = findings.some((finding) => finding.severity === 'error')
  return { skill: framed && meta && !hasErrors ? { meta, body: framed.body } : null, findings }
}

/** The fields of the header; null if they cannot be parsed. In that case, no other problem is reported. */
function readFields({ header, headerLine }: Framed, report: Report): readonly YamlField[] | null {
  const isLenient = report.mode === 'lenient'
  const hazard = prescan(header)
  if (hazard) {
    report.add(hazard.rule, 'graded', headerLine + hazard.line - 1, hazard.message, hazard.fix)
    if (!isLenient) return null
    if (hazard.rule === 'frontmatter-too-large') return scanFields(header, headerLine)
  }
  const yaml = hazard ? null : readYaml(header, headerLine)
  if (yaml?.ok === true) {
    reportRemarks(yaml.value.remarks, report)
    return yaml.value.fields
  }
  const fault = yaml?.error
  if (fault?.rule === 'frontmatter-not-mapping') {
    const fix = 'Write one field on each line, as in name: value.'
    report.add(fault.rule, 'error', headerLine, 'SKILL.md frontmatter must be a YAML mapping.', fix)
    return null
  }
  if (fault) {
    const what = fault.rule === 'yaml-alias' ? '' : 'Invalid YAML in frontmatter: '
    const fix = 'Quote values that contain ": " or " #", or that start with a character such as [ * & @.'
    report.add(fault.rule, 'graded', fault.line, `${what}${fault.message.replace(/[.:\s]*$/, '.')}`, fix)
    if (!isLenient) return null
  }
  const repaired = repairFields(header, headerLine, report)
  reportRemarks(repaired.remarks, report)
  return repaired.fields
}

/** Reports what YAML allows but the reference validator refuses, once for each rule. */
function reportRemarks(remarks: readonly Remark[], report: Report): void {
  const reportedRules = new Set<string>()
  for (const { rule, line, what } of remarks) {
    if (reportedRules.has(rule)) continue
    reportedRules.add(rule)
    if (rule === 'duplicate-key')
      report.add(
        rule,
        'graded',
        line,
        `Field ${quoted(what)} appears twice; the first one is used.`,
        'Remove one of them.',
      )
    else if (rule === 'yaml-tag')
      report.add(
        rule,
        'graded',
        line,
        `The YAML tag ${quoted(what)} is not accepted; all values are strings.`,
        'Remove the tag.',
      )
    else if (report.mode === 'strict')
      report.add(
        rule,
        'warning',
        line,
        'The frontmatter uses flow style ([…] or {…}), which the reference validator refuses.',
        'Write each item on its own line.',
      )
  }
}

function checkBody({ body, bodyLine }: Framed, report: Report): void {
  if (body === '')
    report.add(
      'body-empty',
      'warning',
      bodyLine,
      'There is nothing after the frontmatter.',
      'Add the skill’s instructions.',
    )
  const lines = countLines(body)
  const tokens = estimateTokens(body)
  if (lines <= SKILL_BODY_ADVISED_LINES && tokens <= SKILL_BODY_ADVISED_TOKENS) return
  const advice = `${SKILL_BODY_ADVISED_LINES} lines and ${SKILL_BODY_ADVISED_TOKENS} tokens`
  const message = `The body has ${lines} lines and about ${tokens} tokens; at most ${advice} are recommended.`
  report.add(
    'body-long',
    'warning',
    bodyLine,
    message,
    'Move details into files under references/, which are read on demand.',
  )
}
