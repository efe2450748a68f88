// Guards the small rules of the composer and the panel: what a key does, what a slash offers, which limits can be set,
// and how a file is shown.

import { describe, expect, it } from 'vitest'

import { Client } from '../../../src/client/client.ts'
import { messageKeyAction } from '../../../src/page/actions/message-keys.ts'
import { CELL_CHARS_MAX, TABLE_COLUMNS_MAX, TABLE_ROWS_MAX } from '../../../src/page/state/files/limits.ts'
import { PREVIEW_MAX_BYTES } from '../../../src/page/lib/limits.ts'
import { createModels, parseLimit } from '../../../src/page/state/composer/models.ts'
import { previewKind, readText } from '../../../src/page/state/files/preview.ts'
import { hintFor, matchCommands } from '../../../src/page/state/composer/slash.ts'
import { parseTable } from '../../../src/page/state/files/table.ts'
import { contextPercent } from '../../../src/page/state/composer/usage.ts'
import { fakePage, threadInfo } from './ports.ts'

describe('a key', () => {
  const none = {
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    isComposing: false,
    keyCode: 13,
  }
  const desk = { isTouch: false, isEmpty: false }
  it.each([
    [{ key: 'Enter' }, desk, 'send'],
    [{ key: 'Enter' }, { ...desk, isTouch: true }, null],
    [{ key: 'Enter', shiftKey: true }, desk, null],
    [{ key: 'Enter', ctrlKey: true }, { ...desk, isTouch: true }, 'send'],
    [{ key: 'Enter', metaKey: true }, desk, 'steer'],
    [{ key: 'Enter', isComposing: true }, desk, null],
    // Safari ends a composition before the key that ended it.
    [{ key: 'Enter', keyCode: 229 }, desk, null],
    [{ key: 'Escape', isComposing: true }, desk, null],
    [{ key: 'Escape' }, desk, 'stop'],
    [{ key: 'ArrowUp' }, desk, null],
    [{ key: 'ArrowUp' }, { ...desk, isEmpty: true }, 'edit'],
    [{ key: 'ArrowUp', shiftKey: true }, { ...desk, isEmpty: true }, null],
    [{ key: 'a' }, { ...desk, isEmpty: true }, null],
  ] as const)('%j %j: %s', (pressed, where, meaning) => {
    expect(messageKeyAction({ ...none, ...pressed }, where)).toBe(meaning)
  })
})

describe('a slash', () => {
  const command = (name: string, user_invocable = true, argument_hint: string | null = null) => ({
    name,
    description: `Use for ${name}.`,
    card: null,
    user_invocable,
    argument_hint,
  })
  const COMMANDS = [
    ...['api-design', 'code-review', 'review', 'release-notes'].map((name) => command(name)),
    command('review-machines', false),
    command('révision'),
    command('translate', true, '[language]'),
  ]
  it.each<[string, string, readonly string[]]>([
    ['/', '/', ['api-design', 'code-review', 'review', 'release-notes', 'translate']],
    ['/re', '/', ['review', 'release-notes', 'code-review']],
    ['/review', '/', ['review', 'code-review']],
    ['/review /re', '/review /', ['release-notes', 'code-review']],
    ['/review\n/', '/review\n/', ['api-design', 'code-review', 'release-notes', 'translate']],
    ['/none', '/', []],
    ['/review ', '', []],
    ['/review it /re', '', []],
    [' /re', '', []],
    ['/etc/ho', '', []],
    ['a /re', '', []],
    ['', '', []],
  ])('%j offers', (before, head, names) => {
    const { matches: found, ...rest } = matchCommands(before, COMMANDS)
    expect(rest).toEqual({ head })
    expect(found.map(({ name }) => name)).toEqual(names)
  })

  it('offers a list of at most eight', () => {
    const many = Array.from({ length: 100 }, (_, at) => command(`s${at}`))
    expect(matchCommands('/s', many).matches).toHaveLength(8)
  })

  it('shows the arguments of the last name until some are written', () => {
    expect(hintFor('/translate ', COMMANDS)).toBe('[language]')
    expect(hintFor('/review /translate ', COMMANDS)).toBe('[language]')
    expect(hintFor('/translate', COMMANDS)).toBe(null)
    expect(hintFor('/translate to', COMMANDS)).toBe(null)
    expect(hintFor('/review ', COMMANDS)).toBe(null)
  })
})

