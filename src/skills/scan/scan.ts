// Applies the static rules to one skill. Runs nothing, fetches nothing and never throws; the same files
// always give the same findings. Paths, links and sizes are checked when files are received.

import { runSteps } from '../../lib/steps.ts'
import type { Steps } from '../../lib/steps.ts'
import {
  SCAN_CODE_MAX_CHARS,
  SCAN_CODE_TOTAL_MAX_CHARS,
  SCAN_CODE_BLOCKS_MAX,
  SCAN_PIECES_MAX,
} from './base/limits.ts'
import type { FileMap } from '../package/skill-folder.ts'
import type { Finding } from '../skill.ts'
import { DECLARATION_ANCHOR, checkDeclarations } from './prose/declaration-rules.ts'
import { checkCodeBlocks } from './code/code-blocks.ts'
import { JAVASCRIPT } from './code/javascript/javascript.ts'
import { checkCode } from './code/common/check-code.ts'
import { PYTHON } from './code/python/python.ts'
import { findCodeBlocks } from './fences.ts'
import { checkFlow, collectVariables } from './flow/flow-rules.ts'
import type { CodeRange } from './fences.ts'
import { checkHiddenOrders, checkLoosenedApprovals, checkPlantedOrders } from './prose/hidden-orders.ts'
import { checkHiddenText } from './prose/hidden-text.ts'
import { checkInstructions } from './prose/instructions.ts'
import { checkParagraphs } from './prose/paragraphs.ts'
import { checkRoleMarkers } from './files/marker-rules.ts'
import { HTTP_ANCHOR, METADATA_ANCHOR, checkAddresses } from './network-rules.ts'
import { checkFenceLanguages, checkLanguage, checkPackageFile } from './files/package-rules.ts'
import { matchedPieces } from './base/pieces.ts'
import { startScanReport } from './report.ts'
import type { ScanReport } from './report.ts'
import { RULES } from './rules/rules.ts'
import { SECRET_ANCHOR, SECRET_ERROR_ANCHOR, checkSecrets } from './secrets/secret-rules.ts'
import { DOWNLOAD_ANCHOR, SHELL_ANCHOR, checkShell, checkShellTerms } from './shell/shell-rules.ts'
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
  const fileVariables = new Map<string, string>()
  for (const [path, bytes] of files) {
    if (bytes.byteLength > VARIABLE_FILE_MAX_BYTES || !VARIABLE_FILE.test(path)) continue
    yield FILE_US + bytes.byteLength * READ_CHAR_US
    collectVariables(sourceOf(path, bytes), fileVariables)
  }
  const budgets: Budgets = {
    fileVariables,
    codeChars: SCAN_CODE_TOTAL_MAX_CHARS,
    codeBlocks: SCAN_CODE_BLOCKS_MAX,
    pieces: SCAN_PIECES_MAX,
  }
  for (const path of Array.from(files.keys()).sort()) {
    try {
      yield* scanFile(path, files.get(path) ?? new Uint8Array(), budgets, report)
    } catch {
      // If a rule fails, the file was not checked, so it is an error. The other files are still checked.
      report.add('scan-failed', path, null, 'The scan of this file failed')
    }
  }
  return report.findings()
}

/** The remaining budgets of one skill: characters of code, code blocks, and pieces of text. */
interface Budgets {
  /** Variables that files of the skill set for other files. */
  readonly fileVariables: ReadonlyMap<string, string>
  codeChars: number
  codeBlocks: number
  pieces: number
}

