// What the soak's model does with files when a message requests it, and the expected files. Pure: the same key gives
// the same calls and contents, so that a repeated call changes nothing.

import { newestRequest } from './requested-story.ts'

import type { Reply } from '../../../test/fakes/messages-wire.ts'

const FILES_MESSAGE = /^FILES: message (\S+)$/
const ROOT = '/mnt/user-data'
const LINES = 1_500

/** A user message that makes its run write files. */
export function filesMessage(key: string): string {
  return `FILES: message ${key}`
}

interface FilePath {
  /** Relative to the root of the thread's files. */
  readonly path: string
  /** The possible contents during the run, in order. The last one is the content after the run has completed. */
  readonly states: readonly string[]
}

/** In one story the second file is stored in a row, in the other in R2. */
export function storyFiles(key: string): readonly FilePath[] {
  return [
    { path: `outputs/${key}.md`, states: [`# ${key}\n`, `# ${key}\ndone\n`] },
    {
      path: `workspace/${key}.txt`,
      states: ['x\n'.repeat(LINES), `${'y'.repeat(100)}\n`.repeat(LINES)],
    },
  ]
}

/** The text of an upload that is too long for a row. */
export function uploadText(key: string, bytes: number): string {
  return `${key} `.repeat(Math.ceil(bytes / (key.length + 1)))
}

type Call = readonly [name: string, input: object]

function callsOf(key: string, round: number): readonly Call[] {
  const [note, data] = storyFiles(key).map(({ path }) => `${ROOT}/${path}`)
  switch (round) {
    case 0:
      return [
        ['write_file', { path: note, content: `# ${key}\n` }],
        ['write_file', { path: data, content: 'x\n'.repeat(LINES) }],
      ]
    case 1:
      return [
        ['str_replace', { path: data, old: 'x', new: 'y'.repeat(100), replace_all: true }],
        ['write_file', { path: note, content: 'done\n', append: true }],
      ]
    case 2:
      return [['present_files', { paths: [note] }]]
    default:
      return []
  }
}

/** Null if the newest message requests no files. */
export function fileReply(raw: string): Reply | null {
  const request = newestRequest(raw, FILES_MESSAGE)
  const key = request?.match[1]
  if (!request || key === undefined) return null
  const { round, turn, mayCall } = request
  const calls = mayCall ? callsOf(key, round) : []
  const text = { type: 'text', text: calls.length > 0 ? `Round ${round + 1}.` : `All of ${key} is done.` }
  const uses = calls.map(([name, input], ord) => ({
    type: 'tool_use',
    id: `toolu_files_${turn}_${ord}`,
    name,
    input,
  }))
  return { content: [text, ...uses], deltaChars: 600, firstDelayMs: 20, delayMs: 4 }
}
