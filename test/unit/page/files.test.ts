// Guards files on the page: each has its kind and its message, and only pictures are shown as pictures.

import { describe, expect, it } from 'vitest'

import type { EventBody } from '../../../src/agent/events.ts'
import { hrefOf } from '../../../src/files/path.ts'
import { FILE_MAX_BYTES } from '../../../src/limits/settings.ts'
import type { FileInfo } from '../../../src/thread/api.ts'
import { formatPrice, formatSize, formatTokens } from '../../../src/page/lib/format.ts'
import { pathsOf } from '../../../src/page/lib/fields.ts'
import {
  isShownInText,
  kindOf,
  nameOf,
  threadPath,
  pictureType,
  uploadsByRun,
} from '../../../src/page/run/files.ts'
import { runFromHistory } from '../../../src/page/run/history.ts'
import { applyEvent, newRun } from '../../../src/page/run/state.ts'
import { frame, message, RECEIPT, RUN } from './frames.ts'

function file(path: string, at: string, origin: FileInfo['origin'] = 'upload'): FileInfo {
  const updated_at = `2026-01-02T03:04:${at}Z`
  const href = hrefOf('th_1', path)
  return {
    path,
    bytes: 12,
    sha256: 'ab',
    media_type: 'text/csv',
    origin,
    created_at: updated_at,
    updated_at,
    href,
  }
}

const presented = (path: string, title = ''): EventBody => ({
  type: 'artifact.presented',
  path: `/mnt/user-data/${path}`,
  title,
  media_type: 'text/html',
  href: hrefOf('th_1', path),
})

function read(...bodies: readonly EventBody[]) {
  return bodies.map((body, at) => frame(at + 1, body)).reduce(applyEvent, newRun(RUN))
}

describe('a name', () => {
  it('alone decides whether a file is a picture, and of which kind', () => {
    for (const [name, type] of [
      ['outputs/a.png', 'image/png'],
      ['a.JPG', 'image/jpeg'],
      ['a.svg', 'image/svg+xml'],
      ['a.png.html', null],
      ['a.svgz', null],
      ['png', null],
      ['.png', null],
      ['png/readme', null],
      ['a.', null],
    ] as const)
      expect(pictureType(name), name).toBe(type)
    expect(['a.png', 'a.csv', 'Makefile', '.env', 'a.tar.gz'].map(kindOf)).toEqual([
      'PNG picture',
      'CSV file',
      'File',
      'File',
      'GZ file',
    ])
    expect(nameOf('outputs/charts/a b.png')).toBe('a b.png')
  })

  it('refers to a file of the thread or to none', () => {
    expect(threadPath('/mnt/user-data//outputs/./a.csv')).toBe('outputs/a.csv')
    for (const other of ['/mnt/user-data/', '/mnt/skills/public/a', 'outputs/a.csv', ''])
      expect(threadPath(other)).toBe(null)
  })
})

it('prices and token counts are short', () => {
  expect([0, 5, 0.1, 12.5].map(formatPrice)).toEqual(['$0', '$5', '$0.10', '$12.50'])
  expect([500, 1_000, 8_192, 200_000, 999_499, 999_500, 1_048_576].map(formatTokens)).toEqual([
    '500',
    '1K',
    '8.2K',
    '200K',
    '999K',
    '1M',
    '1M',
  ])
})

it('formats sizes for people', () => {
  expect([0, 1, 1023, 1024, 10_240, 1_048_000, 1_048_576, FILE_MAX_BYTES].map(formatSize)).toEqual([
    '0 bytes',
    '1 byte',
    '1023 bytes',
    '1.0 KB',
    '10 KB',
    '1023 KB',
    '1.0 MB',
    '32.0 MB',
  ])
})

it('labels a call by the paths in its input, whatever the input is', () => {
  expect(pathsOf({ path: '/a', content: 'x' })).toEqual(['/a'])
  expect(pathsOf({ paths: ['/a', 1, null, '/b'] })).toEqual(['/a', '/b'])
  for (const odd of [null, undefined, 'text', 7, [], { path: 1, paths: 'x' }])
    expect(pathsOf(odd)).toEqual([])
})

