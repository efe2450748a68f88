// Guards the search of threads: by words of titles and messages, whatever is typed. Each owner finds only their own
// threads, and a deleted thread is no longer found.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { THREAD_SEARCH_MAX_CHARS } from '../../src/api/routes/limits.ts'
import type { FoundThread, Page } from '../../src/thread/api.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import {
  ADMIN_KEY,
  chat,
  finished,
  got,
  makeKey,
  modelReplies,
  refused,
  send,
  serveSkills,
} from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

let ann = ''
let ben = ''

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }])
  ann = (await makeKey('chat', 'ann')).key
  ben = (await makeKey('chat', 'ben')).key
})

beforeEach(() => modelReplies())

async function find(q: string, key = ann, more = ''): Promise<Page<FoundThread>> {
  return got<Page<FoundThread>>(send(`GET /v1/threads?q=${encodeURIComponent(q)}${more}`, { key }))
}

async function found(q: string, key = ann): Promise<readonly string[]> {
  return (await find(q, key)).data.map(({ id }) => id)
}

async function textsOf(thread: string): Promise<number> {
  const stub = env.WORKSPACES.getByName('default') as DurableObjectStub<Workspace>
  return runInDurableObject(stub, (_, { storage }) =>
    Number(storage.sql.exec('SELECT count(*) AS n FROM texts WHERE thread = ?', thread).one()['n']),
  )
}

