// Benchmark of searching a thread's files: a thousand files of 100 KB, uploaded over HTTP, and one grep or glob call
// per message.

import { mapBounded } from '../../lib/pool.ts'
import { amount, under, type FigureLine, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { callTool, newThread, adminRequest } from '../rig/requests.ts'
import { figures } from '../rig/stats.ts'
import { withSatchel } from '../rig/worker.ts'

const FILE_COUNT = 1_000
const FILE_BYTES = 100_000
const ROUNDS = 3
const UPLOAD_CONCURRENCY = 8
const GOAL_MS = 1_000

/** Different kinds of search: literal text, automaton states, and known hostile patterns. */
const CALLS: readonly (readonly [what: string, tool: string, input: object])[] = [
  ['grep, a text', 'grep', { pattern: 'needle (in)', literal: true }],
  ['grep, a text in any case', 'grep', { pattern: 'Needle In', ignore_case: true }],
  ['grep, an expression with a word in it', 'grep', { pattern: '\\bTODO\\b.*\\d{4}' }],
  ['grep, an expression without one', 'grep', { pattern: '[A-Z]{3,}-\\d+' }],
  ['grep, an expression in any case', 'grep', { pattern: 'fatal.*time', ignore_case: true }],
  ['grep, nested repetition', 'grep', { pattern: '(a+)+[XY]' }],
  ['grep, alternatives that overlap', 'grep', { pattern: '(a|b|ab)*[XY]' }],
  ['grep, many at once', 'grep', { pattern: '(.*)(.*)(.*)(.*)[XY]' }],
  ['grep, states without end', 'grep', { pattern: '(?:o[a-z ]{1,30}){1,15}[XY]' }],
  ['grep, states without end and large', 'grep', { pattern: '[^X]{480}[^Y]{480}[XY]' }],
  ['glob, all', 'glob', { pattern: '**' }],
  ['glob, hostile', 'glob', { pattern: '*{*,**}*?'.repeat(30) }],
]

const VOCABULARY =
  'the quick brown fox jumps over a lazy dog error warning value return function const import 12345 foo_bar user@example.com 2024-05-01 (x) {y}'.split(
    ' ',
  )

/** Generates prose that is different for each number. */
function textOf(number: number): string {
  let state = number + 1
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return (state >>> 8) % below
  }
  let text = ''
  while (text.length < FILE_BYTES)
    text += `${VOCABULARY[next(VOCABULARY.length)]}${next(12) === 0 ? '\n' : ' '}`
  return text.slice(0, FILE_BYTES)
}

async function uploadFiles(url: string): Promise<string> {
  const thread = await newThread(url)
  await mapBounded([...Array(FILE_COUNT).keys()], UPLOAD_CONCURRENCY, async (index) => {
    const path = `workspace/part-${index % 20}/file-${index}.txt`
    const response = await adminRequest(url, `PUT /v1/threads/${thread}/files/${path}`, textOf(index))
    await response.arrayBuffer()
  })
  return thread
}

function slowestOf(tool: string, medians: Readonly<Record<string, number>>): FigureLine {
  const entries = Object.entries(medians).filter(([what]) => what.startsWith(`${tool}, `))
  const slowest = Math.max(...entries.map(([, median]) => median))
  const name = `${tool}, slowest of ${entries.length} patterns over ${amount(FILE_COUNT)} files of 100 KB`
  return under(name, `${slowest} ms`, slowest, GOAL_MS, 'ms')
}

/** Measures the median of several rounds of each call. */
export async function measureGrep(tell: ReportProgress): Promise<PartResult> {
  return withSatchel(async ({ url }) => {
    tell(`grep: sending ${FILE_COUNT} files of ${FILE_BYTES} bytes`)
    const thread = await uploadFiles(url)
    const medians: Record<string, number> = {}
    for (const [what, tool, input] of CALLS) {
      const rounds: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const [call] = await callTool(url, thread, tool, input)
        if (call?.is_error !== false) throw new Error(`${tool} failed: ${call?.preview}`)
        rounds.push(call.duration_ms)
      }
      const { median } = figures(rounds)
      medians[what] = median
    }
    return { lines: ['grep', 'glob'].map((tool) => slowestOf(tool, medians)), figures: medians }
  })
}
