// Guards publishing in the API: what is accepted, which errors a refusal has, and how live versions change.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { base64, utf8 } from '../../src/lib/bytes.ts'
import type { Published } from '../../src/skills/publish/publish.ts'
import type { SkillInfo } from '../../src/skills/view/skill-info.ts'
import {
  foreignKey,
  got,
  publish,
  refused,
  send,
  serveSkills,
  skillFolderOf,
  stateOfAll,
} from './api-fixture.ts'

const DIGEST = expect.stringMatching(/^[0-9a-f]{64}$/)
const TIME = expect.stringMatching(/^\d{4}-.*Z$/)

interface Changed {
  readonly skill: SkillInfo | null
  readonly catalog_version: number
}

let count = 0
let name = ''

beforeAll(() => serveSkills([{ name: 'alpha', description: 'Built in.' }, { name: 'beta' }]))

beforeEach(() => {
  name = `own-${++count}`
})

async function liveVersion(): Promise<number> {
  return (await got<{ version: number }>(send('GET /admin/catalog'))).version
}

async function change(line: string, body?: object): Promise<Changed> {
  return got<Changed>(send(line, body ? { body } : {}))
}

describe('publishing', () => {
  it('returns 201 with the documented Published, and the next catalog has it', async () => {
    const before = await liveVersion()
    const skill = { name, description: 'Ours.', files: { 'references/a.md': 'The reference.' } }
    const body = { ...skillFolderOf(skill), note: 'The first.' }
    const published = await got<Published>(send('POST /admin/skills', { body }), 201)
    expect(published).toEqual({
      skill: {
        name,
        description: 'Ours.',
        category: 'custom',
        enabled: true,
        editable: true,
        digest: DIGEST,
        location: `/mnt/skills/custom/${name}/SKILL.md`,
        license: null,
        tags: [],
        tokens: { index: expect.any(Number), body: expect.any(Number) },
        files: 2,
        bytes: expect.any(Number),
        shadows: false,
        shareable: false,
        updated_at: TIME,
        diagnostics: [],
        argument_hint: null,
        card: null,
        user_invocable: true,
        version: null,
        changelog: null,
        dependencies: [],
      },
      created: true,
      catalog_version: before + 1,
      findings: [],
      diff: [
        expect.objectContaining({ path: 'SKILL.md', change: 'added' }),
        expect.objectContaining({ path: 'references/a.md', change: 'added' }),
      ],
    })
    expect(await liveVersion()).toBe(before + 1)
    const seen = await got<{ data: SkillInfo[]; catalog_version: number }>(send('GET /v1/skills?limit=1000'))
    expect((await send('GET /v1/skills?limit=1001')).status).toBe(422)
    expect(seen.catalog_version).toBe(before + 1)
    expect(seen.data.find((one) => one.name === name)).toEqual(published.skill)
    const detail = await got(send(`GET /v1/skills/${name}`))
    expect(detail).toMatchObject({ name, body: expect.stringContaining(`Body of ${name}.`) })
    expect(detail['manifest']).toEqual([
      expect.objectContaining({ path: 'SKILL.md' }),
      expect.objectContaining({ path: 'references/a.md' }),
    ])
  })

  it('accepts bytes as base64, and the same bytes again return 200 without a new version', async () => {
    const text = skillFolderOf({ name })
    const files = Object.entries(text.files).map(([path, one]) => [path, { base64: base64(utf8(one)) }])
    const first = await got<Published>(send('POST /admin/skills', { body: text }), 201)
    const body = { files: Object.fromEntries(files) as object }
    const again = await got<Published>(send('POST /admin/skills', { body }), 200)
    expect(again).toMatchObject({
      created: false,
      catalog_version: first.catalog_version,
      skill: first.skill,
    })
    expect(await liveVersion()).toBe(first.catalog_version)
  })

  it('refuses an invalid skill, naming file, line and fix, and changes nothing', async () => {
    const before = await stateOfAll()
    const files = { 'SKILL.md': `---\nname: Not A Name\n---\n\nBody.\n` }
    const problem = await refused(send('POST /admin/skills', { body: { files } }), 422, 'invalid_skill')
    expect(problem.errors?.map((error) => error.path)).toContain('SKILL.md:2')
    for (const error of problem.errors ?? []) expect(error.message).toMatch(/\S+ .+\./)
    expect(JSON.stringify(problem.errors)).toMatch(/description/)
    expect(await stateOfAll()).toEqual(before)
  })

  it.each([
    ['nothing', {}],
    ['no SKILL.md', { 'README.md': 'Hello' }],
    ['a path with ..', { 'SKILL.md': 'x', '../evil.md': 'x' }],
    ['an absolute path', { 'SKILL.md': 'x', '/etc/passwd': 'x' }],
    ['two spellings of one path', { 'SKILL.md': 'x', 'a.md': 'x', 'A.md': 'x' }],
    ['an invalid header', { 'SKILL.md': 'Just text.' }],
  ])('refuses a folder with %s', async (_, files) => {
    const before = await stateOfAll()
    await refused(send('POST /admin/skills', { body: { files } }), 422, 'invalid_skill')
    expect(await stateOfAll()).toEqual(before)
  })

  it('changes nothing on a dry run, and an unknown value of dry_run publishes nothing', async () => {
    const before = await stateOfAll()
    const body = skillFolderOf({ name })
    for (const word of ['1', 'true']) {
      const trial = await got<Published>(send(`POST /admin/skills?dry_run=${word}`, { body }))
      expect(trial).toMatchObject({
        created: false,
        skill: { name },
        diff: [{ change: 'added' }],
        dry_run: true,
      })
    }
    for (const word of ['yes', '', '2'])
      await refused(send(`POST /admin/skills?dry_run=${word}`, { body }), 422, 'invalid_request')
    const invalid = { files: { 'SKILL.md': 'Just text.' } }
    await refused(send('POST /admin/skills?dry_run=1', { body: invalid }), 422, 'invalid_skill')
    expect(await stateOfAll()).toEqual(before)
    await got(send('POST /admin/skills?dry_run=0', { body }), 201)
  })

  it('over a version that is no longer live is refused as stale', async () => {
    const first = await publish({ name, body: 'One.' })
    const second = await publish({ name, body: 'Two.' })
    const body = skillFolderOf({ name, body: 'Three.' })
    const stale = { 'If-Match': `"${first.skill.digest}"` }
    const problem = await refused(send('POST /admin/skills', { body, headers: stale }), 412, 'stale_version')
    expect(problem.detail).toContain(second.skill.digest)
    for (const word of ['latest', '""', `"${first.skill.digest}", "${second.skill.digest}"`])
      await refused(
        send('POST /admin/skills', { body, headers: { 'If-Match': word } }),
        422,
        'invalid_request',
      )
    expect(await liveVersion()).toBe(second.catalog_version)
    await publish({ name, body: 'Three.' }, { headers: { 'If-Match': `"${second.skill.digest}"` } })
  })

  it('is visible to its own workspace only', async () => {
    const other = await foreignKey('other-skills')
    await publish({ name })
    await refused(send(`GET /v1/skills/${name}`, { key: other }), 404, 'not_found')
    const theirs = await publish({ name, body: 'Theirs.' }, { key: other })
    const ours = await got<SkillInfo>(send(`GET /admin/skills/${name}`))
    expect(ours.digest).not.toBe(theirs.skill.digest)
  })
})

