// Guards archives in the API: every form publishes the same skill, a refused one leaves nothing, and a downloaded archive
// publishes the same skill again.

import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sha256Hex, utf8 } from '../../src/lib/bytes.ts'
import { ARCHIVE_BODY_MAX_BYTES } from '../../src/api/skills/limits.ts'
import { PUBLISH_NOTE_MAX_CHARS } from '../../src/limits/requests.ts'
import { SKILL_FILES_MAX } from '../../src/limits/skills.ts'
import { ARCHIVE_ENTRIES_MAX } from '../../src/skills/package/limits.ts'
import type { Published } from '../../src/skills/publish/publish.ts'
import { packSkill, packTarGz } from '../../src/skills/package/archive-pack.ts'
import { blobKey } from '../../src/skills/store/keys.ts'
import { pax, tarGzOf, tarMember, zipOf } from '../unit/skills/package/archive-bytes.ts'
import { foreignKey, got, makeKey, publish, refused, send, serveSkills, stateOfAll } from './api-fixture.ts'
import { skillFiles } from './seed-build.ts'

type Bytes = Uint8Array<ArrayBuffer>

let count = 0
let name = ''
let files: Map<string, Bytes>

beforeAll(() => serveSkills([{ name: 'alpha', description: 'Built in.', files: { 'references/a.md': 'A' } }]))

beforeEach(() => {
  name = `packed-${++count}`
  files = skillFiles({ name, files: { 'references/a.md': 'The reference.', 'assets/b.bin': '\0\u0001' } })
})

function sendBytes(bytes: Bytes, type: string, query = ''): Promise<Response> {
  const body = new Response(bytes).body
  return send(`POST /admin/skills${query}`, { body, headers: { 'Content-Type': type } })
}

function sendForm(parts: readonly (readonly [field: string, path: string, bytes: Bytes])[], note?: string) {
  const form = new FormData()
  for (const [field, path, bytes] of parts) form.append(field, new Blob([bytes]), path)
  if (note !== undefined) form.append('note', note)
  const { body, headers } = new Response(form)
  return send('POST /admin/skills', { body, headers: { 'Content-Type': headers.get('Content-Type') ?? '' } })
}

async function tarGz(of: ReadonlyMap<string, Bytes>): Promise<Bytes> {
  const packed = await packTarGz(of)
  if (!packed.ok) throw new Error(packed.error.detail)
  return packed.value
}

/** Everything that this workspace has: lists, catalog, and every key in KV and R2. */
async function everything(): Promise<unknown> {
  const [state, kv, r2] = await Promise.all([stateOfAll(), env.SKILLS.list(), env.RESOURCES.list()])
  return { state, kv: kv.keys.map((key) => key.name), r2: r2.objects.map((object) => object.key) }
}

async function bytesOf(answer: Promise<Response>): Promise<Bytes> {
  const response = await answer
  expect(response.status).toBe(200)
  return new Uint8Array(await response.arrayBuffer())
}

describe('publishing a package', () => {
  it('creates the same version from every form', async () => {
    const json = {
      files: Object.fromEntries(Array.from(files, ([path]) => [path, text(path)])),
      note: 'One.',
    }
    const first = await got<Published>(send('POST /admin/skills', { body: json }), 201)
    expect(first.skill).toMatchObject({ name, files: 3 })
    const skill = packSkill(name, files)
    const tar = await tarGz(files)
    const wrapped = await tarGz(new Map(Array.from(files, ([path, bytes]) => [`${name}/${path}`, bytes])))
    const fields = Array.from(files)
    const forms: readonly (readonly [string, () => Promise<Response>])[] = [
      ...['application/zip', 'application/x-zip-compressed', 'application/vnd.agent-skill+zip'].map(
        (type) => [type, () => sendBytes(skill, type)] as const,
      ),
      ...['application/gzip', 'application/x-gzip', 'application/x-tar+gzip'].map(
        (type) => [type, () => sendBytes(tar, type)] as const,
      ),
      ['a wrapped tar', () => sendBytes(wrapped, 'application/gzip')],
      ['a zip by its first bytes', () => sendBytes(skill, 'application/octet-stream')],
      ['a tar by its first bytes', () => sendBytes(tar, 'application/octet-stream; x=y')],
      ['a zip that is called a tar', () => sendBytes(skill, 'application/gzip')],
      ['files[]', () => sendForm(fields.map(([path, bytes]) => ['files[]', path, bytes]))],
      [
        'files in a folder',
        () => sendForm(fields.map(([path, bytes]) => ['files', `${name}/${path}`, bytes])),
      ],
      ['paths in fields', () => sendForm(fields.map(([path, bytes]) => [`files[${path}]`, 'x', bytes]))],
      ['an archive in a form', () => sendForm([['file', `${name}.skill`, skill]], 'A note.')],
    ]
    for (const [form, sent] of forms) {
      const again = await got<Published>(sent(), 200)
      expect(again, form).toMatchObject({ created: false, skill: { digest: first.skill.digest } })
    }
  })

  it('keeps the note of each form', async () => {
    const note = 'Größer & besser'
    await got(sendBytes(packSkill(name, files), 'application/zip', `?note=${encodeURIComponent(note)}`), 201)
    files.set('more.md', utf8('x'))
    await got(
      sendForm(
        Array.from(files, ([path, bytes]) => ['files[]', path, bytes]),
        note,
      ),
      201,
    )
    const { data } = await got<{ data: { note: string }[] }>(send(`GET /admin/skills/${name}/versions`))
    expect(data.map((version) => version.note)).toEqual([note, note])
  })

  it('changes nothing on a dry run', async () => {
    const before = await everything()
    const bytes = packSkill(name, files)
    const trial = await got<Published>(sendBytes(bytes, 'application/zip', '?dry_run=1'))
    expect(trial).toMatchObject({ created: false, skill: { name } })
    expect(await everything()).toEqual(before)
  })
})

