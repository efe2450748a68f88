// Applies the static rules to one skill. Runs nothing, fetches nothing and never throws; the same files
// always give the same findings. Paths, links and sizes are checked when files are received.

import { runSteps } from '../../lib/steps.ts'
import type { Steps } from '../../lib/steps.ts'
import {
  SCAN_CODE_MAX_CHARS,
  SCAN_CODE_TOTAL_CHARS,
  SCAN_EXCERPTS_MAX,
  SCAN_PIECES_MAX,
} from './base/limits.ts'
import type { FileMap } from '../package/skill-folder.ts'
import type { Finding } from '../skill.ts'
import { DECLARATION_ANCHOR, declarationsIn } from './prose/declaration-rules.ts'
import { excerptsIn } from './code/excerpts.ts'
import { JAVASCRIPT } from './code/javascript/javascript.ts'
import { judgeCode } from './code/common/judge.ts'
import { PYTHON } from './code/python/python.ts'
import { codeIn } from './fences.ts'
import { flowIn, setBy } from './flow/flow-rules.ts'
import type { CodeUnit } from './fences.ts'
import { hiddenOrdersIn, loosenedIn, plantedIn } from './prose/hidden-orders.ts'
import { hiddenTextIn } from './prose/hidden-text.ts'
import { instructionsIn } from './prose/instructions.ts'
import { paragraphsIn } from './prose/paragraphs.ts'
import { posesIn } from './files/marker-rules.ts'
import { HTTP_ANCHOR, METADATA_ANCHOR, networkIn } from './network-rules.ts'
import { fencesIn, languageIn, packageIn } from './files/package-rules.ts'
import { piecesOf } from './base/pieces.ts'
import { startScanReport } from './report.ts'
import type { ScanReport } from './report.ts'
import { RULES } from './rules/rules.ts'
import { SECRET_ANCHOR, SECRET_ERROR_ANCHOR, secretsIn } from './secrets/secret-rules.ts'
import { DOWNLOAD_ANCHOR, SHELL_ANCHOR, shellIn, shellTermsIn } from './shell/shell-rules.ts'
import { sourceOf } from './base/source.ts'
import type { Source } from './base/source.ts'
import { startWork } from './base/work.ts'

const ERROR_ANCHOR = new RegExp([SECRET_ERROR_ANCHOR, METADATA_ANCHOR, SHELL_ANCHOR].join('|'), 'g')
const ANCHOR = new RegExp([ERROR_ANCHOR.source, SECRET_ANCHOR, HTTP_ANCHOR, DOWNLOAD_ANCHOR].join('|'), 'g')
const SKILL_ANCHOR = new RegExp([ANCHOR.source, DECLARATION_ANCHOR].join('|'), 'g')

/**
 * The findings, sorted by file, line and rule. Errors prevent publishing; warnings and notes are shown and
 * stored. Paths in `files` are relative to the root of the skill. No finding quotes a secret.
 */
export function scanSkill(files: FileMap): readonly Finding[] {
  return runSteps(scanSteps(files))
}

/** Like `scanSkill`, but in steps, so that the caller can serve other requests in between. */
export function* scanSteps(files: FileMap): Steps<readonly Finding[]> {
  const report = startScanReport()
  const ambient = new Map<string, string>()
  for (const [path, bytes] of files) {
    if (bytes.byteLength > AMBIENT_BYTES || !AMBIENT.test(path)) continue
    yield A_FILE + bytes.byteLength * READ
    setBy(sourceOf(path, bytes), ambient)
  }
  const left: Left = {
    ambient,
    code: SCAN_CODE_TOTAL_CHARS,
    excerpts: SCAN_EXCERPTS_MAX,
    pieces: SCAN_PIECES_MAX,
  }
  for (const path of Array.from(files.keys()).sort()) {
    try {
      yield* scanFile(path, files.get(path) ?? new Uint8Array(), left, report)
    } catch {
      // If a rule fails, the file was not checked, so it is an error. The other files are still checked.
      report.add('scan-failed', path, null, 'The scan of this file failed')
    }
  }
  return report.findings()
}

/** What is left of the budgets of one skill. */
interface Left {
  /** Variables that files of the skill set for other files. */
  readonly ambient: ReadonlyMap<string, string>
  code: number
  excerpts: number
  pieces: number
}

