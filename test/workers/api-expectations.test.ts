// Guards expectations of a change of several skills: the catalog version, or the live digest of each name. Of twenty
// concurrent changes with one expectation, one succeeds and the others change nothing.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/lib/bytes.ts'
import type { Commit } from '../../src/skills/publish/commit.ts'
import { got, publish, refused, send, serveSkills, stateOfAll } from './api-fixture.ts'
import { skillFiles } from './seed-build.ts'
import type { SeedSkill } from './seed-build.ts'

let count = 0
let name = ''

beforeAll(() => serveSkills([{ name: 'alpha' }]))

beforeEach(() => {
  name = `held-${++count}`
})

async function sent(skill: SeedSkill): Promise<{ files: Record<string, string> }> {
  const files: Record<string, string> = {}
  for (const [path, bytes] of skillFiles(skill)) {
    files[path] = await sha256Hex(bytes)
    const put = await send(`PUT /admin/blobs/${files[path]}`, { body: new Response(bytes).body })
    await put.body?.cancel()
  }
  return { files }
}

async function catalogTag(): Promise<string> {
  const answer = await send('GET /admin/catalog')
  const { version } = await answer.json<{ version: number }>()
  expect(answer.headers.get('ETag')).toBe(`"${version}"`)
  return `"${version}"`
}

function post(path: string, body: object, match?: string): Promise<Response> {
  return send(`POST /admin/catalog/${path}`, {
    body,
    headers: match === undefined ? {} : { 'If-Match': match },
  })
}

/** One of twenty responses succeeds, the others are refused as stale, and the catalog advances by one version. */
async function oneWins(all: readonly Promise<Response>[]): Promise<Response> {
  const before = await liveVersion()
  const answers = await Promise.all(all)
  const won = answers.filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  expect(answers).toHaveLength(20)
  for (const answer of answers)
    if (answer.status !== 200) await refused(Promise.resolve(answer), 412, 'stale_version')
  expect(await liveVersion()).toBe(before + 1)
  const [winner] = won
  if (!winner) throw new Error('nobody won')
  return winner
}

async function liveVersion(): Promise<number> {
  return (await got<{ version: number }>(send('GET /admin/catalog'))).version
}

const TWENTY = Array.from({ length: 20 }, (_, at) => at)