describe('a custom skill', () => {
  it('can be disabled, enabled, pinned, rolled back and unpublished, each in its own catalog version', async () => {
    const one = await publish({ name, body: 'One.' })
    const two = await publish({ name, body: 'Two.' })
    let version = two.catalog_version
    const digests = { one: one.skill.digest, two: two.skill.digest }
    const expectNext = (done: Changed, skill: Partial<SkillInfo>): void => {
      expect(done).toEqual({ skill: expect.objectContaining({ name, ...skill }), catalog_version: ++version })
    }
    const at = `/admin/skills/${name}`
    expectNext(await change(`PATCH ${at}`, { enabled: false }), { enabled: false, digest: digests.two })
    expect(await change(`PATCH ${at}`, { enabled: false })).toMatchObject({ catalog_version: version })
    expectNext(await change(`PATCH ${at}`, { enabled: true }), { enabled: true })
    expectNext(await change(`PATCH ${at}`, { digest: digests.one }), { digest: digests.one })
    expectNext(await change(`POST ${at}/rollback`, { to: digests.two }), { digest: digests.two })
    expectNext(await change(`POST ${at}/rollback`, {}), { digest: digests.one })
    expect(await change(`DELETE ${at}`)).toEqual({ skill: null, catalog_version: ++version })
    await refused(send(`GET ${at}`), 404, 'not_found')
    await refused(send(`DELETE ${at}`), 404, 'not_found')
    expectNext(await change(`PATCH ${at}`, { digest: digests.two }), { digest: digests.two, enabled: true })
  })

  it('lists its versions, with the live one, and its history, in pages', async () => {
    for (const body of ['One.', 'Two.', 'Three.']) await publish({ name, body })
    await change(`POST /admin/skills/${name}/rollback`, { to: -1 })
    type Listed = { data: Record<string, unknown>[]; next_cursor: string | null }
    const whole = await got<Listed>(send(`GET /admin/skills/${name}/versions`))
    expect(whole.data.map((one) => one['live'])).toEqual([false, true, false])
    expect(whole.data[0]).toEqual({
      digest: DIGEST,
      created_at: TIME,
      author: 'admin',
      note: null,
      live: false,
      findings: [],
      purged: null,
    })
    const first = await got<Listed>(send(`GET /admin/skills/${name}/versions?limit=2`))
    const rest = await got<Listed>(send(`GET /admin/skills/${name}/versions?cursor=${first.next_cursor}`))
    expect([...first.data, ...rest.data]).toEqual(whole.data)
    const history = await got<Listed>(send(`GET /admin/skills/${name}/history`))
    expect(history.data.map((item) => item['action'])).toEqual(['rollback', 'publish', 'publish', 'publish'])
    const page = await got<Listed>(send(`GET /admin/skills/${name}/history?limit=3`))
    const last = await got<Listed>(send(`GET /admin/skills/${name}/history?cursor=${page.next_cursor}`))
    expect([...page.data, ...last.data]).toEqual(history.data)
  })

  it('that is unpublished says how to restore it, whatever else is requested', async () => {
    const { skill } = await publish({ name })
    const at = `/admin/skills/${name}`
    await change(`DELETE ${at}`)
    for (const body of [{ enabled: true }, { shareable: true }]) {
      const problem = await refused(send(`PATCH ${at}`, { body }), 404, 'not_found')
      expect(problem.detail).toBe(
        `The skill "${name}" is unpublished. To bring it back, roll back with {"to": -1}, or send PATCH with {"digest": …}.`,
      )
    }
    expect((await change(`POST ${at}/rollback`, { to: -1 })).skill?.digest).toBe(skill.digest)
  })

  it('is visible to chat only while it is enabled, and to its publisher always', async () => {
    await publish({ name })
    await change(`PATCH /admin/skills/${name}`, { enabled: false })
    await refused(send(`GET /v1/skills/${name}`), 404, 'not_found')
    const { data } = await got<{ data: SkillInfo[] }>(send('GET /v1/skills?limit=100'))
    expect(data.some((one) => one.name === name)).toBe(false)
    expect(await got(send(`GET /admin/skills/${name}`))).toMatchObject({ enabled: false })
  })

  it('shadows the built-in one of its name, and says so, until it is unpublished', async () => {
    const published = await publish({ name: 'alpha', description: 'Ours.' })
    expect(published.skill).toMatchObject({ name: 'alpha', category: 'custom', shadows: true })
    expect(await got(send('GET /v1/skills/alpha'))).toMatchObject({ category: 'custom', shadows: true })
    const unpublished = await change('DELETE /admin/skills/alpha')
    expect(unpublished.skill).toMatchObject({ category: 'public', description: 'Built in.', shadows: false })
    expect(await got(send('GET /v1/skills/alpha'))).toMatchObject({ category: 'public' })
  })
})

