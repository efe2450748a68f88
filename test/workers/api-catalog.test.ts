// Guards the catalog API: many skills at once or none, uploads that must come first, the history of versions with authors, and
// restoring one.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { env } from 'cloudflare:workers'
import { fromUtf8, sha256Hex, utf8 } from '../../src/lib/bytes.ts'
import { COMMIT_SKILLS_MAX } from '../../src/api/routes/limits.ts'
import { SKILL_FILE_MAX_BYTES } from '../../src/limits/skills.ts'
import { CATALOG_CALL_MAX_BYTES } from '../../src/skills/publish/limits.ts'
import type { Commit } from '../../src/skills/publish/commit.ts'
import type { SkillInfo } from '../../src/skills/view/skill-info.ts'
import { blobKey } from '../../src/skills/store/keys.ts'
import { foreignKey, got, publish, refused, send, serveSkills, stateOfAll } from './api-fixture.ts'
import { skillFiles } from './seed-build.ts'
import type { SeedSkill } from './seed-build.ts'

const TIME = expect.stringMatching(/^\d{4}-.*Z$/)

let count = 0
let name = ''

beforeAll(() => serveSkills([{ name: 'alpha', description: 'Built in.' }, { name: 'beta' }]))

beforeEach(() => {
  name = `one-${++count}`
})

type Files = Record<string, string>

/** The skill's files by address, as plan and commit take them, with their bytes. */
async function addressed(
  skill: SeedSkill,
): Promise<{ readonly files: Files; readonly bytes: Map<string, Uint8Array<ArrayBuffer>> }> {
  const files: Files = {}
  const bytes = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const [path, content] of skillFiles(skill)) {
    const sha256 = await sha256Hex(content)
    files[path] = sha256
    bytes.set(sha256, content)
  }
  return { files, bytes }
}

async function putBytes(bytes: Uint8Array<ArrayBuffer>, key?: string): Promise<Response> {
  const body = new Response(bytes).body
  return send(`PUT /admin/blobs/${await sha256Hex(bytes)}`, { body, ...(key ? { key } : {}) })
}

/** Sends all files of these skills. Returns what a commit names. */
async function sent(...skills: readonly SeedSkill[]): Promise<{ files: Files }[]> {
  const named: { files: Files }[] = []
  for (const skill of skills) {
    const { files, bytes } = await addressed(skill)
    for (const one of bytes.values()) await (await putBytes(one)).body?.cancel()
    named.push({ files })
  }
  return named
}

async function missing(skills: readonly { files: Files }[], key?: string): Promise<string[]> {
  const answer = await got<{ missing: string[] }>(
    send('POST /admin/catalog/plan', { body: { skills }, ...(key ? { key } : {}) }),
  )
  return answer.missing
}

function commit(body: object, query = ''): Promise<Response> {
  return send(`POST /admin/catalog/commit${query}`, { body })
}

async function liveVersion(): Promise<number> {
  return (await got<{ version: number }>(send('GET /admin/catalog'))).version
}