describe('a refused package leaves nothing behind', () => {
  const SKILL = { name: 'SKILL.md', content: '---\nname: evil\ndescription: Evil.\n---\n\nBody.\n' }
  it.each<[string, Bytes, number, string]>([
    ['a path with ..', zipOf([SKILL, { name: '../evil' }]), 422, 'invalid_archive'],
    ['a link', tarGzOf([SKILL, { name: 'x', kind: '2', link: '/etc' }]), 422, 'invalid_archive'],
    ['a sparse file', tarGzOf([SKILL, { name: 'x', kind: 'S', content: 'x' }]), 422, 'invalid_archive'],
    ['too many headers', tarGzOf([SKILL, ...output()]), 413, 'too_large'],
    ['conflicting names', zipOf([SKILL, { name: 'skill.md' }]), 422, 'invalid_archive'],
    ['encryption', zipOf([SKILL, { name: 'x', content: 'x', flags: 0x801 }]), 422, 'invalid_archive'],
    ['lies', zipOf([{ ...SKILL, local: { size: 3 } }]), 422, 'invalid_archive'],
    ['no end', zipOf([SKILL]).slice(0, -4), 422, 'invalid_archive'],
    ['not an archive', utf8('Just text.'), 422, 'invalid_archive'],
    ['a bomb', zipOf([{ ...SKILL, content: new Uint8Array(9_000_000) }]), 413, 'too_large'],
    ['too many files', zipOf(many(SKILL)), 413, 'too_large'],
    ['no SKILL.md', zipOf([{ name: 'README.md', content: 'x' }]), 422, 'invalid_skill'],
    [
      'two skills',
      zipOf(['a', 'b'].map((top) => ({ ...SKILL, name: `${top}/SKILL.md` }))),
      422,
      'invalid_skill',
    ],
    ['an invalid skill', zipOf([{ ...SKILL, content: 'Just text.' }]), 422, 'invalid_skill'],
  ])('with %s', async (_, bytes, status, code) => {
    const before = await everything()
    const problem = await refused(sendBytes(bytes, 'application/octet-stream'), status, code)
    expect(problem.detail).toMatch(/\.$/)
    expect(await everything()).toEqual(before)
  })

  it('with more bytes than a request may have, counted as they arrive', async () => {
    const before = await everything()
    let left = ARCHIVE_BODY_MAX_BYTES + 1
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const some = Math.min(left, 1_048_576)
        left -= some
        if (some === 0) controller.close()
        else controller.enqueue(new Uint8Array(some))
      },
    })
    const sent = send('POST /admin/skills', { body, headers: { 'Content-Type': 'application/zip' } })
    await refused(sent, 413, 'too_large')
    expect(await everything()).toEqual(before)
  })

  it('as a form, and the error names the field', async () => {
    const before = await everything()
    const skill = files.get('SKILL.md') ?? utf8('')
    const wrong = async (
      parts: Parameters<typeof sendForm>[0],
      message: RegExp,
      code = 'invalid_request',
    ) => {
      const problem = await refused(sendForm(parts), 422, code)
      expect(JSON.stringify(problem.errors)).toMatch(message)
    }
    await wrong([], /files\[\]/)
    await wrong([['upload', 'SKILL.md', skill]], /not a field/)
    const double: Parameters<typeof sendForm>[0] = ['one', 'two'].map(() => ['files[]', 'SKILL.md', skill])
    await wrong(double, /without their folders.*files\[references/)
    const climbing: Parameters<typeof sendForm>[0] = [
      ['files[]', 'SKILL.md', skill],
      ['files[../evil.md]', 'x', skill],
    ]
    await wrong(climbing, /dots/, 'invalid_skill')
    const noted = sendForm([['files[]', 'SKILL.md', skill]], 'x'.repeat(PUBLISH_NOTE_MAX_CHARS + 1))
    await refused(noted, 422, 'invalid_request')
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
    await refused(send('POST /admin/skills', { body: 'no form', headers }), 422, 'invalid_request')
    expect(await everything()).toEqual(before)
  })

  it('of an unsupported type, and the error lists the supported ones', async () => {
    for (const type of ['text/plain', 'application/x-7z-compressed', '']) {
      const problem = await refused(sendBytes(utf8('x'), type), 415, 'unsupported_media_type')
      expect(problem.detail).toMatch(/application\/zip.*application\/gzip/)
    }
    const headers = { 'Content-Type': 'application/zip', 'Content-Encoding': 'gzip' }
    await refused(send('POST /admin/skills', { body: 'x', headers }), 415, 'unsupported_media_type')
    const note = `?note=${'x'.repeat(PUBLISH_NOTE_MAX_CHARS + 1)}`
    await refused(sendBytes(packSkill(name, files), 'application/zip', note), 422, 'invalid_request')
  })

  it('with a note or acceptance in the query, which belong in the body of JSON or a form', async () => {
    const form = new Response(new FormData()).headers.get('Content-Type') ?? ''
    for (const type of ['application/json', form])
      for (const field of ['note', 'accept']) {
        const problem = await refused(
          sendBytes(utf8('{"files": {}}'), type, `?${field}=x`),
          422,
          'invalid_request',
        )
        expect(problem.errors).toEqual([{ path: field, message: expect.stringContaining('in the body') }])
      }
  })
})

