// Parses a SKILL.md, strictly for publishing or leniently for loading. Never throws, whatever the bytes.

import { countLines, estimateTokens } from '../../lib/text.ts'
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
import type { YamlField, Remark } from './yaml-strings.ts'

export interface ParsedSkill {
  readonly meta: SkillMeta
  /** The text after the closing fence: line ends are LF, trimmed at both ends, otherwise verbatim. */
  readonly body: string
}

export interface ParseResult {
  /** Null exactly when a finding is an error: the skill cannot be loaded (lenient) or published (strict). */
  readonly skill: ParsedSkill | null
  readonly findings: readonly Finding[]
}

/** `folder`: the name of the skill's directory, '' when there is none to compare with. */
export function parseSkill(bytes: Uint8Array, folder: string, mode: Mode): ParseResult {
  const report = startReport(mode)
  const framed = frame(bytes, report)
  const fields = framed && readFields(framed, report)
  const meta = framed && fields && readMeta(fields, framed.headerLine, folder, report)
  if (framed && meta) checkBody(framed, report)
  const { findings } = report
  const refused = findings.some((finding) => finding.severity === 'error')
  return { skill: framed && meta && !refused ? { meta, body: framed.body } : null, findings }
}

/** The fields of the header; null when strict parsing stops here (a parse failure is reported alone). */
function readFields({ header, headerLine }: Framed, report: Report): readonly YamlField[] | null {
  const lenient = report.mode === 'lenient'
  const hazard = prescan(header)
  if (hazard) {
    report.add(hazard.rule, 'graded', headerLine + hazard.line - 1, hazard.message, hazard.fix)
    if (!lenient) return null
    if (hazard.rule === 'frontmatter-too-large') return scanFields(header, headerLine)
  }
  const read = hazard ? null : readYaml(header, headerLine)
  if (read?.ok === true) {
    remark(read.value.remarks, report)
    return read.value.fields
  }
  const fault = read?.error
  if (fault?.rule === 'frontmatter-not-mapping') {
    const fix = 'Write fields as name: value, one a line.'
    report.add(fault.rule, 'error', headerLine, 'SKILL.md frontmatter must be a YAML mapping.', fix)
    return null
  }
  if (fault) {
    const what = fault.rule === 'yaml-alias' ? '' : 'Invalid YAML in frontmatter: '
    const fix = 'Quote values that contain ": " or " #", or that start with a sign such as [ * & @.'
    report.add(fault.rule, 'graded', fault.line, `${what}${fault.message.replace(/[.:\s]*$/, '.')}`, fix)
    if (!lenient) return null
  }
  const repaired = repairFields(header, headerLine, report)
  remark(repaired.remarks, report)
  return repaired.fields
}

/** Reports once for each rule what YAML allows and the reference validator refuses. */
function remark(remarks: readonly Remark[], report: Report): void {
  const seen = new Set<string>()
  for (const { rule, line, what } of remarks) {
    if (seen.has(rule)) continue
    seen.add(rule)
    if (rule === 'duplicate-key')
      report.add(
        rule,
        'graded',
        line,
        `Field ${quoted(what)} appears twice; the first one counts.`,
        'Remove one.',
      )
    else if (rule === 'yaml-tag')
      report.add(
        rule,
        'graded',
        line,
        `The YAML tag ${quoted(what)} is not accepted; values are texts.`,
        'Remove it.',
      )
    else if (report.mode === 'strict')
      report.add(
        rule,
        'warning',
        line,
        'The frontmatter uses flow style ([…] or {…}), which the reference validator refuses.',
        'Write one item a line.',
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
      'Add instructions.',
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
    'Move detail into references/, which is read on demand.',
  )
}