describe('plan, blobs, commit', () => {
  it('send only what is missing, then make many skills live in one version', async () => {
    const one = { name, files: { 'references/a.md': `The reference of ${name}.` } }
    const two = { name: `${name}-b`, files: { 'references/a.md': `The reference of ${name}.` } }
    const [a, b] = [await addressed(one), await addressed(two)]
    const wanted = new Set([...a.bytes.keys(), ...b.bytes.keys()])
    expect(new Set(await missing([a, b].map(({ files }) => ({ files }))))).toEqual(wanted)
    const before = await liveVersion()
    const skills = await sent(one, two)
    expect(await missing(skills)).toEqual([])
    const done = await got<Commit>(
      commit({ skills: [{ ...skills[0], note: 'mine' }, skills[1]], note: 'all' }),
    )
    expect(done).toEqual({
      catalog_version: before + 1,
      skills: [
        expect.objectContaining({ created: true, findings: [], skill: expect.objectContaining({ name }) }),
        expect.objectContaining({ created: true, skill: expect.objectContaining({ name: two.name }) }),
      ],
      unpublished: [],
    })
    expect(done.skills[0]?.diff.map((file) => [file.path, file.change])).toEqual([
      ['SKILL.md', 'added'],
      ['references/a.md', 'added'],
    ])
    expect(await got(send(`GET /v1/skills/${two.name}`))).toMatchObject({
      body: expect.stringContaining('Body'),
    })
    const notes = await got<{ data: object[] }>(send(`GET /admin/skills/${name}/history`))
    expect(notes.data).toEqual([expect.objectContaining({ note: 'mine', action: 'publish' })])
    const again = await got<Commit>(commit({ skills }))
    expect(again.catalog_version).toBe(done.catalog_version)
    expect(again.skills.map((skill) => skill.created)).toEqual([false, false])
  })

  it('create the same version as a publish of the same files', async () => {
    const skill = { name, files: { 'references/a.md': 'A.' } }
    const published = await publish(skill)
    const { files } = await addressed(skill)
    const done = await got<Commit>(commit({ skills: [{ files }] }))
    expect(done.skills[0]).toMatchObject({ created: false, skill: published.skill })
  })

  it('publish and unpublish at once, and report what was unpublished', async () => {
    await publish({ name: `${name}-old` })
    const skills = await sent({ name })
    const done = await got<Commit>(commit({ skills, unpublish: [`${name}-old`] }))
    expect(done.unpublished).toEqual([`${name}-old`])
    await refused(send(`GET /admin/skills/${name}-old`), 404, 'not_found')
    const versions = await got<{ data: object[] }>(send('GET /admin/catalog/versions?limit=1'))
    expect(versions.data).toEqual([
      expect.objectContaining({
        version: done.catalog_version,
        action: 'commit',
        author: 'admin',
        at: TIME,
        changed: { count: 2, names: [name, `${name}-old`] },
      }),
    ])
  })

  it('change all or nothing: an invalid skill, a stale one, a duplicate, an unknown one to unpublish', async () => {
    const live = await publish({ name: `${name}-live` })
    const [good, bad, next] = await sent(
      { name },
      { name: 'Not A Name' },
      { name: `${name}-live`, body: 'Newer.' },
    )
    const before = await stateOfAll()
    const invalid = await refused(commit({ skills: [good, bad] }), 422, 'invalid_skill')
    expect(invalid.errors?.[0]?.path).toBe('skills[1].SKILL.md:2')
    const stale = { ...next, expect: 'f'.repeat(64) }
    const problem = await refused(commit({ skills: [good, stale] }), 412, 'stale_version')
    expect(problem.errors?.[0]?.path).toBe('skills[1]')
    await refused(commit({ skills: [good, stale] }, '?dry_run=1'), 412, 'stale_version')
    await refused(commit({ skills: [{ ...next, expect: null }] }), 412, 'stale_version')
    const twice = await refused(commit({ skills: [good, good] }), 422, 'invalid_request')
    expect(twice.errors?.[0]?.path).toBe('skills[1]')
    await refused(commit({ skills: [good], unpublish: [name] }), 422, 'invalid_request')
    const unknown = await refused(commit({ skills: [good], unpublish: ['nobody'] }), 404, 'not_found')
    expect(unknown.errors?.[0]?.path).toBe('unpublish[0]')
    await refused(commit({ skills: [] }), 422, 'invalid_request')
    await refused(commit({ unpublish: ['beta'] }), 422, 'invalid_request')
    // A dry run refuses what the commit would refuse.
    const tried = await refused(
      commit({ skills: [good], unpublish: ['nobody'] }, '?dry_run=1'),
      404,
      'not_found',
    )
    expect(tried.errors?.[0]?.path).toBe('unpublish[0]')
    await refused(commit({ unpublish: ['beta'] }, '?dry_run=1'), 422, 'invalid_request')
    await got(commit({ unpublish: [`${name}-live`] }, '?dry_run=1'))
    expect(await stateOfAll()).toEqual(before)
    await got(commit({ skills: [good, { ...next, expect: live.skill.digest }] }))
  })

  it('report success without a change when they are repeated after a lost response', async () => {
    const live = await publish({ name: `${name}-live` })
    await publish({ name: `${name}-old` })
    const [fresh, next] = await sent({ name }, { name: `${name}-live`, body: 'Newer.' })
    const body = {
      skills: [
        { ...fresh, expect: null },
        { ...next, expect: live.skill.digest },
      ],
      unpublish: [`${name}-old`],
    }
    const first = await got<Commit>(commit(body))
    await got(commit(body, '?dry_run=1'))
    const again = await got<Commit>(commit(body))
    expect(again.catalog_version).toBe(first.catalog_version)
    expect(again.skills.map((one) => [one.created, one.skill.digest])).toEqual(
      first.skills.map((one) => [false, one.skill.digest]),
    )
    // For any other change, the expectation applies as before.
    const [other] = await sent({ name, body: 'Another.' })
    await refused(commit({ skills: [{ ...other, expect: null }] }), 412, 'stale_version')
  })

  it('name a file whose bytes are missing, and how to send them', async () => {
    const { files } = await addressed({ name })
    const problem = await refused(commit({ skills: [{ files }] }), 422, 'invalid_request')
    expect(problem.errors).toEqual([
      {
        path: 'skills[0].files.SKILL.md',
        message: expect.stringContaining(`PUT /admin/blobs/${files['SKILL.md']}`),
      },
    ])
  })

  it('show findings and differences on a dry run and change nothing', async () => {
    await publish({ name })
    const skills = await sent({ name, body: 'Newer.' }, { name: 'alpha', body: 'Ours.' })
    const before = await stateOfAll()
    const trial = await got<Commit>(commit({ skills }, '?dry_run=1'))
    expect(trial).toMatchObject({ dry_run: true })
    expect(trial.skills.map((one) => one.created)).toEqual([false, false])
    expect(trial.skills[0]?.diff).toEqual([expect.objectContaining({ change: 'changed' })])
    expect(trial.skills[1]?.skill.shadows).toBe(true)
    expect(trial.skills[1]?.findings.map((finding) => finding.rule)).toEqual(['shadows-public'])
    expect(await stateOfAll()).toEqual(before)
  })

  it('accept a commit that is larger than one call to the catalog', async () => {
    const named = await sent({ name }, { name: `${name}-b` })
    const page = 'The same page.'
    await (await putBytes(utf8(page))).body?.cancel()
    const sha256 = await sha256Hex(page)
    // Paths of maximum length: their list alone has more than half a megabyte.
    const long = Array.from({ length: 998 }, (_, at) => `references/${'x'.repeat(225)}-${at}.md`)
    const pages = Object.fromEntries(long.map((path) => [path, sha256]))
    const skills = named.map(({ files }) => ({ files: { ...files, ...pages } }))
    expect(JSON.stringify(skills).length).toBeGreaterThan(CATALOG_CALL_MAX_BYTES)
    const done = await got<Commit>(commit({ skills }))
    expect(done.skills.map((one) => [one.created, one.skill.files])).toEqual([
      [true, 999],
      [true, 999],
    ])
    expect(await got(send(`GET /v1/skills/${name}`))).toMatchObject({ files: 999 })
  })

  it('scan a commit as a publish does, and a refusal leaves nothing', async () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA'.repeat(60)}\n-----END RSA PRIVATE KEY-----\n`
    const skill = { name, files: { 'references/notes.md': `See below.\n\n${key}` } }
    const before = await stateOfAll()
    const body = { files: Object.fromEntries(Array.from(skillFiles(skill), ([p, b]) => [p, fromUtf8(b)])) }
    const alone = await refused(send('POST /admin/skills', { body }), 422, 'invalid_skill')
    expect(alone.errors?.map((error) => error.path)).toContain('references/notes.md:3')
    const trial = await refused(send('POST /admin/skills?dry_run=1', { body }), 422, 'invalid_skill')
    expect(trial.errors).toEqual(alone.errors)
    const [named] = await sent(skill)
    const together = await refused(commit({ skills: [named] }), 422, 'invalid_skill')
    expect(together.errors?.map((error) => error.path)).toContain('skills[0].references/notes.md:3')
    for (const problem of [alone, together]) expect(JSON.stringify(problem)).not.toContain('MIIEpAIB')
    expect(await stateOfAll()).toEqual(before)
  })

  it('limit what one request may name', async () => {
    const skills = Array.from({ length: COMMIT_SKILLS_MAX + 1 }, () => ({ files: {} }))
    await refused(commit({ skills }), 422, 'invalid_request')
    await refused(send('POST /admin/catalog/plan', { body: { skills } }), 422, 'invalid_request')
    const files = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`${at}.md`, 'a'.repeat(64)]))
    await refused(commit({ skills: [{ files }] }), 422, 'invalid_request')
  })
})