describe('the presented files of an answer', () => {
  it('have the size that was written, once for each path', () => {
    const written: EventBody = { type: 'file.written', path: '/mnt/user-data/outputs/a.html', bytes: 7 }
    const state = read(written, presented('outputs/a.html'), presented('outputs/b c.png', 'The chart'))
    expect(state.artifacts).toEqual([
      {
        path: 'outputs/a.html',
        seq: 2,
        title: 'a.html',
        href: '/v1/threads/th_1/files/outputs/a.html',
        bytes: 7,
      },
      {
        path: 'outputs/b c.png',
        seq: 3,
        title: 'The chart',
        href: '/v1/threads/th_1/files/outputs/b%20c.png',
        bytes: null,
      },
    ])
    const again = applyEvent(state, frame(4, presented('outputs/a.html')))
    expect(again.artifacts.map(({ path }) => path)).toEqual(['outputs/b c.png', 'outputs/a.html'])
    expect(state.items).toEqual([])
  })

  it('are dropped with frames that a crash lost', () => {
    const state = read(presented('outputs/a.html'), presented('outputs/b.html'))
    const lost = frame(9, { type: 'step.restarted', step: 1, reason: 'crash' }, 2)
    expect(applyEvent(state, lost).artifacts.map(({ path }) => path)).toEqual(['outputs/a.html'])
  })

  it('are restored from the transcript, except those of failed calls', () => {
    const paths = ['/mnt/user-data/outputs/a #1.png', '/mnt/skills/public/x', '/mnt/user-data/outputs/b.csv']
    const stored = [
      message('m_1', 'assistant', [
        { type: 'tool_use', id: 't_1', name: 'present_files', input: { paths } },
        {
          type: 'tool_use',
          id: 't_2',
          name: 'present_files',
          input: { paths: ['/mnt/user-data/outputs/c'] },
        },
        { type: 'tool_use', id: 't_3', name: 'read_file', input: { path: paths[0] } },
      ]),
      message('m_2', 'user', [
        { type: 'tool_result', tool_use_id: 't_1', content: 'ok', is_error: false },
        { type: 'tool_result', tool_use_id: 't_2', content: 'There is no such file.', is_error: true },
        { type: 'tool_result', tool_use_id: 't_3', content: 'text', is_error: false },
      ]),
    ]
    const files = [file('outputs/a #1.png', '01', 'tool')]
    const { artifacts } = runFromHistory(RUN, stored, RECEIPT, { id: 'th_1', files })
    expect(artifacts.map(({ path, href, bytes }) => [path, href, bytes])).toEqual([
      ['outputs/a #1.png', hrefOf('th_1', 'outputs/a #1.png'), 12],
      ['outputs/b.csv', hrefOf('th_1', 'outputs/b.csv'), null],
    ])
  })
})

it('an upload belongs to the first message that began after it; the last ones belong to the next', () => {
  const runs = [
    { run_id: 'r_2', started_at: '2026-01-02T03:04:20.000Z' },
    { run_id: 'r_1', started_at: '2026-01-02T03:04:10.000Z' },
    { run_id: 'r_3', started_at: null },
  ]
  const files = [
    file('uploads/a', '09.500'),
    file('uploads/b', '10.000'),
    file('uploads/c', '10.001'),
    file('uploads/d', '21.000'),
    file('outputs/e', '05.000', 'tool'),
  ]
  const { byRun: groupByRun, waitingFiles: waiting } = uploadsByRun(files, runs)
  expect([...groupByRun].map(([run, own]) => [run, own.map(({ path }) => path)])).toEqual([
    ['r_1', ['uploads/a', 'uploads/b']],
    ['r_2', ['uploads/c']],
  ])
  expect(waiting.map(({ path }) => path)).toEqual(['uploads/d'])
})

it('a picture that the answer shows is not shown again', () => {
  const text =
    '![Sales](/mnt/user-data/outputs/my%20sales.png) and ![Map](/mnt/user-data/outputs/map.svg "Map")'
  const { items } = read({ type: 'text.delta', step: 1, block: 0, offset: 0, text })
  const paths = ['outputs/my sales.png', 'outputs/map.svg', 'outputs/map.sv', 'outputs/other.png']
  expect(paths.map((path) => isShownInText(path, items))).toEqual([true, true, false, false])
  // Half a character, which no URL can contain.
  expect(isShownInText('outputs/\ud800.png', items)).toBe(false)
})