describe('a built-in skill', () => {
  it('can be disabled, and other switches set', async () => {
    expect((await change('PATCH /admin/skills/beta', { enabled: false })).skill?.enabled).toBe(false)
    await refused(send('GET /v1/skills/beta'), 404, 'not_found')
    expect((await change('PATCH /admin/skills/beta', { enabled: true })).skill?.enabled).toBe(true)
    expect(await got(send('GET /v1/skills/beta'))).toMatchObject({ category: 'public', editable: false })
  })

  it('cannot be pinned, rolled back or unpublished: the error says what to do instead', async () => {
    const before = await stateOfAll()
    const asks: readonly (readonly [line: string, body: object | undefined])[] = [
      ['PATCH /admin/skills/beta', { digest: 'a'.repeat(64) }],
      ['PATCH /admin/skills/beta', { digest: 'a'.repeat(64), enabled: false }],
      ['POST /admin/skills/beta/rollback', { to: -1 }],
      ['DELETE /admin/skills/beta', undefined],
    ]
    for (const [line, body] of asks) {
      const problem = await refused(send(line, body ? { body } : {}), 422, 'invalid_request')
      expect(problem.detail).toMatch(
        /"beta" is built in: .*on and off and share it, but it cannot be .*publish a custom skill/,
      )
    }
    expect(await stateOfAll()).toEqual(before)
  })

  it('that nobody changed has an empty history', async () => {
    await serveSkills([{ name: 'alpha' }, { name: 'beta' }, { name: 'gamma' }])
    expect(await got(send('GET /admin/skills/gamma/history'))).toEqual({ data: [], next_cursor: null })
  })
})