describe('a blob', () => {
  it('returns 201 if it is new and 200 if it exists', async () => {
    const first = await putBytes(utf8(`bytes of ${name}`))
    expect(await got(Promise.resolve(first), 201)).toMatchObject({ bytes: `bytes of ${name}`.length })
    await got(putBytes(utf8(`bytes of ${name}`)), 200)
  })

  it('is refused at another digest, if it is too large, and at an invalid digest', async () => {
    const other = 'a'.repeat(64)
    await refused(send(`PUT /admin/blobs/${other}`, { body: 'hello' }), 422, 'invalid_request')
    for (const address of ['A'.repeat(64), 'a'.repeat(63), '..%2f..%2fbuild', 'x'])
      await refused(send(`PUT /admin/blobs/${address}`, { body: 'hello' }), 422, 'invalid_request')
    const large = new Uint8Array(SKILL_FILE_MAX_BYTES + 1)
    await refused(putBytes(large), 413, 'too_large')
    expect(await env.RESOURCES.head(blobKey({ workspace: 'default' }, other))).toBeNull()
  })

  it('of another workspace, or of the build, counts as missing and cannot be committed', async () => {
    const other = await foreignKey('blob-other')
    const skill = { name, body: 'Secret.' }
    await publish(skill)
    const { files } = await addressed(skill)
    expect(await missing([{ files }])).toEqual([])
    expect(await missing([{ files }], other)).toEqual(Object.values(files))
    await refused(
      send('POST /admin/catalog/commit', { body: { skills: [{ files }] }, key: other }),
      422,
      'invalid_request',
    )
    const built = await addressed({ name: 'alpha', description: 'Built in.' })
    expect(await missing([{ files: built.files }])).toEqual(Object.values(built.files))
  })

  it('whose bytes were lost counts as missing', async () => {
    const bytes = utf8(`lost of ${name}`)
    const sha256 = await sha256Hex(bytes)
    await got(putBytes(bytes), 201)
    await env.RESOURCES.delete(blobKey({ workspace: 'default' }, sha256))
    expect(await missing([{ files: { 'SKILL.md': sha256 } }])).toEqual([sha256])
    const problem = await refused(
      commit({ skills: [{ files: { 'SKILL.md': sha256 } }] }),
      422,
      'invalid_request',
    )
    expect(problem.errors?.[0]?.message).toContain(sha256)
  })
})

