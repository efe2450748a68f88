// Guards what unauthenticated clients may fetch: only skills that are shared, enabled and not internal, with the bytes
// that the index names by digest; everything else looks alike. Disabling takes effect at once, and a publish in between
// breaks no fetch.

import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sha256Hex, utf8 } from '../../src/lib/bytes.ts'
import { SKILL_DESCRIPTION_MAX_CHARS } from '../../src/limits/skills.ts'
import type { SkillInfo } from '../../src/skills/view/skill-info.ts'
import { unpackArchive } from '../../src/skills/package/archive.ts'
import { foreignKey, got, publish, refused, send, serveSkills } from './api-fixture.ts'
import { skillFiles, type SeedSkill } from './seed-build.ts'

interface Listed {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly url: string
  readonly digest: string
}

const NEW = '/.well-known/agent-skills'
const OLD = '/.well-known/skills'
const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'
const FILES = { 'references/a b.md': 'A.', 'scripts/run.py': 'print(1)\n', 'assets/x.bin': '\0\u0001' }

let count = 0
let name = ''

beforeAll(() =>
  serveSkills([
    { name: 'alpha', files: FILES },
    { name: 'ümlaut' },
    { name: 'Loud-Name' },
    { name: 'wordy', description: '😀'.repeat(800), fields: { when_to_use: 'Always.' } },
  ]),
)

beforeEach(() => {
  name = `shared-${++count}`
})

/** A request without a key. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return send(`${method} ${path}`, { key: null, headers })
}

async function change(skill: string, patch: object): Promise<void> {
  await got(send(`PATCH /admin/skills/${encodeURIComponent(skill)}`, { body: patch }))
}

async function share(skill: SeedSkill): Promise<string> {
  const { skill: made } = await publish(skill)
  await change(skill.name, { shareable: true })
  return made.digest
}

async function listed(): Promise<readonly Listed[]> {
  const { $schema, skills } = await got<{ $schema: string; skills: Listed[] }>(ask(`${NEW}/index.json`))
  expect($schema).toBe(SCHEMA)
  return skills
}

async function entryOf(skill: string): Promise<Listed | undefined> {
  return (await listed()).find((one) => one.name === skill)
}

/** The entry of a skill that must be listed. */
async function mustList(skill: string): Promise<Listed> {
  const entry = await entryOf(skill)
  if (!entry) throw new Error(`${skill} is not listed`)
  return entry
}

async function oldFiles(skill: string): Promise<readonly string[] | undefined> {
  const { skills } = await got<{ skills: { name: string; files: string[] }[] }>(ask(`${OLD}/index.json`))
  return skills.find((one) => one.name === skill)?.files
}

/** Fetches an entry as a client does: a wrong digest is a failure. */
async function fetched({ url, digest }: Listed): Promise<Uint8Array<ArrayBuffer>> {
  const response = await ask(url)
  expect(response.status).toBe(200)
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(`sha256:${await sha256Hex(bytes)}`).toBe(digest)
  return bytes
}

async function nothing(path: string): Promise<unknown> {
  const response = await ask(path)
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
  const problem = await refused(Promise.resolve(response), 404, 'not_found')
  return { ...problem, request_id: '' }
}