describe('the menu', () => {
  it.each([
    ['', 'usd', null],
    ['0', 'usd', null],
    ['-3', 'steps', null],
    ['many', 'usd', null],
    ['0,5', 'usd', 0.5],
    ['1e9', 'usd', 100],
    ['7.6', 'steps', 8],
    ['0.2', 'steps', 1],
    ['999', 'steps', 200],
  ] as const)('%j of %s is %s', (typed, kind, value) => {
    expect(parseLimit(typed, kind)).toBe(value)
  })

  it('sends the selection: a model only for a new thread, and only an available one', async () => {
    const data = [
      { id: 'demo', default: true, efforts: ['low', 'max'] },
      { id: 'plain', default: false, efforts: [] },
    ]
    const { ports, client } = fakePage({ 'GET /v1/models': () => Response.json({ data, next_cursor: null }) })
    const models = createModels(ports, client)
    models.open(null)
    expect(models.options(true, null)).toEqual({})
    models.choose({ model: 'demo', effort: 'low', usd: 3 })
    expect(models.options(true, null)).toEqual({ effort: 'low', budget: { usd: 3 } })
    await models.read()
    expect(models.options(true, null)).toEqual({ model: 'demo', effort: 'low', budget: { usd: 3 } })
    expect(models.options(false, null)).toEqual({ effort: 'low', budget: { usd: 3 } })
    // An effort goes only to a model that accepts it.
    expect(models.options(false, 'plain')).toEqual({ budget: { usd: 3 } })
    expect(models.options(false, 'demo')).toEqual({ effort: 'low', budget: { usd: 3 } })
    models.choose({ model: 'plain' })
    expect(models.options(true, null)).toEqual({ model: 'plain', budget: { usd: 3 } })
    models.choose({ model: 'demo' })
    models.choose({ plan: true })
    expect(models.options(true, null)).toMatchObject({ plan: true })
    expect(models.options(false, 'demo')).not.toHaveProperty('plan')
    // Another model continues a thread once, unless the message is refused.
    models.continueWith('plain')
    expect(models.take(false, 'demo')).toEqual({ model: 'plain', rebase: true, budget: { usd: 3 } })
    expect(models.options(false, 'demo')).not.toHaveProperty('rebase')
    models.giveBack()
    expect(models.options(false, 'demo')).toHaveProperty('rebase', true)
    expect(models.options(false, 'plain')).not.toHaveProperty('rebase')
    models.open('th_3')
    expect(models.options(false, 'demo')).not.toHaveProperty('rebase')
    models.open(null)
    // The thread has it for itself from then on.
    models.assignThread('th_1')
    models.choose({ effort: 'max' })
    models.open(null)
    expect(models.choice.value.effort).toBe('low')
    models.open('th_1')
    expect(models.choice.value.effort).toBe('max')
    ports.browser.set('satchel.choice.th_2', '{"effort":"<b>","usd":-1,"model":7}')
    models.open('th_2')
    expect(models.options(true, null)).toEqual({})
  })

  it('shows how full the window is if both are known', () => {
    expect(contextPercent(threadInfo('t', { context_tokens: 50 }), 200)).toBe(25)
    expect(contextPercent(threadInfo('t', { context_tokens: 500 }), 200)).toBe(100)
    expect(contextPercent(threadInfo('t'), 200)).toBe(null)
    expect(contextPercent(threadInfo('t', { context_tokens: 50 }), null)).toBe(null)
    expect(contextPercent(null, 200)).toBe(null)
  })
})

describe('a file', () => {
  it.each([
    ['a/chart.SVG', 'picture'],
    ['rows.csv', 'table'],
    ['notes.md', 'prose'],
    ['page.html', 'page'],
    ['Dockerfile', 'text'],
    ['report.pdf', null],
    ['constructor', null],
  ])('%s is shown as %s', (path, kind) => {
    expect(previewKind(path)).toBe(kind)
  })

  it('is read as far as it is shown, and only if its bytes are text', async () => {
    const bodies: Record<string, BodyInit> = {
      'long.txt': 'ä'.repeat(PREVIEW_MAX_BYTES),
      'odd.txt': 'a\0b',
      'short.txt': 'all',
    }
    const { ports } = fakePage({})
    const fetch = async (url: string): Promise<Response> => new Response(bodies[url.split('/').at(-1) ?? ''])
    const client = new Client({ url: 'http://page.test', key: 'k', fetch, wait: ports.wait })
    const read = async (path: string) => readText(client, 'th_1', path)
    expect(await read('short.txt')).toEqual({ ok: true, value: { text: 'all', isCut: false } })
    expect(await read('odd.txt')).toEqual({ ok: true, value: null })
    const long = await read('long.txt')
    expect(long.ok && long.value?.isCut).toBe(true)
    expect(long.ok && long.value?.text).toBe('ä'.repeat(PREVIEW_MAX_BYTES / 2))
  })

  it('with separated values has a head, padded rows, numeric columns, and limits', async () => {
    const small = await parseTable('\ufeffname;price\n"A; B";1,50\nC;\n', false)
    expect(small).toEqual({
      head: ['name', 'price'],
      rows: [
        ['A; B', '1,50'],
        ['C', ''],
      ],
      isNumeric: [false, true],
      rowCount: 2,
      columnCount: 2,
    })
    const tall = await parseTable(`a\n${'1\n'.repeat(5_000)}`, false)
    expect([tall.rows.length, tall.rowCount]).toEqual([TABLE_ROWS_MAX, 5_000])
    const wide = await parseTable(`${'x,'.repeat(500)}x\n`.repeat(2_000), false)
    expect([wide.head.length, wide.columnCount]).toEqual([TABLE_COLUMNS_MAX, 501])
    expect(wide.rows.length).toBeLessThan(TABLE_ROWS_MAX)
    expect((await parseTable(`${'x'.repeat(9_000)}\ny\n`, false)).head[0]?.length).toBe(CELL_CHARS_MAX + 1)
    // Cut in the middle of a row.
    expect((await parseTable('a,b\n1,2\n3', true)).rows).toEqual([['1', '2']])
    expect(await parseTable('', false)).toMatchObject({ head: [], rows: [], rowCount: 0 })
  })
})