describe('the catalog', () => {
  it('shows the time, author and action of its last change, and its size', async () => {
    await publish({ name })
    const all = await got<{ data: SkillInfo[] }>(send('GET /admin/skills?limit=100'))
    const made = await got(send('GET /admin/catalog'))
    expect(made).toMatchObject({ version: expect.any(Number), at: TIME, author: 'admin', action: 'publish' })
    expect(made['skills']).toMatchObject({
      all: all.data.length,
      custom: all.data.filter((one) => one.category === 'custom').length,
      enabled: all.data.filter((one) => one.enabled).length,
    })
  })

  it('is restored whole as a new version, once', async () => {
    const first = await publish({ name, body: 'One.' })
    await publish({ name, body: 'Two.' })
    const body = { version: first.catalog_version, note: 'It was better.' }
    const done = await got(send('POST /admin/catalog/restore', { body }))
    expect(done).toMatchObject({ restored: first.catalog_version, changed: [name] })
    expect(await got(send(`GET /admin/skills/${name}`))).toMatchObject({ digest: first.skill.digest })
    expect(await got(send('POST /admin/catalog/restore', { body }))).toEqual({ ...done, changed: [] })
    const { data } = await got<{ data: object[] }>(send('GET /admin/catalog/versions?limit=2'))
    expect(data).toEqual([
      expect.objectContaining({
        action: 'restore',
        note: 'It was better.',
        changed: { count: 1, names: [name] },
      }),
      expect.objectContaining({ action: 'publish' }),
    ])
    await refused(send('POST /admin/catalog/restore', { body: { version: 1e9 } }), 404, 'not_found')
    for (const version of [0, -1, 1.5, '1'])
      await refused(send('POST /admin/catalog/restore', { body: { version } }), 422, 'invalid_request')
  })

  it('names the skills that a restore shares publicly or withdraws, also on a dry run', async () => {
    await publish({ name })
    await publish({ name: `${name}-off` })
    await publish({ name: `${name}-kept` })
    const patch = (skill: string, body: object): Promise<{ catalog_version: number }> =>
      got(send(`PATCH /admin/skills/${skill}`, { body }))
    await patch(`${name}-off`, { shareable: true })
    await patch(`${name}-kept`, { shareable: true })
    const { catalog_version: version } = await patch(name, { shareable: true })
    await patch(name, { shareable: false })
    // A skill that is switched off is not public either, whatever its flag says.
    await patch(`${name}-off`, { enabled: false })
    await publish({ name: `${name}-new` })
    const { catalog_version: later } = await patch(`${name}-new`, { shareable: true })
    const restore = (to: number, query = ''): Promise<Record<string, unknown>> =>
      got(send(`POST /admin/catalog/restore${query}`, { body: { version: to } }))
    const there = { shared: [name, `${name}-off`], unshared: [`${name}-new`] }
    expect(await restore(version, '?dry_run=1')).toMatchObject({ ...there, dry_run: true })
    expect(await restore(version)).toMatchObject(there)
    expect(await restore(version)).toMatchObject({ shared: [], unshared: [] })
    expect(await restore(later)).toMatchObject({ shared: there.unshared, unshared: there.shared })
  })

  it('lists its versions in pages without gaps', async () => {
    for (const text of ['1', '2', '3']) await publish({ name, body: text })
    type Page = { data: { version: number }[]; next_cursor: string | null }
    const all = async (limit: number): Promise<Page['data']> => {
      const data: Page['data'] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const after: string = cursor === '' ? '' : `&cursor=${cursor}`
        const page: Page = await got<Page>(send(`GET /admin/catalog/versions?limit=${limit}${after}`))
        data.push(...page.data)
        cursor = page.next_cursor
      }
      return data
    }
    const whole = await all(100)
    expect(whole.length).toBeGreaterThan(3)
    expect(await all(2)).toEqual(whole)
    expect(whole.map(({ version }) => version)).toEqual(whole.map((_, at) => (whole[0]?.version ?? 0) - at))
    await refused(send('GET /admin/catalog/versions?cursor=zzz'), 400, 'bad_cursor')
  })
})
