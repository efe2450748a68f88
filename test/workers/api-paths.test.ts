// Guards paths, methods and queries: unknown paths, refused methods, and cursors of lists and streams. However a path
// is spelled, it leads where its plain form does.

import { beforeAll, describe, expect, it } from 'vitest'
import { ROUTES } from '../../src/api/app.ts'
import { newId } from '../../src/lib/ids.ts'
import { SSE_READERS_MAX } from '../../src/thread/events/limits.ts'
import { finished, got, makeKey, publish, refused, send, serveSkills, stateOfAll } from './api-fixture.ts'

const keys = { ann: '', ben: '' }
let thread = ''
let run = ''
let newest = 0

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }, { name: 'beta' }])
  await publish({ name: 'own' })
  keys.ann = (await makeKey('chat', 'ann')).key
  keys.ben = (await makeKey('chat', 'ben')).key
  const made = await finished(keys.ann)
  thread = made.thread
  run = made.run
  newest = made.last?.seq ?? 0
})

function of(line: string): string {
  return line.replace(':t', thread).replace(':r', run).replace(LONG, 'x'.repeat(10_000))
}

const OTHERS_THREAD = [
  'GET /v1/threads/:t',
  'GET /v1/threads/:t/messages',
  'GET /v1/threads/:t/runs',
  'GET /v1/threads/:t/runs/:r',
  'GET /v1/threads/:t/events',
  'GET /v1/threads/:t/runs/:r/events',
  'DELETE /v1/threads/:t',
  'POST /v1/threads/:t/runs/:r/cancel',
]

describe("another user's thread", () => {
  it.each(OTHERS_THREAD)('%s looks like one that never existed', async (line) => {
    const before = await stateOfAll()
    const theirs = await refused(send(of(line), { key: keys.ben }), 404, 'not_found')
    const unknown = await refused(
      send(line.replace(':t', newId('th')).replace(':r', run), { key: keys.ben }),
      404,
      'not_found',
    )
    expect({ ...theirs, request_id: '' }).toEqual({ ...unknown, request_id: '' })
    expect(await stateOfAll()).toEqual(before)
  })

  it('accepts no message', async () => {
    const body = { message: 'Hello', thread_id: thread }
    const theirs = await refused(send('POST /v1/chat', { key: keys.ben, body }), 404, 'not_found')
    const id = newId('th')
    const other = { message: 'Hello', thread_id: id }
    const unknown = await refused(send('POST /v1/chat', { key: keys.ben, body: other }), 404, 'not_found')
    expect(theirs.detail.replace(thread, id)).toBe(unknown.detail)
  })
})

// Placeholder for ten thousand letters.
const LONG = '{long}'

const UNKNOWN = [
  'GET /v1/threads/th_1',
  'GET /v1/threads/..%2fx',
  'GET /v1/threads/%2e%2e%2f%2e%2e',
  'GET /v1/threads/%00',
  'GET /v1/threads/%E0%A4%A',
  `GET /v1/threads/TH_${'0'.repeat(24)}`,
  `GET /v1/threads/${LONG}`,
  'GET /v1/threads/__proto__',
  'GET /v1/threads/:t/runs/run_1',
  'GET /v1/threads/:t/runs/..%2f..',
  `GET /v1/threads/:t/runs/${LONG}`,
  'GET /v1/threads/:t/runs/run_1/events',
  'POST /v1/threads/:t/runs/run_1/cancel',
  'GET /v1/skills/nope',
  'GET /v1/skills/constructor',
  'GET /v1/skills/..%2falpha',
  'GET /v1/skills/ALPHA',
  'GET /admin/skills/nope',
  'GET /admin/skills/nope/versions',
  'GET /admin/skills/nope/history',
  `GET /admin/skills/${LONG}/versions`,
  'DELETE /admin/skills/nope',
  'DELETE /admin/skills/__proto__',
  'DELETE /admin/keys/nope',
  'DELETE /admin/keys/%27%20OR%201=1',
  `DELETE /admin/keys/${LONG}`,
  'GET /admin/hooks/nope',
  `GET /admin/hooks/hk_default_${'0'.repeat(36)}`,
  `GET /admin/hooks/hk_other_${'0'.repeat(36)}`,
  `DELETE /admin/hooks/hk_default_${'0'.repeat(36)}`,
  `GET /admin/hooks/hk_default_${'0'.repeat(36)}/deliveries`,
  `POST /hooks/hk_default_${'0'.repeat(36)}`,
  'POST /hooks/hk_..%2fdefault_0',
  'POST /hooks/nope',
  'GET /admin/schedules/nope',
  `GET /admin/schedules/sc_${'0'.repeat(24)}`,
  `DELETE /admin/schedules/sc_${'0'.repeat(24)}`,
  `POST /admin/schedules/sc_${'0'.repeat(24)}/run`,
  'GET /admin/schedules/..%2fdefault%2fsc_0',
  'GET /nothing.html',
  'GET /v1',
  'GET /v2/threads',
  'GET /v1/threads/',
  'GET //v1/threads',
  'GET /V1/threads',
  'GET /v1%2fthreads',
  'GET /admin/keys/../../x',
]