describe('a version as an archive', () => {
  it('publishes the same skill again, and has the same bytes each time', async () => {
    const { skill } = await got<Published>(sendBytes(packSkill(name, files), 'application/zip'), 201)
    for (const [format, type] of [
      ['skill', 'application/zip'],
      ['tar.gz', 'application/gzip'],
    ] as const) {
      const line = `GET /admin/skills/${name}/archive?format=${format}`
      const response = await send(line)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': type,
        'content-disposition': `attachment; filename="${name}.${format}"`,
        etag: `"${skill.digest}"`,
        'x-content-type-options': 'nosniff',
      })
      const bytes = await bytesOf(Promise.resolve(response))
      expect(await bytesOf(send(line))).toEqual(bytes)
      const again = await got<Published>(sendBytes(bytes, type), 200)
      expect(again).toMatchObject({ created: false, skill: { digest: skill.digest } })
      const known = await send(line, { headers: { 'If-None-Match': `W/"x", "${skill.digest}"` } })
      expect([known.status, await known.text()]).toEqual([304, ''])
    }
    expect(await bytesOf(send(`GET /admin/skills/${name}/archive`))).toEqual(packSkill(name, files))
  })

  it('can be an earlier one, one of an unpublished skill, or a built-in one', async () => {
    const first = await publish({ name, body: 'One.' })
    await publish({ name, body: 'Two.' })
    const one = packSkill(name, skillFiles({ name, body: 'One.' }))
    const line = `GET /admin/skills/${name}/archive?digest=${first.skill.digest}`
    expect(await bytesOf(send(line))).toEqual(one)
    await got(send(`DELETE /admin/skills/${name}`))
    expect(await bytesOf(send(line))).toEqual(one)
    await refused(send(`GET /admin/skills/${name}/archive`), 404, 'not_found')
    const built = await bytesOf(send('GET /admin/skills/alpha/archive'))
    expect(built.slice(0, 2)).toEqual(utf8('PK'))
  })

  it('breaks off without a proper end when a file after the first is damaged', async () => {
    // Hardly compressible, so that output is sent before the next file is read.
    for (const at of [0, 1])
      files.set(
        `assets/z${at}.bin`,
        Uint8Array.from({ length: 400_000 }, (_, i) => Math.imul(i + count + at, 2_654_435_761) >>> 11),
      )
    await got(sendBytes(packSkill(name, files), 'application/zip'), 201)
    const key = blobKey({ workspace: 'default' }, await sha256Hex(files.get('assets/z1.bin') ?? ''))
    await env.RESOURCES.put(key, 'other bytes')
    const logged: string[] = []
    const log = console.error
    console.error = (line: string) => logged.push(line)
    try {
      for (const format of ['skill', 'tar.gz']) {
        const response = await send(`GET /admin/skills/${name}/archive?format=${format}`)
        expect(response.status).toBe(200)
        expect(response.headers.get('Content-Length')).toBeNull()
        await expect(response.arrayBuffer()).rejects.toThrow('missing or damaged')
      }
    } finally {
      console.error = log
    }
    const lines = logged.map((line): unknown => JSON.parse(line))
    expect(lines).toHaveLength(2)
    for (const line of lines)
      expect(line).toMatchObject({
        at: 'archive',
        request_id: expect.stringMatching(/^req_/),
        skill: name,
        error: expect.stringContaining('missing or damaged'),
      })
  })

  it('is refused when the first file is damaged, and HEAD packs nothing', async () => {
    await got(sendBytes(packSkill(name, files), 'application/zip'), 201)
    const head = await send(`HEAD /admin/skills/${name}/archive`)
    expect([head.status, await head.text()]).toEqual([200, ''])
    const broken = { name: `${name}-b`, body: `First of ${name}.` }
    await publish(broken)
    const body = skillFiles(broken).get('SKILL.md') ?? new Uint8Array()
    await env.RESOURCES.delete(blobKey({ workspace: 'default' }, await sha256Hex(body)))
    for (const format of ['skill', 'tar.gz'])
      await refused(send(`GET /admin/skills/${name}-b/archive?format=${format}`), 503, 'catalog_broken')
  })

  it('is refused to others, for other formats, and if it was never published', async () => {
    const { skill } = await publish({ name })
    const path = `/admin/skills/${name}/archive`
    const chat = await makeKey('chat')
    await refused(send(`GET ${path}`, { key: chat.key }), 403, 'forbidden')
    const foreign = await foreignKey('elsewhere')
    for (const query of ['', `?digest=${skill.digest}`])
      await refused(send(`GET ${path}${query}`, { key: foreign }), 404, 'not_found')
    await refused(send(`GET ${path}?format=rar`), 422, 'invalid_request')
    await refused(send(`GET ${path}?digest=abc`), 422, 'invalid_request')
    await refused(send(`GET ${path}?digest=${'0'.repeat(64)}`), 404, 'not_found')
    await refused(send('GET /admin/skills/no-such-skill/archive'), 404, 'not_found')
  })
})