describe('a search', () => {
  it('finds questions, answers and titles, with the place in the text', async () => {
    modelReplies(() => ({ text: 'The cause was a wrong Kubernetes manifest, and nothing else.' }))
    const { thread } = await finished(ann, 'Why did the zeppelin deployment break?')
    await got(send(`PATCH /v1/threads/${thread}`, { key: ann, body: { title: 'Xylophone' } }))
    await eventually(async () => (await found('xylophone')).length === 1)
    const [requested] = (await find('zeppelin')).data
    expect(requested).toMatchObject({ id: thread, title: 'Xylophone' })
    expect(requested?.match).toEqual({ before: 'Why did the ', hit: 'zeppelin', after: ' deployment break?' })
    expect((await find('kubernetes manifest')).data[0]?.match).toEqual({
      before: 'The cause was a wrong ',
      hit: 'Kubernetes',
      after: ' manifest, and nothing else.',
    })
    expect((await find('xylophone')).data[0]?.match).toBeNull()
    // The old title is gone, and it is in no message.
    await got(send(`PATCH /v1/threads/${thread}`, { key: ann, body: { title: 'Vibraphone' } }))
    await eventually(async () => (await found('vibraphone')).length === 1)
    expect(await found('xylophone')).toEqual([])
  })

  it('matches the last word as a prefix, and earlier ones whole', async () => {
    const { thread } = await finished(ann, 'Quarterly earnings of the lighthouse')
    expect(await found('quarterly light')).toEqual([thread])
    expect((await find('quarterly light')).data[0]?.match?.hit).toBe('Quarterly')
    expect((await find('lightho')).data[0]?.match).toEqual({
      before: 'Quarterly earnings of the ',
      hit: 'lightho',
      after: 'use',
    })
    expect(await found('quarter lighthouse')).toEqual([])
    expect(await found('quarterly submarine')).toEqual([])
  })

  it('ignores case and accents, and finds characters of languages written without spaces', async () => {
    const { thread } = await finished(ann, 'Über die Straße nach Málaga, dann 明天的天气预报怎么样')
    for (const q of ['uber', 'ÜBER', 'u\u0308ber', 'malaga', 'Mala', '天气', '天气预报', '怎么'])
      expect([q, await found(q)]).toEqual([q, [thread]])
    expect((await find('malaga')).data[0]?.match?.hit).toBe('Málaga')
    expect((await find('天气')).data[0]?.match).toMatchObject({ hit: '天气', after: '预报怎么样' })
    expect(await found('气天')).toEqual([])
  })

  it('treats any text as words, never as query syntax', async () => {
    const eve = (await makeKey('chat', 'eve')).key
    const { thread } = await finished(eve, 'say "hi" AND NOT near(ocelot) owner:x text:* col-umn')
    for (const q of [
      '"hi" AND NOT near(ocelot)',
      'NOT ocelot',
      'AND',
      'owner:x',
      'col-umn',
      '"',
      '""',
      "'; DROP TABLE words; --ocelot",
      'ocelot*',
      'ocelot^2 OR {',
      '-ocelot',
      'near(ocelot, 2)',
      '(((',
      '*',
      '\u0000ocelot',
      '😀',
      '𐴀',
      '\u0301',
      'ocelot 𐴀',
      '%',
      '٣',
    ]) {
      const { data } = await find(q, eve)
      for (const one of data) expect([q, one.id]).toEqual([q, thread])
    }
    expect(await found('NOT ocelot', eve)).toEqual([thread])
    expect(await found('col-umn', eve)).toEqual([thread])
    expect(await found('ocelot) OR (text : "hi"', eve)).toEqual([])
    expect(await found('owner:o757365723a616e6e', eve)).toEqual([])
    expect(await found('(((', eve)).toEqual([])
  })

  it("shows each owner their own threads, and an admin everybody's", async () => {
    const mine = await finished(ann, 'The armadillo of ann')
    const theirs = await finished(ben, 'The armadillo of ben')
    expect(await found('armadillo')).toEqual([mine.thread])
    expect(await found('armadillo', ben)).toEqual([theirs.thread])
    expect(await found('armadillo', ADMIN_KEY)).toEqual([theirs.thread, mine.thread])
    expect(await found('armadillo', (await makeKey('chat')).key)).toEqual([])
  })

  it('finds no word after the first 4 KB of a message, and splits no character', async () => {
    const { thread } = await finished(ann, `${'ü'.repeat(2_040)} pangolin ${'x '.repeat(50)} wolverine`)
    expect(await found('pangolin')).toEqual([thread])
    expect(await found('wolverine')).toEqual([])
  })

  it("finds nothing in tool results, nor in Satchel's texts for the model", async () => {
    const answers = ['Looking for the narwhal.', 'Done.']
    modelReplies(() => ({
      text: answers.shift() ?? '',
      calls: answers.length === 1 ? [{ name: 'load_skill', input: { name: 'alpha' } }] : [],
    }))
    const { thread } = await finished(ann, 'Please look')
    expect(await found('narwhal')).toEqual([thread])
    expect(await found('Body of alpha')).toEqual([])
  })

  it('comes in pages, newest first, each thread once', async () => {
    const key = (await makeKey('chat', 'dora')).key
    const made: string[] = []
    for (let at = 0; at < 5; at++) {
      const { thread } = await finished(key, `Capybara number ${at}`)
      await chat({ message: 'And the capybara again', thread_id: thread }, { key })
      made.unshift(thread)
    }
    await eventually(async () => (await find('again capybara', key)).data.length === 5)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page<FoundThread> = await find(
        'capybara',
        key,
        `&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      seen.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor
    }
    expect(seen).toEqual(made)
  })

  it('does not find a deleted thread, and keeps none of its words', async () => {
    const { thread } = await finished(ann, 'The secret of the okapi')
    expect(await found('okapi')).toEqual([thread])
    expect((await send(`DELETE /v1/threads/${thread}`, { key: ann })).status).toBe(204)
    expect(await found('okapi')).toEqual([])
    const stub = env.WORKSPACES.getByName('default') as DurableObjectStub<Workspace>
    await runInDurableObject(stub, (_, { storage }) => {
      const texts = storage.sql.exec('SELECT 1 FROM texts WHERE thread = ?', thread).toArray()
      const answers = storage.sql.exec("SELECT rowid FROM words WHERE words MATCH 'okapi'").toArray()
      expect([texts, answers]).toEqual([[], []])
    })
  })

  it('refuses a query that is too long, and lists everything for an empty one', async () => {
    await refused(
      send(`GET /v1/threads?q=${'x'.repeat(THREAD_SEARCH_MAX_CHARS + 1)}`, { key: ann }),
      422,
      'invalid_request',
    )
    expect(await found('x'.repeat(THREAD_SEARCH_MAX_CHARS))).toEqual([])
    expect((await find('  ')).data).not.toEqual([])
    await refused(send('GET /v1/threads?branches=all', { key: ann }), 422, 'invalid_request')
    await refused(send('GET /v1/threads?branches=folded&root=th_1', { key: ann }), 422, 'invalid_request')
    await refused(send('GET /v1/threads?q=x&cursor=nonsense', { key: ann }), 400, 'bad_cursor')
  })

  it('finds the title of a fork at once, and its copied text after its own first message', async () => {
    const { thread } = await finished(ann, 'The quokka first')
    const next = await chat({ message: 'And then', thread_id: thread }, { key: ann })
    const messages = await got<{ data: { id: string; run_id: string }[] }>(
      send(`GET /v1/threads/${thread}/messages`, { key: ann }),
    )
    const message_id = messages.data.find(({ run_id }) => run_id === next.run)?.id
    const { thread_id } = await got<{ thread_id: string }>(
      send(`POST /v1/threads/${thread}/fork`, { key: ann, body: { message_id } }),
      201,
    )
    await got(send(`PATCH /v1/threads/${thread_id}`, { key: ann, body: { title: 'Wallaby' } }))
    await eventually(async () => (await found('wallaby')).length === 1)
    expect(await found('quokka')).toEqual([thread])
    const texts = await textsOf(thread_id)
    expect(texts, 'only its title is indexed').toBe(1)
    await chat({ message: 'Another end', thread_id }, { key: ann })
    await eventually(async () => (await found('quokka')).length === 2)
    expect(await found('quokka')).toEqual(expect.arrayContaining([thread, thread_id]))
  })
})