describe('twenty concurrent changes of one catalog version', () => {
  it('are one commit and nineteen refusals', async () => {
    await publish({ name })
    const skills = await Promise.all(TWENTY.map((at) => sent({ name: `${name}-${at}` })))
    const tag = await catalogTag()
    const won = await oneWins(TWENTY.map((at) => post('commit', { skills: [skills[at]] }, tag)))
    const done = await won.json<Commit>()
    expect(won.headers.get('ETag')).toBe(`"${done.catalog_version}"`)
    const there = await Promise.all(TWENTY.map((at) => send(`GET /admin/skills/${name}-${at}`)))
    expect(there.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(done.skills).toHaveLength(1)
  })

  it('are one unpublish and nineteen refusals', async () => {
    for (const at of TWENTY) await publish({ name: `${name}-${at}` })
    const tag = await catalogTag()
    const before = await got<{ skills: { custom: number } }>(send('GET /admin/catalog'))
    await oneWins(TWENTY.map((at) => post('commit', { unpublish: [`${name}-${at}`] }, tag)))
    const after = await got<{ skills: { custom: number } }>(send('GET /admin/catalog'))
    expect(after.skills.custom).toBe(before.skills.custom - 1)
  })

  it('are one restore and nineteen refusals', async () => {
    const versions: number[] = []
    for (const at of TWENTY) versions.push((await publish({ name, body: `Body ${at}.` })).catalog_version)
    await publish({ name, body: 'The last.' })
    const tag = await catalogTag()
    const won = await oneWins(versions.map((version) => post('restore', { version }, tag)))
    const { catalog_version, restored } = await won.json<{ catalog_version: number; restored: number }>()
    expect(won.headers.get('ETag')).toBe(`"${catalog_version}"`)
    const history = await got<{ data: object[] }>(send(`GET /admin/skills/${name}/history`))
    expect(history.data[0]).toMatchObject({ action: 'restore', catalog_version })
    expect(versions).toContain(restored)
  })
})

it('twenty commits that expect one live digest are one success, whether it publishes or unpublishes', async () => {
  const { skill } = await publish({ name })
  const skills = await Promise.all(TWENTY.map((at) => sent({ name, body: `Body ${at}.` })))
  const over = { expect: skill.digest }
  await oneWins(
    TWENTY.map((at) =>
      // The first to arrive is an unpublish.
      post(
        'commit',
        at === 0 ? { unpublish: [{ name, ...over }] } : { skills: [{ ...skills[at], ...over }] },
      ),
    ),
  )
})

describe('an expectation that is not met', () => {
  it('refuses and changes nothing, also on a dry run, and names its field', async () => {
    await publish({ name })
    const [good] = [await sent({ name: `${name}-new` })]
    const before = await stateOfAll()
    const body = { skills: [good], unpublish: [{ name, expect: 'f'.repeat(64) }] }
    for (const query of ['', '?dry_run=1']) {
      const problem = await refused(post(`commit${query}`, body), 412, 'stale_version')
      expect(problem.errors?.[0]?.path).toBe('unpublish[0]')
      await refused(post(`commit${query}`, { unpublish: [{ name, expect: null }] }), 412, 'stale_version')
      await refused(post(`commit${query}`, { skills: [good] }, '"999999"'), 412, 'stale_version')
      await refused(post(`commit${query}`, { unpublish: [name] }, '"1"'), 412, 'stale_version')
      await refused(post(`restore${query}`, { version: 1 }, '"999999"'), 412, 'stale_version')
    }
    expect(await stateOfAll()).toEqual(before)
  })

  it('is refused alike by a dry run and by the commit, even if there is nothing to unpublish', async () => {
    await publish({ name })
    // Unlike any other name, so that no suggestion is made.
    const nobody = 'zzzzzzzzzzzz'
    const before = await stateOfAll()
    for (const query of ['', '?dry_run=1']) {
      const unpublish = (one: string | object, match?: string) =>
        post(`commit${query}`, { unpublish: [one] }, match)
      for (const other of [nobody, 'alpha']) {
        await refused(unpublish({ name: other, expect: 'f'.repeat(64) }), 412, 'stale_version')
        await refused(unpublish(other, '"999999"'), 412, 'stale_version')
      }
      await refused(unpublish({ name: 'alpha', expect: null }), 412, 'stale_version')
      await refused(unpublish({ name: nobody, expect: null }), 404, 'not_found')
      await refused(unpublish('alpha'), 422, 'invalid_request')
    }
    expect(await stateOfAll()).toEqual(before)
  })

  it('is not one that matches, accepts any version, or whose change is already made after a lost response', async () => {
    const { skill } = await publish({ name })
    const tag = await catalogTag()
    await got(post('commit?dry_run=1', { unpublish: [{ name, expect: skill.digest }] }, tag))
    const body = { unpublish: [{ name, expect: skill.digest }] }
    const done = await got<Commit>(post('commit', body, `W/${tag}`))
    expect(done.unpublished).toEqual([name])
    const again = await got<Commit>(post('commit', body, tag))
    expect(again.catalog_version).toBe(done.catalog_version)
    await got(post('commit?dry_run=1', body, tag))
    const version = Number(tag.slice(1, -1))
    const back = await got<{ catalog_version: number }>(post('restore', { version }, await catalogTag()))
    expect(await got(post('restore', { version }, tag))).toMatchObject({
      catalog_version: back.catalog_version,
    })
    await got(post('restore', { version: done.catalog_version }, '*'))
  })

  it('is refused if it is not a catalog version', async () => {
    const before = await stateOfAll()
    for (const match of ['"abc"', `"${'f'.repeat(64)}"`, '"1", "2"', '-1'])
      for (const [path, body] of Object.entries({ commit: { unpublish: [name] }, restore: { version: 1 } }))
        await refused(post(path, body, match), 422, 'invalid_request')
    const headers = { 'If-None-Match': '*' }
    await refused(
      send('POST /admin/catalog/restore', { body: { version: 1 }, headers }),
      422,
      'invalid_request',
    )
    await refused(post('commit', { unpublish: [{ name, expect: 'abc' }] }), 422, 'invalid_request')
    expect(await stateOfAll()).toEqual(before)
  })
})
