// grep: finds lines that match a pattern. Both the output and the CPU time are limited, whatever the pattern.

import * as z from 'zod'
import type { ToolCall, ToolResult } from '../../agent/tool.ts'
import { DATA_ROOT } from '../../files/path.ts'
import {
  GREP_REMOTE_FILES_MAX,
  GREP_FILE_MAX_BYTES,
  GREP_LINES_MAX,
  LISTING_MAX_CHARS,
  SEARCH_COST_MAX,
} from './limits.ts'
import { builtin, errorResult } from '../record/builtin.ts'
import { isBinary } from './data-file.ts'
import { countOf } from './listing.ts'
import { matchingLines } from './matching-lines.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { findInTree } from './tree-location.ts'
import { BUSY_READING, whileReading } from '../../files/reading-queue.ts'
import { runInTurn, startSearchPace } from './scheduling.ts'
import { walk, type SearchableFile, type Walk } from './walk.ts'

export const GREP = builtin({
  name: 'grep',
  group: 'files',
  label: {
    icon: 'search',
    now: 'Searching for',
    past: 'Searched for',
    failed: 'Could not search for',
    many: 'patterns',
  },
  always: true,
  description:
    'Searches text files line by line for a regular expression (RE2: no lookarounds, no back-references), or for plain text if literal is set. Returns lines of the form path:line: text.',
  input: z.strictObject({
    pattern: z.string().min(1).describe('The expression or text to find.'),
    path: z.string().min(1).optional().describe(`The folder or file to search; ${DATA_ROOT} by default.`),
    literal: z.boolean().optional().describe('Treat the pattern as plain text.'),
    ignore_case: z.boolean().optional().describe('Ignore letter case.'),
  }),
  effect: 'read',
  async run({ skills, files }, { pattern: writtenPattern, path = DATA_ROOT, literal, ignore_case }, call) {
    const pattern = compilePattern(writtenPattern, {
      literal: literal === true,
      ignoreCase: ignore_case === true,
    })
    if (!pattern.ok) return errorResult(`${pattern.error} ${literal === true ? '' : LITERAL_HINT}`.trim())
    const location = await findInTree(path, { skills, files })
    if (!location.ok) return errorResult(location.error)
    const walked = await walk(location.value, { skills, files }, path)
    if (!walked.ok) return errorResult(walked.error)
    // Only one file at a time is in memory, and larger files are skipped.
    const sizes = walked.value.files.map(({ bytes }) => bytes ?? 0)
    const maxHeldBytes = Math.max(0, ...sizes.filter((bytes) => bytes <= GREP_FILE_MAX_BYTES))
    return runInTurn(files, call, () =>
      whileReading(call, maxHeldBytes, errorResult(BUSY_READING), () =>
        search(walked.value, pattern.value, call),
      ),
    )
  },
})

const LITERAL_HINT = 'To search for exactly this text, call again with literal: true.'

/** Cost of reading and decoding one byte, in microseconds. */
const US_PER_BYTE = 0.003

/** How many files were not searched, by reason. */
interface SkippedCounts {
  binary: number
  large: number
  remote: number
  unreadable: number
}

async function search(
  { root, files, omittedNote }: Walk,
  pattern: Pattern,
  call: ToolCall,
): Promise<ToolResult> {
  const pace = startSearchPace()
  const skipped: SkippedCounts = { binary: 0, large: 0, remote: 0, unreadable: 0 }
  const lines: string[] = []
  const matchedFiles = new Set<string>()
  let chars = 0
  let fetched = 0
  let visitedCount = 0
  let longLines = 0
  let stopReason: 'shown' | 'work' | null = null
  for (const file of files) {
    if (stopReason !== null || call.signal.aborted) break
    visitedCount += 1
    if (file.isRemote && fetched >= GREP_REMOTE_FILES_MAX) {
      skipped.remote += 1
      continue
    }
    if (file.isRemote) fetched += 1
    const text = await readSearchable(file, skipped)
    if (typeof text === 'string') {
      if (files.length === 1) return errorResult(text)
      continue
    }
    let countedCost = pattern.cost()
    const matches = matchingLines(text, pattern)
    let uncountedCost = text.length * US_PER_BYTE
    for (;;) {
      const match = matches.next()
      if (match.done === true) {
        longLines += match.value
        break
      }
      if (match.value) {
        const line = `${file.fullPath}:${match.value.line}: ${match.value.text}`
        chars += line.length + 1
        if (lines.length >= GREP_LINES_MAX || chars > LISTING_MAX_CHARS) {
          stopReason = 'shown'
          break
        }
        lines.push(line)
        matchedFiles.add(file.fullPath)
        continue
      }
      const pause = pace.countWork(uncountedCost + pattern.cost() - countedCost)
      uncountedCost = 0
      countedCost = pattern.cost()
      if (pause) await pause
      if (pace.totalUnits() <= SEARCH_COST_MAX && !call.signal.aborted) continue
      stopReason = 'work'
      break
    }
  }
  const head =
    lines.length === 0
      ? `No matches under ${root}.`
      : `Found ${countOf(lines.length, 'line')} in ${countOf(matchedFiles.size, 'file')} under ${root}`
  const notes = [
    stopReason === 'shown' ? 'Results truncated. Narrow the path or the pattern.' : '',
    stopReason === 'work'
      ? `Stopped after about a second, in file ${visitedCount} of ${files.length} (${files[visitedCount - 1]?.fullPath}). Narrow the path, or simplify the pattern.`
      : '',
    ...skippedNotes(skipped),
    longLines === 0 ? '' : `Only the beginning of ${countOf(longLines, 'very long line')} was searched.`,
    omittedNote,
  ].filter(Boolean)
  return { content: [head, ...lines, ...notes].join('\n'), isError: false }
}

/** Returns the bytes of the file, or a message why the file cannot be searched, which it also counts in `skipped`. */
async function readSearchable(file: SearchableFile, skipped: SkippedCounts): Promise<Uint8Array | string> {
  const tooLargeMessage = `${file.fullPath} is larger than ${GREP_FILE_MAX_BYTES} bytes, so it was not searched. Read a range of its lines with read_file.`
  if ((file.bytes ?? 0) > GREP_FILE_MAX_BYTES) {
    skipped.large += 1
    return tooLargeMessage
  }
  // If the store fails, only this file is skipped.
  const bytes = await file.read().catch(() => null)
  if (!bytes?.ok) {
    skipped.unreadable += 1
    return bytes?.error ?? `${file.fullPath} cannot be read right now. Try once more.`
  }
  if (bytes.value.length > GREP_FILE_MAX_BYTES) {
    skipped.large += 1
    return tooLargeMessage
  }
  if (isBinary(bytes.value)) {
    skipped.binary += 1
    return `${file.fullPath} is not a text file. Call read_file to see what it is.`
  }
  return bytes.value
}

function skippedNotes({ binary, large, remote, unreadable }: SkippedCounts): readonly string[] {
  return [
    binary === 0 ? '' : `Not searched because not text: ${countOf(binary, 'file')}.`,
    large === 0
      ? ''
      : `Not searched because larger than ${GREP_FILE_MAX_BYTES} bytes: ${countOf(large, 'file')}.`,
    remote === 0
      ? ''
      : `Not searched: ${countOf(remote, 'large file or skill file', 'large files or skill files')}. Narrow the path.`,
    unreadable === 0 ? '' : `Not searched because currently unreadable: ${countOf(unreadable, 'file')}.`,
  ]
}
