// Rules about the flow of values through commands, in any file.

import type { Steps } from '../../../lib/steps.ts'
import type { CodeRange } from '../fences.ts'
import { SCAN_PIECE_CHARS } from '../base/limits.ts'
import { linesOf } from '../base/pieces.ts'
import type { ScanReport } from '../report.ts'
import { followUnlocked } from '../shell/shell-unlocked.ts'
import type { Source } from '../base/source.ts'
import { findShellTexts, isRelevant } from './shell-texts.ts'
import { createShellFlow } from './shell-flow.ts'
import type { InlineProgram, ReportFinding } from './shell-flow.ts'
import { followText } from './text-flow.ts'

/** Languages that are not parsed. */
const UNPARSED_SUFFIX =
  /\.(?:psm?1|psd1|bat|cmd|rb|pl|pm|php\d?|lua|r|jl|go|rs|java|kts?|groovy|cs|vbs?|hta|applescript|scpt|swift|scala|ex|exs|tcl|nim|cr|dart|ahk|au3|gemspec|rake)$/i
/** Languages whose installers are usually downloaded and run in one command. */
const INSTALLER_LANGUAGE = /\.(?:psm?1|bat|cmd)$|^(?:pwsh|powershell)/i
const PARSED_PROGRAM = /^(?:python[\d.]*|pypy3?|ipython3?|node|nodejs|deno|bun|tsx|ts-node)$/
/**
 * Costs in microseconds: per character that is searched for relevant terms, and per character of commands
 * that are followed.
 */
const SEARCHED_CHAR_US = 0.01
const FOLLOWED_CHAR_US = 0.5

/** Reports the findings in the commands of a file. Returns the Python and JavaScript programs in arguments. */
export function* checkFlow(
  source: Source,
  blocks: readonly CodeRange[],
  fileVariables: ReadonlyMap<string, string>,
  report: ScanReport,
): Steps<readonly InlineProgram[]> {
  const { text, language } = source
  if (text === null || language === 'python' || language === 'javascript') return []
  yield text.length * SEARCHED_CHAR_US
  const reportAt =
    (from: number): ReportFinding =>
    (rule, summary, offset) =>
      report.add(rule, source.path, source.lineAt(from + offset), summary)
  if (language === 'other' && UNPARSED_SUFFIX.test(source.path)) {
    yield* followText(text, INSTALLER_LANGUAGE.test(source.path), reportAt(0))
    return []
  }
  for (const { language: blockLanguage, from, to } of blocks) {
    if (blockLanguage !== 'windows') continue
    yield* followText(text.slice(from, to), true, reportAt(from))
  }
  if (!isRelevant(text)) return []
  const startsUnlocked = followUnlocked()
  const reportUnlocked = (code: string, from: number): void => {
    for (const [line, offset] of linesOf(code))
      if (startsUnlocked(line.trim().slice(0, SCAN_PIECE_CHARS)))
        reportAt(from)(
          'declaration-locked-prerequisite',
          'A file extracted from an archive with a password is started',
          offset,
        )
  }
  const flow = createShellFlow(fileVariables)
  const inlinePrograms: InlineProgram[] = []
  let followedChars = 0
  for (const { text: commandText, from: textOffset } of findShellTexts(source, blocks))
    for (const [code, chunkOffset] of isRelevant(commandText) ? chunksOf(commandText) : []) {
      followedChars += code.length
      if (followedChars > FOLLOWED_MAX_CHARS) return inlinePrograms
      const from = textOffset + chunkOffset
      yield code.length * FOLLOWED_CHAR_US
      if (language === 'other') reportUnlocked(code, from)
      for (const inline of flow.follow(code, reportAt(from))) {
        if (PARSED_PROGRAM.test(inline.program))
          inlinePrograms.push({ ...inline, offset: from + inline.offset })
        else
          yield* followText(inline.text, INSTALLER_LANGUAGE.test(inline.program), (rule, summary) =>
            reportAt(from)(rule, summary, inline.offset),
          )
      }
    }
  return inlinePrograms
}

/** Maximum number of characters that are followed in one file, and in one chunk. Chunks consist of whole lines. */
const FOLLOWED_MAX_CHARS = 524_288
const CHUNK_CHARS = 16_384

function* chunksOf(text: string): Generator<readonly [chunk: string, offset: number]> {
  for (let from = 0; from < text.length;) {
    const limit = from + CHUNK_CHARS
    const newline = limit >= text.length ? text.length : text.lastIndexOf('\n', limit)
    const to = newline > from ? newline : Math.min(limit, text.length)
    yield [text.slice(from, to), from]
    from = to
  }
}

const VARIABLE_LINE =
  /^[ \t]{0,8}(?:[-*][ \t]|export[ \t]|`)?[ \t]{0,4}([A-Z][A-Z0-9_]{0,40})=["']?([^\s"'`$]{1,200})["'`]?[ \t]*$/gm
const VARIABLES_MAX = 256
const VARIABLE_FILE_MAX_CHARS = 65_536

/**
 * Collects the variables that a file sets for other files of the skill, as .env files and files of defaults
 * do.
 */
export function collectVariables({ text }: Source, variables: Map<string, string>): void {
  if (text === null || text.length > VARIABLE_FILE_MAX_CHARS) return
  for (const { 1: name = '', 2: value = '' } of text.matchAll(VARIABLE_LINE))
    if (variables.size < VARIABLES_MAX && !variables.has(name)) variables.set(name, value)
}