describe('a missing path', () => {
  it('is distinguished from the page, which needs no key', async () => {
    const page = await send('GET /', { key: null })
    expect(page.status).toBe(200)
    expect(await page.text()).toMatch(/^<!doctype html>/)
  })

  it.each(UNKNOWN)('%s is 404', async (line) => {
    const before = await stateOfAll()
    const problem = await refused(send(of(line)), 404, 'not_found')
    expect(problem.detail.length).toBeLessThan(400)
    expect(await stateOfAll()).toEqual(before)
  })

  it('is 404 for requests with a body, too', async () => {
    await refused(send('PATCH /admin/skills/nope', { body: { enabled: false } }), 404, 'not_found')
    await refused(send('PATCH /admin/skills/nope', { body: { digest: 'a'.repeat(64) } }), 404, 'not_found')
    await refused(send('POST /admin/skills/nope/rollback', { body: {} }), 404, 'not_found')
    await refused(send('PATCH /admin/skills/own', { body: { digest: 'a'.repeat(64) } }), 404, 'not_found')
    await refused(
      send(of('POST /v1/threads/:t/runs/:r/approvals/1'), { body: { decision: 'deny' } }),
      404,
      'not_found',
    )
  })

  it("is not one whose plain letters are escaped, which follows that route's rule", async () => {
    await got(send('GET /v1/%74hreads'))
    await refused(send('GET /%61dmin/keys', { key: keys.ann }), 403, 'forbidden')
  })
})

describe('a method', () => {
  const paths = [...new Set(ROUTES.map(({ path }) => path))]

  it.each(paths)('that %s does not accept is 405, with those it accepts', async (path) => {
    // Words that are also paths of routes for a skill or tool of that name.
    const also =
      { '/v1/skills/match': '/v1/skills/:skill', '/admin/tools/import': '/admin/tools/:tool' }[path] ?? path
    const taken = ROUTES.filter((route) => route.path === path || route.path === also).map(
      ({ method }) => method as string,
    )
    const expected = [...taken, ...(taken.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted()
    const allowed = ({ headers }: Response): unknown => headers.get('Allow')?.split(', ').toSorted()
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      if (taken.includes(method)) continue
      const response = await send(`${method} ${path}`)
      expect(allowed(response)).toEqual(expected)
      await refused(Promise.resolve(response), 405, 'method_not_allowed')
    }
    const options = await send(`OPTIONS ${path}`, { key: null, headers: { Origin: 'https://evil.test' } })
    expect([options.status, allowed(options)]).toEqual([204, expected])
    const granted = [...options.headers.keys()].filter((name) => name.startsWith('access-control'))
    // Public paths are open to every page, all others to none, and nowhere can a page act with its visitor's
    // credentials.
    if (path.startsWith('/.well-known/')) expect(granted).not.toContain('access-control-allow-credentials')
    else expect(granted).toEqual([])
  })

  it('HEAD is answered like GET, without a body', async () => {
    for (const path of ['/healthz', '/v1/threads', `/v1/threads/${thread}`, '/v1/skills/alpha']) {
      const [head, get] = [await send(`HEAD ${path}`), await send(`GET ${path}`)]
      expect([head.status, head.headers.get('Content-Type')]).toEqual([200, get.headers.get('Content-Type')])
      expect(await head.text()).toBe('')
    }
    expect((await send('HEAD /v1/threads/th_1')).status).toBe(404)
    expect((await send('HEAD /v1/threads', { key: null })).status).toBe(401)
  })

  it('HEAD of a stream opens none', async () => {
    const head = await send(of('HEAD /v1/threads/:t/events'))
    expect([head.status, head.headers.get('Content-Type'), head.body]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      null,
    ])
    expect((await send(of('HEAD /v1/threads/:t/runs/run_1/events'))).status).toBe(404)
    for (let count = 0; count <= SSE_READERS_MAX; count++) await send(of('HEAD /v1/threads/:t/events'))
    const stream = await send(of('GET /v1/threads/:t/events'))
    expect(stream.status).toBe(200)
    await stream.body?.cancel()
  })

  it('is not overridden by a header', async () => {
    const headers = { 'X-HTTP-Method-Override': 'DELETE' }
    await got(send(of('GET /v1/threads/:t'), { headers }))
    await got(send(of('GET /v1/threads/:t')))
  })
})