describe('a shared skill', () => {
  it('of one file is listed as SKILL.md, and served byte for byte', async () => {
    await share({ name, body: 'Line.  \r\nÜber \u200Ball.\r\n' })
    const entry = await mustList(name)
    expect(entry).toEqual({
      name,
      type: 'skill-md',
      description: `Use for tests of ${name}.`,
      url: `${NEW}/${name}/${entry.digest.slice('sha256:'.length)}/SKILL.md`,
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    })
    expect(await fetched(entry)).toEqual(
      skillFiles({ name, body: 'Line.  \r\nÜber \u200Ball.\r\n' }).get('SKILL.md'),
    )
    const response = await ask(entry.url)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'content-disposition': 'attachment; filename="SKILL.md"',
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
    })
  })

  it('of several files is an archive with the files at its root', async () => {
    const skill = { name, files: FILES }
    await share(skill)
    const entry = await mustList(name)
    expect(entry).toMatchObject({ type: 'archive', url: expect.stringMatching(/\/[0-9a-f]{64}\.tar\.gz$/) })
    const unpacked = await unpackArchive(await fetched(entry))
    expect(unpacked.ok && unpacked.value).toEqual(skillFiles(skill))
    expect((await ask(entry.url)).headers.get('Content-Type')).toBe('application/gzip')
  })

  it('may be built in, or hidden from the model', async () => {
    // Twice: a skill that is shared again gives exactly the same index.
    for (let turn = 0; turn < 2; turn++) {
      await change('alpha', { shareable: true })
      await fetched(await mustList('alpha'))
      await change('alpha', { shareable: false })
    }
    await share({ name, fields: { 'disable-model-invocation': 'true' } })
    await fetched(await mustList(name))
  })

  it('is listed for clients of 0.1.0, file by file', async () => {
    const skill = { name, files: FILES }
    await share(skill)
    expect(await oldFiles(name)).toEqual(['SKILL.md', ...Object.keys(FILES)].toSorted())
    for (const [path, bytes] of skillFiles(skill)) {
      const response = await ask(`${OLD}/${name}/${path.split('/').map(encodeURIComponent).join('/')}`)
      expect(new Uint8Array(await response.arrayBuffer()), path).toEqual(bytes)
    }
    const typeOf = async (path: string) => (await ask(`${OLD}/${name}/${path}`)).headers.get('Content-Type')
    expect(await typeOf('SKILL.md')).toBe('text/markdown; charset=utf-8')
    expect(await typeOf('scripts/run.py')).toBe('text/plain; charset=utf-8')
    expect(await typeOf('assets/x.bin')).toBe('application/octet-stream')
  })

  it('is packed once, however often it is listed and fetched', async () => {
    await share({ name, files: FILES })
    const entry = await mustList(name)
    const key = `ws/default/blob/${entry.digest.slice('sha256:'.length)}`
    const first = await env.RESOURCES.head(key)
    expect(first).not.toBeNull()
    // In another catalog version, the list is built again, but the archive is not.
    await publish({ name: `${name}-other` })
    expect(await mustList(name)).toEqual(entry)
    await fetched(entry)
    expect((await env.RESOURCES.head(key))?.version).toBe(first?.version)
  })

  it('has a description of at most 1,024 UTF-16 units, without half a character', async () => {
    await change('wordy', { shareable: true })
    const { description } = await mustList('wordy')
    expect(description.length).toBeLessThanOrEqual(SKILL_DESCRIPTION_MAX_CHARS)
    expect(description.isWellFormed()).toBe(true)
    expect(description.endsWith('😀…')).toBe(true)
    await change('wordy', { shareable: false })
  })
})

describe('a repeated request', () => {
  it('gets 304 while nothing changed, for index, archive and file', async () => {
    await share({ name, files: FILES })
    const { url } = await mustList(name)
    const briefly = 'public, max-age=60'
    for (const [path, cache] of [
      [`${NEW}/index.json`, briefly],
      [`${OLD}/index.json`, briefly],
      [`${OLD}/${name}/SKILL.md`, briefly],
      [url, 'public, max-age=86400, immutable'],
    ] as const) {
      const response = await ask(path)
      const tag = response.headers.get('ETag') ?? ''
      expect(tag, path).toMatch(/^"[0-9a-f]{64}"$/)
      expect(tag.slice(1, -1)).toBe(await sha256Hex(new Uint8Array(await response.arrayBuffer())))
      for (const known of [tag, `"other", W/${tag}`, '*']) {
        const again = await ask(path, { 'If-None-Match': known })
        expect([again.status, await again.text()], path).toEqual([304, ''])
        expect(Object.fromEntries(again.headers)).toMatchObject({
          etag: tag,
          'cache-control': cache,
          'access-control-allow-origin': '*',
        })
      }
      const head = await ask(path, {}, 'HEAD')
      expect([head.status, await head.text()], path).toEqual([200, ''])
      for (const header of ['Content-Type', 'ETag', 'Cache-Control', 'Access-Control-Allow-Origin'])
        expect(head.headers.get(header), header).toBe(response.headers.get(header))
    }
    expect((await ask(`${NEW}/index.json`, { 'If-None-Match': '"other"' })).status).toBe(200)
    expect((await ask(`${NEW}/index.json`)).headers.get('Content-Type')).toBe('application/json')
  })

  it('sees each change of shared skills, and no other', async () => {
    const before = (await ask(`${NEW}/index.json`)).headers.get('ETag')
    await publish({ name })
    expect((await ask(`${NEW}/index.json`)).headers.get('ETag')).toBe(before)
    await change(name, { shareable: true })
    expect((await ask(`${NEW}/index.json`)).headers.get('ETag')).not.toBe(before)
  })
})

