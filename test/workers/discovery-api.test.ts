// Guards public access to shared skills: any page may read every answer, a limit by network keeps unauthenticated
// clients from crowding out chat, and a request makes no unnecessary catalog calls.

import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { got, publish, refused, send, serveSkills } from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { watched } from './watched.ts'

const NEW = '/.well-known/agent-skills'
const OLD = '/.well-known/skills'
const FILES = { 'a.md': 'A.' }

let count = 0
let name = ''

beforeAll(() => serveSkills([{ name: 'alpha' }]))

beforeEach(() => {
  name = `door-${++count}`
})

/** A request without a key. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return send(`${method} ${path}`, { key: null, headers })
}

async function urlOf(skill: string): Promise<string> {
  const { skills } = await got<{ skills: { name: string; url: string }[] }>(ask(`${NEW}/index.json`))
  return skills.find((one) => one.name === skill)?.url ?? 'not listed'
}

describe('a client', () => {
  it('that asks too often from one address gets 429, and others are served', async () => {
    const headers = { 'CF-Connecting-IP': 'greedy' }
    const full = { DISCOVERY_RATE: { limit: async () => ({ success: false }) } }
    const greedy = () => send(`GET ${NEW}/index.json`, { key: null, headers, env: full })
    await eventually(async () => (await greedy()).status === 429)
    const response = await greedy()
    expect(response.headers.get('Retry-After')).toBe('10')
    await refused(Promise.resolve(response), 429, 'rate_limited')
    await got(ask(`${NEW}/index.json`))
  })

  it('in an IPv6 network shares one limit with it, separate from that of chat', async () => {
    const keys: string[] = []
    const count = { limit: async ({ key }: { key: string }) => ({ success: keys.push(key) > 0 }) }
    const chats = { limit: async () => Promise.reject(new Error('chat is not counted here')) }
    for (const at of ['2001:db8:7:1::1', '2001:db8:7:1:ffff::2'])
      await got(
        send(`GET ${NEW}/index.json`, {
          key: null,
          headers: { 'CF-Connecting-IP': at },
          env: { DISCOVERY_RATE: count, CHAT_RATE: chats },
        }),
      )
    await eventually(() => keys.length === 2)
    expect(keys).toEqual(['anyone 2001:db8:7:1::/64', 'anyone 2001:db8:7:1::/64'])
  })

  it('asks the catalog once for what is listed, and twice for what was listed before', async () => {
    await publish({ name, files: FILES, body: 'One.' })
    await got(send(`PATCH /admin/skills/${name}`, { body: { shareable: true } }))
    const first = await urlOf(name)
    await publish({ name, files: FILES, body: 'Two.' })
    const second = await urlOf(name)
    const calls: string[] = []
    const CATALOGS = watched(env.CATALOGS, (method) => void calls.push(method))
    const requested = async (path: string): Promise<number> => {
      calls.length = 0
      const response = await send(`GET ${path}`, { key: null, env: { CATALOGS } })
      expect(response.status).toBe(200)
      await response.arrayBuffer()
      return calls.length
    }
    expect(await requested(second)).toBe(1)
    expect(await requested(first)).toBe(2)
  })
})

describe('a page of any origin', () => {
  const exposed = 'ETag, Retry-After, X-Request-Id'

  it('may send If-None-Match: a preflight is answered', async () => {
    for (const path of [
      `${NEW}/index.json`,
      `${OLD}/index.json`,
      `${OLD}/alpha/SKILL.md`,
      `${NEW}/a/b.tar.gz`,
    ]) {
      const headers = {
        Origin: 'https://page.test',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'if-none-match',
      }
      const response = await ask(path, headers, 'OPTIONS')
      expect([response.status, await response.text()], path).toEqual([204, ''])
      expect(Object.fromEntries(response.headers), path).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': 'If-None-Match',
        'access-control-max-age': expect.stringMatching(/^\d+$/),
      })
    }
  })

  it('may read every answer below /.well-known/, even failures, and sees the ETag', async () => {
    const broken = { CATALOGS: { getByName: () => expect.unreachable('broken') } as never }
    const answers: readonly [number, Promise<Response>][] = [
      [200, ask(`${NEW}/index.json`)],
      [404, ask('/.well-known/nothing')],
      [404, ask(`${NEW}/x`)],
      [405, ask(`${NEW}/index.json`, {}, 'POST')],
      [500, send(`GET ${NEW}/index.json`, { key: null, env: broken })],
    ]
    for (const [status, answer] of answers) {
      const response = await answer
      expect(response.status).toBe(status)
      expect(response.headers.get('Access-Control-Allow-Origin'), String(status)).toBe('*')
      expect(response.headers.get('Access-Control-Expose-Headers'), String(status)).toBe(exposed)
    }
  })

  it('may read nothing else', async () => {
    for (const line of ['GET /healthz', 'GET /v1/skills', 'OPTIONS /v1/skills', 'GET /nothing']) {
      const names = [...(await send(line)).headers.keys()]
      expect(
        names.filter((header) => header.startsWith('access-control')),
        line,
      ).toEqual([])
    }
  })
})
