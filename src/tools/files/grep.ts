// grep: finds lines that match a pattern. Limited in output and in work, whatever the pattern.

import * as z from 'zod'
import type { ToolCall, ToolResult } from '../../agent/tool.ts'
import { DATA_ROOT } from '../../files/path.ts'
import {
  GREP_FETCHED_MAX,
  GREP_FILE_MAX_BYTES,
  GREP_MAX_LINES,
  LISTING_MAX_CHARS,
  SEARCH_WORK_MAX,
} from './limits.ts'
import { builtin, errorResult } from '../record/builtin.ts'
import { isBinary } from './data-file.ts'
import { countOf } from './listing.ts'
import { matchingLines } from './matching-lines.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { findInTree } from './tree-location.ts'
import { BUSY_READING, whileReading } from '../../files/reading-queue.ts'
import { inTurn, searchPace } from './turns.ts'
import { walk, type Found, type Walk } from './walk.ts'

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
    'Searches text files line by line for a regular expression (RE2: no lookarounds, no back-references), or for a plain text with literal. Returns path:line: text.',
  input: z.strictObject({
    pattern: z.string().min(1).describe('What to find in a line.'),
    path: z.string().min(1).optional().describe(`A folder or a file; ${DATA_ROOT} by default.`),
    literal: z.boolean().optional().describe('The pattern is plain text.'),
    ignore_case: z.boolean().optional().describe('Ignore letter case.'),
  }),
  effect: 'read',
  async run({ skills, files }, { pattern: written, path = DATA_ROOT, literal, ignore_case }, call) {
    const pattern = compilePattern(written, { literal: literal === true, ignoreCase: ignore_case === true })
    if (!pattern.ok) return errorResult(`${pattern.error} ${literal === true ? '' : HINT}`.trim())
    const location = await findInTree(path, { skills, files })
    if (!location.ok) return errorResult(location.error)
    const walked = await walk(location.value, { skills, files }, path)
    if (!walked.ok) return errorResult(walked.error)
    // One file at a time is in memory, and larger ones are not read.
    const sizes = walked.value.files.map(({ bytes }) => bytes ?? 0)
    const held = Math.max(0, ...sizes.filter((bytes) => bytes <= GREP_FILE_MAX_BYTES))
    return inTurn(files, call, () =>
      whileReading(call, held, errorResult(BUSY_READING), () => search(walked.value, pattern.value, call)),
    )
  },
})

const HINT = 'To find this plain text, call again with literal: true.'

/** Reading and decoding a byte, in microseconds. */
const BYTE = 0.003

/** Counts the files that were not searched, by reason. */
interface Passed {
  binary: number
  large: number
  far: number
  lost: number
}

async function search({ root, files, left }: Walk, pattern: Pattern, call: ToolCall): Promise<ToolResult> {
  const pace = searchPace()
  const passed: Passed = { binary: 0, large: 0, far: 0, lost: 0 }
  const lines: string[] = []
  const within = new Set<string>()
  let chars = 0
  let fetched = 0
  let looked = 0
  let long = 0
  let stop: 'shown' | 'work' | null = null
  for (const file of files) {
    if (stop !== null || call.signal.aborted) break
    looked += 1
    if (file.far && fetched >= GREP_FETCHED_MAX) {
      passed.far += 1
      continue
    }
    if (file.far) fetched += 1
    const text = await textOf(file, passed)
    if (typeof text === 'string') {
      if (files.length === 1) return errorResult(text)
      continue
    }
    let cost = pattern.cost()
    const matches = matchingLines(text, pattern)
    let before = text.length * BYTE
    for (;;) {
      const match = matches.next()
      if (match.done === true) {
        long += match.value
        break
      }
      if (match.value) {
        const line = `${file.full}:${match.value.line}: ${match.value.text}`
        chars += line.length + 1
        if (lines.length >= GREP_MAX_LINES || chars > LISTING_MAX_CHARS) {
          stop = 'shown'
          break
        }
        lines.push(line)
        within.add(file.full)
        continue
      }
      const rest = pace.did(before + pattern.cost() - cost)
      before = 0
      cost = pattern.cost()
      if (rest) await rest
      if (pace.total() <= SEARCH_WORK_MAX && !call.signal.aborted) continue
      stop = 'work'
      break
    }
  }
  const head =
    lines.length === 0
      ? `No matches under ${root}.`
      : `Found ${countOf(lines.length, 'line')} in ${countOf(within.size, 'file')} under ${root}`
  const notes = [
    stop === 'shown' ? 'Results truncated: there are more. Narrow the path or the pattern.' : '',
    stop === 'work'
      ? `Stopped after about a second of work, in file ${looked} of ${files.length} (${files[looked - 1]?.full}). Narrow the path, or make the pattern simpler.`
      : '',
    ...remarks(passed),
    long === 0 ? '' : `Of ${countOf(long, 'very long line')} only the beginning was searched.`,
    left,
  ].filter(Boolean)
  return { content: [head, ...lines, ...notes].join('\n'), isError: false }
}

/** Its bytes, or why they cannot be searched. */
async function textOf(file: Found, passed: Passed): Promise<Uint8Array | string> {
  const large = `${file.full} is larger than ${GREP_FILE_MAX_BYTES} bytes. Read a range of its lines with read_file.`
  if ((file.bytes ?? 0) > GREP_FILE_MAX_BYTES) {
    passed.large += 1
    return large
  }
  // A failing store skips this file, not the search.
  const bytes = await file.read().catch(() => null)
  if (!bytes?.ok) {
    passed.lost += 1
    return bytes?.error ?? `${file.full} cannot be read right now. Try once more.`
  }
  if (bytes.value.length > GREP_FILE_MAX_BYTES) {
    passed.large += 1
    return large
  }
  if (isBinary(bytes.value)) {
    passed.binary += 1
    return `${file.full} is not text. read_file shows what it is.`
  }
  return bytes.value
}

function remarks({ binary, large, far, lost }: Passed): readonly string[] {
  return [
    binary === 0 ? '' : `${countOf(binary, 'file')} not searched: not text.`,
    large === 0 ? '' : `${countOf(large, 'file')} not searched: larger than ${GREP_FILE_MAX_BYTES} bytes.`,
    far === 0 ? '' : `${countOf(far, 'large file')} or files of skills not searched: name a narrower path.`,
    lost === 0 ? '' : `${countOf(lost, 'file')} not searched: cannot be read right now.`,
  ]
}
