// Guards code highlighting: it depends on the code alone and reaches its last letter; a highlighter that takes too long
// is stopped, and its code stays plain.

import { describe, expect, it } from 'vitest'

import type { CodeJob } from '../../../src/page/markdown/highlight.worker.ts'
import { languageOf } from '../../../src/page/markdown/languages.ts'
import { highlightCode, type ColouredText } from '../../../src/page/markdown/paint.ts'
import { createWorkerQueue, type WorkerResult } from '../../../src/page/markdown/worker-queue.ts'

const CODE = 'const a: number = 1 // <b>one</b>\nlog(`x ${a} & y`)\n'

describe('code', () => {
  it.each([
    'bash',
    'c',
    'cpp',
    'csharp',
    'css',
    'diff',
    'dockerfile',
    'go',
    'html',
    'ini',
    'java',
    'js',
    'json',
    'kt',
    'md',
    'php',
    'py',
    'rb',
    'rs',
    'sql',
    'swift',
    'ts',
    'yml',
  ])('in %s keeps its whole text', (name) => {
    const { grammar } = languageOf(name)
    if (grammar === null) throw new Error(`${name} has no grammar`)
    for (const code of [CODE, '', '<!-- \u202e -->\r\n\t"', 'x'.repeat(1_000)])
      expect(
        highlightCode(code, grammar)
          .map(([text]) => text)
          .join(''),
      ).toBe(code)
  })

  it('is coloured by its tokens', () => {
    const of = (word: string) => highlightCode(CODE, 'typescript').find(([text]) => text.includes(word))?.[1]
    expect(['const', '1', '<b>', 'log', '`x ', ' = '].map(of)).toEqual([
      'keyword',
      'number',
      'comment',
      'function',
      'string',
      null,
    ])
    expect(highlightCode('-a\n+b\n', 'diff').map(([, colour]) => colour)).toEqual(['removed', 'added'])
  })

  it('has its display name, whatever follows it in the fence', () => {
    expect(['ts title="a"', 'C++', 'html', 'brainfuck', '', 'TOML', '{.py}'].map(languageOf)).toEqual([
      { grammar: 'typescript', displayName: 'TypeScript' },
      { grammar: 'cpp', displayName: 'C++' },
      { grammar: 'xml', displayName: 'HTML' },
      { grammar: null, displayName: 'brainfuck' },
      { grammar: null, displayName: '' },
      { grammar: 'ini', displayName: 'TOML' },
      { grammar: null, displayName: '' },
    ])
  })
})

/** Workers that answer on demand, and a clock that the test advances. */
function scripted() {
  const lines: {
    readonly posted: number[]
    ended: boolean
    answer(answer: WorkerResult<readonly ColouredText[]>): void
    fault(): void
  }[] = []
  const timers = new Set<{ readonly run: () => void; readonly ms: number }>()
  const queue = createWorkerQueue<CodeJob, readonly ColouredText[]>({
    startWorker: (onMessage, onError) => {
      const line = { posted: new Array<number>(), ended: false, answer: onMessage, fault: onError }
      lines.push(line)
      return { post: ({ id }) => void line.posted.push(id), terminate: () => void (line.ended = true) }
    },
    schedule: (run, ms) => {
      const timer = { run, ms }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    startTimeoutMs: 1_000,
    jobTimeoutMs: 300,
  })
  const pass = (ms: number): void => {
    for (const timer of timers)
      if (timer.ms <= ms) {
        timers.delete(timer)
        timer.run()
      }
  }
  return { highlight: async (code: string, grammar: 'go') => queue({ code, grammar }), lines, pass, timers }
}
const RUNS: readonly ColouredText[] = [['a', 'keyword']]

describe('the highlighter', () => {
  it('gives the Worker one job after another, once it has started', async () => {
    const { highlight, lines, timers } = scripted()
    const both = Promise.all([highlight('a', 'go'), highlight('b', 'go')])
    expect(lines[0]?.posted).toEqual([])
    lines[0]?.answer({ id: 0, output: null })
    expect(lines[0]?.posted).toEqual([1])
    lines[0]?.answer({ id: 1, output: RUNS })
    lines[0]?.answer({ id: 2, output: null })
    expect(await both).toEqual([RUNS, null])
    expect([lines.length, timers.size]).toEqual([1, 0])
  })

  it('ends a Worker that takes too long, leaves that code plain and continues with another', async () => {
    const { highlight, lines, pass } = scripted()
    const both = Promise.all([highlight('slow', 'go'), highlight('b', 'go')])
    lines[0]?.answer({ id: 0, output: null })
    pass(300)
    expect(lines.map(({ ended }) => ended)).toEqual([true, false])
    lines[0]?.answer({ id: 1, output: RUNS })
    lines[1]?.answer({ id: 0, output: null })
    lines[1]?.answer({ id: 2, output: RUNS })
    expect(await both).toEqual([null, RUNS])
  })

  it('leaves code plain if its Worker never starts', async () => {
    const { highlight, lines, pass } = scripted()
    const both = Promise.all([highlight('a', 'go'), highlight('b', 'go')])
    pass(1_000)
    expect(await both).toEqual([null, null])
    const third = highlight('c', 'go')
    lines[1]?.fault()
    expect(await third).toBeNull()
  })

  it('leaves code plain if the browser has no Workers', async () => {
    const queue = createWorkerQueue<CodeJob, readonly ColouredText[]>({
      startWorker: () => {
        throw new Error('no')
      },
      schedule: () => () => undefined,
      startTimeoutMs: 1,
      jobTimeoutMs: 1,
    })
    expect(await queue({ code: 'a', grammar: 'go' })).toBeNull()
  })
})