const LISTS = [
  '/v1/threads/:t/files',
  '/v1/threads',
  '/v1/threads/:t/messages',
  '/v1/threads/:t/runs',
  '/v1/skills',
  '/admin/skills',
  '/admin/skills/own/versions',
  '/admin/skills/own/history',
  '/admin/keys',
  '/admin/settings/history',
  '/admin/hooks',
  '/admin/schedules',
]

describe('a list', () => {
  it.each(LISTS)('%s refuses an invalid limit, and a cursor of another list', async (path) => {
    const most = path.endsWith('/skills') ? 1_000 : 100
    const above = String(most + 1)
    for (const limit of ['0', '-1', '1.5', '1e1', '01', above, '9007199254740993', 'all', '', '%20', '１'])
      await refused(send(of(`GET ${path}?limit=${limit}`)), 422, 'invalid_request')
    for (const cursor of [
      'x',
      '%00',
      '..',
      'bnVsbA',
      'W10',
      btoa('[{}]'),
      btoa('[1,2,3]'),
      'a'.repeat(5_000),
    ])
      await refused(send(of(`GET ${path}?cursor=${cursor}`)), 400, 'bad_cursor')
    await got(send(of(`GET ${path}?limit=1`)))
    await got(send(of(`GET ${path}?limit=${most}`)))
  })

  it.each(['/v1/skills', '/admin/skills', '/admin/keys'])(
    '%s returns everything, page by page',
    async (path) => {
      type Names = { data: { name?: string; id?: string }[]; next_cursor: string | null }
      const namesOf = (page: Names): unknown[] => page.data.map((item) => item.name ?? item.id)
      const whole = await got<Names>(send(`GET ${path}?limit=100`))
      const seen: unknown[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page: Names = await got<Names>(
          send(`GET ${path}?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`),
        )
        expect(page.data).toHaveLength(1)
        seen.push(...namesOf(page))
        cursor = page.next_cursor
      }
      expect(seen).toEqual(namesOf(whole))
      expect(seen.length).toBeGreaterThan(1)
    },
  )
})

describe('a position in a stream', () => {
  const streams = ['/v1/threads/:t/events', '/v1/threads/:t/runs/:r/events']

  it.each(streams)('%s must be an assigned number', async (path) => {
    for (const after of ['x', '-1', '1.5', '1e3', '0x1', '%20', '', '1'.repeat(16)])
      await refused(send(of(`GET ${path}?after=${after}`)), 400, 'bad_cursor')
    for (const id of ['x', '-1', '1, 2'])
      await refused(send(of(`GET ${path}`), { headers: { 'Last-Event-ID': id } }), 400, 'bad_cursor')
    await refused(send(of(`GET ${path}?after=${newest + 1}`)), 409, 'cursor_ahead')
    await refused(
      send(of(`GET ${path}?after=1`), { headers: { 'Last-Event-ID': '999999' } }),
      409,
      'cursor_ahead',
    )
  })
})

describe('every answer', () => {
  it('has its own request ID, is not stored, and is never taken for a page', async () => {
    const ids = new Set<string | null>()
    const lines = ['GET /healthz', 'GET /v1/threads', 'GET /nope', 'DELETE /healthz', 'OPTIONS /healthz']
    for (const line of lines) {
      const { headers } = await send(line)
      ids.add(headers.get('X-Request-Id'))
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(headers.get('X-DNS-Prefetch-Control')).toBe('off')
      if (!line.startsWith('OPTIONS')) expect(headers.get('Cache-Control')).toBe('no-store')
    }
    expect(ids.size).toBe(lines.length)
    expect([...ids].every((id) => /^req_[0-9a-z]{24}$/.test(id ?? ''))).toBe(true)
  })

  it('accepts no request ID from outside', async () => {
    const { headers } = await send('GET /healthz', { headers: { 'X-Request-Id': 'mine' } })
    expect(headers.get('X-Request-Id')).toMatch(/^req_/)
  })
})