function* scanFile(path: string, bytes: Uint8Array, left: Left, report: ScanReport): Steps<void> {
  yield A_FILE + bytes.byteLength * READ
  const source = sourceOf(path, bytes)
  // A compiled program is an error anyway, and matches in its bytes would be accidental.
  if (packageIn(source, report)) return
  languageIn(source, report)
  yield* posesIn(source, report)
  const { language, text } = source
  if (text === null) return
  if (language === 'python' || language === 'javascript') {
    const fits = takes(text.length, left)
    yield* judgeCode(language === 'python' ? PYTHON : JAVASCRIPT, source, fits, report)
  }
  // Each group of rules reads all of the text, parsed or not. Yielding in between lets the caller serve other
  // requests.
  const read = text.length * READ
  const { units, others } = codeIn(source)
  yield read
  fencesIn(source, others, report)
  yield* shellIn(source, units, report)
  for (const { program, text: code, at } of yield* flowIn(source, units, left.ambient, report)) {
    const inline = { ...source, path: 'inline.ts', text: code, lineAt: () => source.lineAt(at) }
    const isPython = /^(?:python|pypy|ipython)/.test(program)
    if (left.excerpts-- > 0)
      yield* judgeCode(
        isPython ? PYTHON : JAVASCRIPT,
        inline,
        takes(code.length, left),
        errorsOnly(source, report),
      )
  }
  yield read
  yield* scanText(source, text, units, left, report)
  yield read
  yield* excerptsIn(source, units, (chars) => left.excerpts-- > 0 && takes(chars, left), report)
  yield read
  yield* hiddenTextIn(source, report)
  yield* instructionsIn(source, report)
  yield* paragraphsIn(source, report)
  yield* hiddenOrdersIn(source, report)
  yield* plantedIn(source, report)
  yield* loosenedIn(source, report)
}

/**
 * Reports only errors: a program in an argument is usually a fragment, for which warnings would be
 * unreliable.
 */
function errorsOnly(source: Source, report: ScanReport): ScanReport {
  return {
    ...report,
    add(rule, _, line, seen) {
      if (RULES[rule].severity === 'error') report.add(rule, source.path, line, seen)
    },
  }
}

/** Whether this much code still fits the parsing budget; if so, deducts it. */
function takes(chars: number, left: Left): boolean {
  const fits = chars <= Math.min(SCAN_CODE_MAX_CHARS, left.code)
  if (fits) left.code -= chars
  return fits
}

const AMBIENT = /\.(?:env|conf|ini|cfg)$|\.env\b/
const AMBIENT_BYTES = 65_536
// Costs in microseconds: per file, and per character for one group of rules.
const A_FILE = 50
const READ = 0.02
// Costs in microseconds of a piece of text with a relevant term: per piece, and per character.
const A_PIECE = 20
const JUDGED = 0.1

function* scanText(
  source: Source,
  text: string,
  code: readonly CodeUnit[],
  left: Left,
  report: ScanReport,
): Steps<void> {
  const work = startWork()
  // Pieces and code blocks are both in text order.
  let unit = 0
  const isShell = (at: number): boolean => {
    while ((code[unit]?.to ?? Infinity) <= at) unit++
    return code[unit]?.language === 'shell' && (code[unit]?.from ?? 0) <= at
  }
  const look = (piece: string, at: number): void => {
    left.pieces--
    secretsIn(piece, at, source, report)
    // Downloads that are run must be reported before their addresses, because the report keeps one finding
    // per danger.
    shellTermsIn(piece, at, isShell(at), source, report)
    networkIn(piece, at, source, report)
    declarationsIn(piece, at, source, report)
  }
  // Beyond the budget, only text with terms of errors (secrets, metadata addresses, shell terms) is checked.
  // By then, a file with a million URLs has already produced the maximum number of findings.
  let reached = 0
  for (const anchor of [source.isSkill ? SKILL_ANCHOR : ANCHOR, ERROR_ANCHOR]) {
    const from = reached
    reached = text.length
    for (const [piece, at] of piecesOf(text.slice(from), anchor)) {
      look(piece, from + at)
      if (work.countWork(A_PIECE + piece.length * JUDGED)) yield work.report()
      if (anchor === ERROR_ANCHOR || left.pieces > 0) continue
      reached = from + at + piece.length
      break
    }
  }
}