describe('a skill that is not shared', () => {
  it('is not listed, and its URLs look like ones that never existed', async () => {
    const skill = { name, files: FILES }
    const digest = await share(skill)
    const { url } = await mustList(name)
    const unknown = await nothing(`${NEW}/never-was/${'0'.repeat(64)}.tar.gz`)
    const paths = [url, `${OLD}/${name}/SKILL.md`, `${OLD}/${name}/scripts/run.py`]
    const isGone = async (why: string) => {
      expect(await entryOf(name), why).toBeUndefined()
      expect(await oldFiles(name), why).toBeUndefined()
      for (const path of paths) expect(await nothing(path), `${why} ${path}`).toEqual(unknown)
    }
    for (const [off, on] of [
      [{ enabled: false }, { enabled: true }],
      [{ shareable: false }, { shareable: true }],
    ] as const) {
      await change(name, off)
      await isGone(JSON.stringify(off))
      await change(name, on)
      await fetched(await mustList(name))
    }
    await got(send(`DELETE /admin/skills/${name}`))
    await isGone('unpublished')
    // After it is published again, it must be shared again.
    await change(name, { digest })
    await isGone('brought back, not shared')
  })

  it('because it is marked internal stays so, even when it is switched to shareable', async () => {
    await share({ name, fields: { metadata: '\n  internal: true' } })
    expect(await entryOf(name)).toBeUndefined()
    await nothing(`${OLD}/${name}/SKILL.md`)
    const { diagnostics } = await got<{ diagnostics: { rule: string }[] }>(send(`GET /admin/skills/${name}`))
    expect(diagnostics.map(({ rule }) => rule)).toContain('share-internal')
    for (const query of ['', '?dry_run=1']) {
      const line = `PATCH /admin/skills/${name}${query}`
      const { skill } = await got<{ skill: SkillInfo }>(send(line, { body: { shareable: true } }))
      expect(skill.diagnostics).toEqual(diagnostics)
    }
    const untrusted = await got<{ diagnostics: { rule: string }[] }>(send(`GET /v1/skills/${name}`))
    expect(untrusted.diagnostics.map(({ rule }) => rule)).not.toContain('share-internal')
  })

  it('because no client accepts its name hides no other, and is reported to admins', async () => {
    await share({ name })
    for (const odd of ['ümlaut', 'Loud-Name']) {
      await change(odd, { shareable: true })
      expect(await entryOf(odd)).toBeUndefined()
      expect(await oldFiles(odd)).toBeUndefined()
      await nothing(`${OLD}/${encodeURIComponent(odd)}/SKILL.md`)
      const { diagnostics } = await got<{ diagnostics: { rule: string }[] }>(
        send(`GET /admin/skills/${encodeURIComponent(odd)}`),
      )
      expect(diagnostics.map(({ rule }) => rule)).toContain('share-name')
    }
    expect(await mustList(name)).toBeDefined()
  })

  it('because no archive can hold its paths hides no other, and is reported to admins', async () => {
    await share({ name: `${name}-fine` })
    await share({ name, files: { [`references/${'long'.repeat(30)}.md`]: 'x' } })
    expect(await entryOf(name)).toBeUndefined()
    expect(await mustList(`${name}-fine`)).toBeDefined()
    const { diagnostics } = await got<{ diagnostics: { rule: string }[] }>(send(`GET /admin/skills/${name}`))
    expect(diagnostics.map(({ rule }) => rule)).toContain('share-path')
  })

  it('cannot be reached by any path, nor can a file of another skill', async () => {
    await share({ name, files: FILES })
    await publish({ name: `${name}-secret`, body: 'Secret.' })
    const { url, digest } = await mustList(name)
    const sha256 = digest.slice('sha256:'.length)
    const unknown = await nothing(`${OLD}/never-was/SKILL.md`)
    for (const path of [
      `${OLD}/${name}/..%2f${name}-secret/SKILL.md`,
      `${OLD}/${name}/%2e%2e%2f${name}-secret%2fSKILL.md`,
      `${OLD}/${name}/references`,
      `${OLD}/${name}/skill.md`,
      `${OLD}/${name}/SKILL.md%00`,
      `${OLD}/${name}-secret/SKILL.md`,
      `${OLD}/${name}%2fSKILL.md/x`,
      `${OLD}/__proto__/SKILL.md`,
      `${NEW}/${name}/SKILL.md`,
      `${NEW}/${name}/${sha256}`,
      `${NEW}/${name}/${sha256}/SKILL.md`,
      `${NEW}/${name}/${sha256.toUpperCase()}.tar.gz`,
      `${NEW}/${name}-secret/${sha256}.tar.gz`,
      url.replace('.tar.gz', '.zip'),
      `${NEW}/${name}/${'0'.repeat(64)}.tar.gz`,
    ])
      expect(await nothing(path), path).toEqual(unknown)
  })

  it('may belong to another workspace', async () => {
    const key = await foreignKey('other')
    await publish({ name }, { key })
    await got(send(`PATCH /admin/skills/${name}`, { key, body: { shareable: true } }))
    expect(await entryOf(name)).toBeUndefined()
    await nothing(`${OLD}/${name}/SKILL.md`)
    // A key makes no difference here.
    const { skills } = await got<{ skills: Listed[] }>(send(`GET ${NEW}/index.json`, { key }))
    expect(skills.find((one) => one.name === name)).toBeUndefined()
  })
})

