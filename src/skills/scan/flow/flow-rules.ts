// Rules about the flow of values through commands, in any file.

import type { Steps } from '../../../lib/steps.ts'
import type { CodeUnit } from '../fences.ts'
import { SCAN_PIECE_CHARS } from '../base/limits.ts'
import { linesOf } from '../base/pieces.ts'
import type { ScanReport } from '../report.ts'
import { followUnlocked } from '../shell/shell-unlocked.ts'
import type { Source } from '../base/source.ts'
import { commandTexts, matters } from './command-texts.ts'
import { createShellFlow } from './shell-flow.ts'
import type { Inline, ReportFinding } from './shell-flow.ts'
import { followText } from './text-flow.ts'

/** Languages that are not parsed. */
const OTHER =
  /\.(?:psm?1|psd1|bat|cmd|rb|pl|pm|php\d?|lua|r|jl|go|rs|java|kts?|groovy|cs|vbs?|hta|applescript|scpt|swift|scala|ex|exs|tcl|nim|cr|dart|ahk|au3|gemspec|rake)$/i
/** Languages whose installers are usually downloaded and run in one command. */
const INSTALLS = /\.(?:psm?1|bat|cmd)$|^(?:pwsh|powershell)/i
const PARSED = /^(?:python[\d.]*|pypy3?|ipython3?|node|nodejs|deno|bun|tsx|ts-node)$/
/**
 * Costs in microseconds: per character that is searched for relevant terms, and per character of commands
 * that are followed.
 */
const SEARCHED = 0.01
const FOLLOWED = 0.5

/** Returns programs in Python and JavaScript that commands pass as arguments. */
export function* flowIn(
  source: Source,
  units: readonly CodeUnit[],
  ambient: ReadonlyMap<string, string>,
  report: ScanReport,
): Steps<readonly Inline[]> {
  const { text, language } = source
  if (text === null || language === 'python' || language === 'javascript') return []
  yield text.length * SEARCHED
  const tell =
    (from: number): ReportFinding =>
    (rule, seen, at) =>
      report.add(rule, source.path, source.lineAt(from + at), seen)
  if (language === 'other' && OTHER.test(source.path)) {
    yield* followText(text, INSTALLS.test(source.path), tell(0))
    return []
  }
  for (const { language: word, from, to } of units) {
    if (word !== 'windows') continue
    yield* followText(text.slice(from, to), true, tell(from))
  }
  if (!matters(text)) return []
  const startsUnlocked = followUnlocked()
  const unlocked = (code: string, from: number): void => {
    for (const [line, offset] of linesOf(code))
      if (startsUnlocked(line.trim().slice(0, SCAN_PIECE_CHARS)))
        tell(from)(
          'declaration-locked-prerequisite',
          'A file extracted from an archive with a password is started',
          offset,
        )
  }
  const flow = createShellFlow(ambient)
  const inlines: Inline[] = []
  let followed = 0
  for (const { text: all, from: start } of commandTexts(source, units))
    for (const [code, at] of matters(all) ? chunksOf(all) : []) {
      followed += code.length
      if (followed > FOLLOWED_CHARS) return inlines
      const from = start + at
      yield code.length * FOLLOWED
      if (language === 'other') unlocked(code, from)
      for (const inline of flow.follow(code, tell(from))) {
        if (PARSED.test(inline.program)) inlines.push({ ...inline, at: from + inline.at })
        else
          yield* followText(inline.text, INSTALLS.test(inline.program), (rule, seen) =>
            tell(from)(rule, seen, inline.at),
          )
      }
    }
  return inlines
}

/**
 * Maximum number of characters that are followed in one file, and at a time. Chunks end at the end of a line.
 */
const FOLLOWED_CHARS = 524_288
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

const SET =
  /^[ \t]{0,8}(?:[-*][ \t]|export[ \t]|`)?[ \t]{0,4}([A-Z][A-Z0-9_]{0,40})=["']?([^\s"'`$]{1,200})["'`]?[ \t]*$/gm
const AMBIENT_MAX = 256
const AMBIENT_CHARS = 65_536

/**
 * Collects the variables that a file sets for other files of the skill, as .env files and files of defaults
 * do.
 */
export function setBy({ text }: Source, into: Map<string, string>): void {
  if (text === null || text.length > AMBIENT_CHARS) return
  for (const { 1: name = '', 2: value = '' } of text.matchAll(SET))
    if (into.size < AMBIENT_MAX && !into.has(name)) into.set(name, value)
}
