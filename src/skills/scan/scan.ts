// The static rules over one skill. Pure: runs nothing, fetches nothing, throws nothing; the same files give the same
// findings. Paths, links and sizes are checked where files come in.

import { atOnce } from '../../lib/steps.ts'
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
 * Findings by file, line and rule. 'error' refuses publishing, 'warning' and 'note' are shown and kept. `files`: paths
 * relative to the skill's root. No finding quotes a secret.
 */
export function scanSkill(files: FileMap): readonly Finding[] {
  return atOnce(scanSteps(files))
}

/** The same in steps, for who has others to serve. */
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
      // A rule that fails has not checked the file: it is refused, and the other files are still reported.
      report.add('scan-failed', path, null, 'The check of this file failed')
    }
  }
  return report.findings()
}

/** What one skill may still cost. */
interface Left {
  /** Variables that files of the skill set for others. */
  readonly ambient: ReadonlyMap<string, string>
  code: number
  excerpts: number
  pieces: number
}

function* scanFile(path: string, bytes: Uint8Array, left: Left, report: ScanReport): Steps<void> {
  yield A_FILE + bytes.byteLength * READ
  const source = sourceOf(path, bytes)
  // A program is refused as such: what its bytes happen to spell tells nobody anything.
  if (packageIn(source, report)) return
  languageIn(source, report)
  yield* posesIn(source, report)
  const { language, text } = source
  if (text === null) return
  if (language === 'python' || language === 'javascript') {
    const fits = takes(text.length, left)
    yield* judgeCode(language === 'python' ? PYTHON : JAVASCRIPT, source, fits, report)
  }
  // Each rule reads all of the text, parsed or not, and others have their turn in between.
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

/** A program in an argument is mostly a fragment of one: what it refuses counts. */
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
// Microseconds: what a file takes at least, and a character for one group of rules.
const A_FILE = 50
const READ = 0.02
// The same for a line with a word that a rule is about, and for its characters.
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
  // Pieces come in the order of the text, and so do the fences.
  let unit = 0
  const isShell = (at: number): boolean => {
    while ((code[unit]?.to ?? Infinity) <= at) unit++
    return code[unit]?.language === 'shell' && (code[unit]?.from ?? 0) <= at
  }
  const look = (piece: string, at: number): void => {
    left.pieces--
    secretsIn(piece, at, source, report)
    // Text that is run as it arrives is reported as that first.
    shellTermsIn(piece, at, isShell(at), source, report)
    networkIn(piece, at, source, report)
    declarationsIn(piece, at, source, report)
  }
  // Past the budget only errors are looked for, and warnings that come near them (metadata addresses, shell words): a
  // file of a million URLs has been listed long before.
  let reached = 0
  for (const anchor of [source.isSkill ? SKILL_ANCHOR : ANCHOR, ERROR_ANCHOR]) {
    const from = reached
    reached = text.length
    for (const [piece, at] of piecesOf(text.slice(from), anchor)) {
      look(piece, from + at)
      if (work.did(A_PIECE + piece.length * JUDGED)) yield work.report()
      if (anchor === ERROR_ANCHOR || left.pieces > 0) continue
      reached = from + at + piece.length
      break
    }
  }
}