describe('between index and fetch', () => {
  it('a publish, a rollback and a pin leave the listed bytes where they were', async () => {
    for (const files of [{}, FILES]) {
      const skill = `${name}-${Object.keys(files).length}`
      await share({ name: skill, files, body: 'One.' })
      const first = await mustList(skill)
      await publish({ name: skill, files, body: 'Two.' })
      await fetched(first)
      const second = await mustList(skill)
      expect(second.digest).not.toBe(first.digest)
      await got(send(`POST /admin/skills/${skill}/rollback`, { body: { to: -1 } }))
      await fetched(second)
      expect(await mustList(skill)).toEqual(first)
    }
  })

  it('a version that was live, shared and never listed has no URL', async () => {
    await share({ name, body: 'One.' })
    const sha256 = await sha256Hex(skillFiles({ name, body: 'One.' }).get('SKILL.md') ?? utf8(''))
    await publish({ name, body: 'Two.' })
    await mustList(name)
    await nothing(`${NEW}/${name}/${sha256}/SKILL.md`)
  })

  it('unsharing withdraws older versions for good; sharing again lists only the live one', async () => {
    await share({ name, body: 'A secret by mistake.' })
    const first = await mustList(name)
    await publish({ name, body: 'Two.' })
    await fetched(await mustList(name))
    await change(name, { shareable: false })
    await change(name, { shareable: true })
    const second = await mustList(name)
    await fetched(second)
    await nothing(first.url)
  })

  it('a custom skill that shadows a shared one is not shared with it', async () => {
    await change('alpha', { shareable: true })
    const builtIn = await mustList('alpha')
    await publish({ name: 'alpha', body: 'Ours.' })
    expect(await entryOf('alpha')).toBeUndefined()
    await nothing(builtIn.url)
    await got(send('DELETE /admin/skills/alpha'))
    expect(await mustList('alpha')).toEqual(builtIn)
    await fetched(builtIn)
    await change('alpha', { shareable: false })
  })

  it('with many concurrent changes, every returned index could be fetched or was withdrawn', async () => {
    await share({ name, files: FILES, body: 'Zero.' })
    const rounds = Array.from({ length: 6 }, async (_, round) => {
      await publish({ name, files: FILES, body: `Round ${round}.` })
      const entry = await mustList(name)
      await fetched(entry)
      return entry.digest
    })
    await Promise.all(rounds)
    const turns = Array.from({ length: 4 }, async () => {
      await change(name, { shareable: false })
      const entry = await entryOf(name)
      await change(name, { shareable: true })
      if (!entry) return
      const response = await ask(entry.url)
      const bytes = new Uint8Array(await response.arrayBuffer())
      if (response.status === 200) expect(`sha256:${await sha256Hex(bytes)}`).toBe(entry.digest)
      else expect(response.status).toBe(404)
    })
    await Promise.all(turns)
    await fetched(await mustList(name))
  })
})