describe('one file of a version', () => {
  it('is returned as it is, never as a page', async () => {
    const html = '<script>alert(1)</script>'
    files.set('assets/x.html', utf8(html))
    files.set('assets/ü "1".md', utf8('Ü'))
    await got(sendBytes(packSkill(name, files), 'application/zip'), 201)
    const path = `/admin/skills/${name}/files/assets`
    const page = await send(`GET ${path}/x.html`)
    expect(await page.text()).toBe(html)
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="x.html"',
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
    })
    const binary = await send(`GET ${path}/b.bin`)
    expect(binary.headers.get('Content-Type')).toBe('application/octet-stream')
    expect(await bytesOf(Promise.resolve(binary))).toEqual(files.get('assets/b.bin'))
    const odd = await send(`GET ${path}/${encodeURIComponent('ü "1".md')}`)
    expect(await odd.text()).toBe('Ü')
    expect(odd.headers.get('Content-Disposition')).toBe('attachment; filename="1-.md"')
    const etag = page.headers.get('ETag') ?? ''
    const known = await send(`GET ${path}/x.html`, { headers: { 'If-None-Match': etag } })
    expect(known.status).toBe(304)
    const head = await send(`HEAD ${path}/x.html`)
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('must belong to that version', async () => {
    const first = await publish({ name, files: { 'old.md': 'Old.' } })
    await publish({ name })
    const path = `/admin/skills/${name}/files`
    await refused(send(`GET ${path}/old.md`), 404, 'not_found')
    const old = await send(`GET ${path}/old.md?digest=${first.skill.digest}`)
    expect(await old.text()).toBe('Old.')
    for (const other of ['..%2f..%2fSKILL.md', '%2e%2e', first.skill.digest, 'skill.md', 'references'])
      await refused(send(`GET ${path}/${other}`), 404, 'not_found')
    await refused(send(`GET ${path}/SKILL.md`, { key: await foreignKey('elsewhere') }), 404, 'not_found')
    const built = await send('GET /admin/skills/alpha/files/references/a.md')
    expect(await built.text()).toBe('A')
  })
})

function text(path: string): string {
  return new TextDecoder().decode(files.get(path))
}

/** Half of these are not members, but they are still counted. */
function output(): Bytes[] {
  return Array.from({ length: ARCHIVE_ENTRIES_MAX / 2 }, (_, at) => [
    pax({ a: 'b' }),
    tarMember({ name: `f${at}/` }),
  ]).flat()
}

function many(skill: { name: string; content: string }) {
  const more = Array.from({ length: SKILL_FILES_MAX }, (_, at) => ({ name: `f${at}`, method: 0 }))
  return [skill, ...more]
}