function* scanFile(path: string, bytes: Uint8Array, budgets: Budgets, report: ScanReport): Steps<void> {
  yield FILE_US + bytes.byteLength * READ_CHAR_US
  const source = sourceOf(path, bytes)
  // A compiled program is an error anyway, and matches in its bytes would be accidental.
  if (checkPackageFile(source, report)) return
  checkLanguage(source, report)
  yield* checkRoleMarkers(source, report)
  const { language, text } = source
  if (text === null) return
  if (language === 'python' || language === 'javascript') {
    const isWithinBudget = takeCodeBudget(text.length, budgets)
    yield* checkCode(language === 'python' ? PYTHON : JAVASCRIPT, source, isWithinBudget, report)
  }
  // Each group of rules reads all of the text, parsed or not. Yielding in between lets the caller serve other
  // requests.
  const readCost = text.length * READ_CHAR_US
  const { blocks, unparsed } = findCodeBlocks(source)
  yield readCost
  checkFenceLanguages(source, unparsed, report)
  yield* checkShell(source, blocks, report)
  for (const { program, text: codeText, offset } of yield* checkFlow(
    source,
    blocks,
    budgets.fileVariables,
    report,
  )) {
    const inlineSource = { ...source, path: 'inline.ts', text: codeText, lineAt: () => source.lineAt(offset) }
    const isPython = /^(?:python|pypy|ipython)/.test(program)
    if (budgets.codeBlocks-- > 0)
      yield* checkCode(
        isPython ? PYTHON : JAVASCRIPT,
        inlineSource,
        takeCodeBudget(codeText.length, budgets),
        reportErrorsOnly(source, report),
      )
  }
  yield readCost
  yield* scanText(source, text, blocks, budgets, report)
  yield readCost
  yield* checkCodeBlocks(
    source,
    blocks,
    (chars) => budgets.codeBlocks-- > 0 && takeCodeBudget(chars, budgets),
    report,
  )
  yield readCost
  yield* checkHiddenText(source, report)
  yield* checkInstructions(source, report)
  yield* checkParagraphs(source, report)
  yield* checkHiddenOrders(source, report)
  yield* checkPlantedOrders(source, report)
  yield* checkLoosenedApprovals(source, report)
}

/**
 * Reports only errors: a program in an argument is usually a fragment, for which warnings would be
 * unreliable.
 */
function reportErrorsOnly(source: Source, report: ScanReport): ScanReport {
  return {
    ...report,
    add(rule, _, line, summary) {
      if (RULES[rule].severity === 'error') report.add(rule, source.path, line, summary)
    },
  }
}

/** Deducts this much code from the parsing budget; false if the budget does not cover it. */
function takeCodeBudget(chars: number, budgets: Budgets): boolean {
  const isWithinBudget = chars <= Math.min(SCAN_CODE_MAX_CHARS, budgets.codeChars)
  if (isWithinBudget) budgets.codeChars -= chars
  return isWithinBudget
}

const VARIABLE_FILE = /\.(?:env|conf|ini|cfg)$|\.env\b/
const VARIABLE_FILE_MAX_BYTES = 65_536
// Costs in microseconds: per file, and per character for one group of rules.
const FILE_US = 50
const READ_CHAR_US = 0.02
// Costs of checking a piece of text with a relevant term, in microseconds: per piece, and per character.
const PIECE_US = 20
const CHECKED_CHAR_US = 0.1

function* scanText(
  source: Source,
  text: string,
  codeText: readonly CodeRange[],
  budgets: Budgets,
  report: ScanReport,
): Steps<void> {
  const work = startWork()
  // Pieces and code blocks are both in text order.
  let block = 0
  const isShell = (offset: number): boolean => {
    while ((codeText[block]?.to ?? Infinity) <= offset) block++
    return codeText[block]?.language === 'shell' && (codeText[block]?.from ?? 0) <= offset
  }
  const checkPiece = (piece: string, offset: number): void => {
    budgets.pieces--
    checkSecrets(piece, offset, source, report)
    // Downloads that are run must be reported before their addresses, because the report keeps one finding
    // per danger.
    checkShellTerms(piece, offset, isShell(offset), source, report)
    checkAddresses(piece, offset, source, report)
    checkDeclarations(piece, offset, source, report)
  }
  // Beyond the budget, only text with terms of errors (secrets, metadata addresses, shell terms) is checked.
  // By then, a file with a million URLs has already produced the maximum number of findings.
  let checkedUntil = 0
  for (const anchor of [source.isSkillFile ? SKILL_ANCHOR : ANCHOR, ERROR_ANCHOR]) {
    const start = checkedUntil
    checkedUntil = text.length
    for (const [piece, offset] of matchedPieces(text.slice(start), anchor)) {
      checkPiece(piece, start + offset)
      if (work.countWork(PIECE_US + piece.length * CHECKED_CHAR_US)) yield work.report()
      if (anchor === ERROR_ANCHOR || budgets.pieces > 0) continue
      checkedUntil = start + offset + piece.length
      break
    }
  }
}
