// Promise: skills:add adds skills from every kind of source, verified and locked by digest. A refusal leaves nothing
// behind, an edit is never lost, and no program of a skill is run.
// readme: npm run skills:add

import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { strToU8, zipSync } from 'fflate'
import { packTar, type TarEntry } from 'modern-tar'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { finished, md, put, script, temporary } from './satchel.ts'
import { sharedSatchel } from './shared.ts'

type Files = Readonly<Record<string, string>>
interface Answer {
  readonly status?: number
  readonly body?: Uint8Array | string
  readonly headers?: Readonly<Record<string, string>>
}

let server: Server
let origin: string
let pages: Record<string, Answer>
let requested: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
let into: string

beforeAll(async () => {
  server = createServer((request, response) => {
    requested.push({ path: request.url ?? '', headers: request.headers })
    const { status, body, headers } = pages[request.url ?? ''] ?? { status: 404 }
    response.writeHead(status ?? 200, { ...headers }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
})
afterAll(async () => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  pages = {}
  requested = []
  into = temporary()
})
afterEach(() => rmSync(into, { recursive: true, force: true }))

async function tarball(files: Files, prefix = '', commit?: string): Promise<Uint8Array> {
  const entries = Object.entries(files).map(([path, text]): TarEntry => ({
    header: {
      name: prefix + path,
      size: Buffer.byteLength(text),
      type: 'file',
      ...(commit === undefined ? {} : { pax: { comment: commit } }),
    },
    body: text,
  }))
  return gzipSync(await packTar(entries))
}

const zip = (files: Files): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])))

const ONE = 'a'.repeat(40)
const TWO = 'b'.repeat(40)

/** The repository acme/tools as it is at `commit`, which is the default branch's head. */
async function push(files: Files, commit: string): Promise<void> {
  const body = await tarball(files, `tools-${commit.slice(0, 7)}/`, commit)
  pages['/acme/tools/tar.gz/HEAD'] = { body }
  pages[`/acme/tools/tar.gz/${commit}`] = { body }
}

const REPO: Files = {
  'README.md': 'tools',
  'skills/pdf/SKILL.md': md('pdf'),
  'skills/pdf/scripts/run.sh': '#!/bin/sh\ntouch ran\n',
  'skills/xlsx/SKILL.md': md('xlsx'),
  'src/main.c': 'int main() {}',
}

interface Ran {
  readonly status: number | null
  readonly out: string
}

async function add(...args: readonly string[]): Promise<Ran> {
  return addWith({}, ...args)
}

async function addWith(env: Record<string, string>, ...args: readonly string[]): Promise<Ran> {
  const position = args.includes('--to') ? [] : ['--into', into]
  return finished(
    script('add-skills.ts', [...args, ...position], {
      SKILLS_GITHUB_URL: origin,
      GITHUB_TOKEN: '',
      NO_COLOR: '1',
      ...env,
    }),
  )
}

const there = (): string[] => readdirSync(into).toSorted()
const text = (path: string): string => readFileSync(join(into, path), 'utf8')
const lockFile = (): string => text('skills-lock.json')

const edit = (path: string, content: string): void => put(join(into, path), content)

test('adds and locks a skill of a repository, and names its programs without running them', async () => {
  await push(REPO, ONE)
  const ran = await add('acme/tools@pdf', '--yes')
  expect(ran, ran.out).toMatchObject({ status: 0 })
  expect(ran.out).toContain('contains 1 program (none was run): scripts/run.sh')
  expect(there()).toEqual(['pdf', 'skills-lock.json'])
  expect(readdirSync(join(into, 'pdf'), { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
    'SKILL.md',
    'scripts',
    'scripts/run.sh',
  ])
  expect(text('pdf/SKILL.md')).toBe(md('pdf'))
  expect(JSON.parse(lockFile())).toMatchObject({
    version: 1,
    skills: { pdf: { source: 'acme/tools', ref: null, commit: ONE, path: 'skills/pdf' } },
  })
})

test('lists several skills, and adds none until they are named', async () => {
  await push(REPO, ONE)
  const listed = await add('acme/tools', '--list')
  expect(listed).toMatchObject({ status: 0, out: expect.stringMatching(/pdf .*\n.*xlsx /) })
  const one = await add('acme/tools', '--list', '--skill', 'xlsx')
  expect(one).toMatchObject({ status: 0, out: expect.stringContaining('xlsx') })
  expect(one.out).not.toContain('pdf')
  const typo = await add('acme/tools', '--list', '--skill', 'xslx')
  expect(typo).toMatchObject({ status: 1, out: expect.stringContaining('no skill xslx') })
  const allowed_calls = await add('acme/tools', '--yes')
  expect(allowed_calls).toMatchObject({ status: 1, out: expect.stringContaining('--skill') })
  const shy = await add('acme/tools', '--all')
  expect(shy).toMatchObject({ status: 2, out: expect.stringContaining('--yes') })
  expect((await add('acme/tools', '--all', '--dry-run')).status).toBe(0)
  expect(there()).toEqual([])
  expect((await add('acme/tools', '--all', '--yes')).status).toBe(0)
  expect(there()).toEqual(['pdf', 'skills-lock.json', 'xlsx'])
})

test('adding a skill again changes no byte, even after later commits of other files', async () => {
  await push(REPO, ONE)
  await add('acme/tools', '--all', '--yes')
  const before = lockFile()
  await push({ ...REPO, 'README.md': 'new words' }, TWO)
  expect((await add('acme/tools', '--all', '--yes')).out).toContain('same     2 skills')
  expect((await add('--yes')).status).toBe(0)
  expect(lockFile()).toBe(before)
})

test('restores locked skills at their commit; --update fetches the newest', async () => {
  await push(REPO, ONE)
  await add('acme/tools', '--all', '--yes')
  const before = lockFile()
  await push({ ...REPO, 'skills/pdf/SKILL.md': md('pdf', 'Changed.') }, TWO)
  rmSync(join(into, 'pdf'), { recursive: true })
  const restored = await add('--yes')
  expect(restored, restored.out).toMatchObject({ status: 0 })
  expect(text('pdf/SKILL.md')).toBe(md('pdf'))
  expect(lockFile()).toBe(before)

  const refused = await add('acme/tools', '--all', '--yes')
  expect(refused).toMatchObject({ status: 1, out: expect.stringContaining('--update') })
  expect(text('pdf/SKILL.md')).toBe(md('pdf'))
  expect((await add('--update', '--yes')).status).toBe(0)
  expect(text('pdf/SKILL.md')).toContain('Changed.')
  expect(JSON.parse(lockFile())).toMatchObject({ skills: { pdf: { commit: TWO }, xlsx: { commit: ONE } } })
})

test('refuses a commit whose bytes differ from the lock', async () => {
  await push(REPO, ONE)
  await add('acme/tools@pdf', '--yes')
  await push({ ...REPO, 'skills/pdf/SKILL.md': md('pdf', 'Replaced in place.') }, ONE)
  rmSync(join(into, 'pdf'), { recursive: true })
  expect(await add('--yes')).toMatchObject({
    status: 1,
    out: expect.stringContaining('changed at its source'),
  })
  expect(there()).toEqual(['skills-lock.json'])
})

test('writes nothing when a skill was edited, except with --force', async () => {
  await push(REPO, ONE)
  await add('acme/tools', '--all', '--yes')
  edit('pdf/SKILL.md', md('pdf', 'My own words.'))
  rmSync(join(into, 'xlsx'), { recursive: true })
  const refused = await add('--yes', '--update')
  expect(refused).toMatchObject({ status: 1, out: expect.stringContaining('edited here') })
  expect(text('pdf/SKILL.md')).toContain('My own words.')
  expect(there()).toEqual(['pdf', 'skills-lock.json'])
  expect((await add('--yes', '--force')).status).toBe(0)
  expect(text('pdf/SKILL.md')).toBe(md('pdf'))
  expect(there()).toEqual(['pdf', 'skills-lock.json', 'xlsx'])
})

test('refuses to replace a folder that it did not add', async () => {
  await push(REPO, ONE)
  edit('pdf/SKILL.md', md('pdf', 'Ours.'))
  expect(await add('acme/tools@pdf', '--yes')).toMatchObject({
    status: 1,
    out: expect.stringContaining('--force'),
  })
  expect(there()).toEqual(['pdf'])
})

test('reads archives in every layout, by URL and from disk, and a single SKILL.md', async () => {
  pages['/wrapped.zip'] = { body: zip({ 'one/SKILL.md': md('one'), 'one/a.md': 'a' }) }
  pages['/root.skill'] = { body: zip({ 'SKILL.md': md('two') }) }
  pages['/root.tar.gz'] = { body: await tarball({ 'SKILL.md': md('three') }) }
  pages['/repo.tgz'] = { body: await tarball(REPO, 'tools-main/') }
  pages['/far/SKILL.md'] = { body: md('four') }
  pages['/moved.zip'] = { status: 302, headers: { Location: '/six.zip' } }
  pages['/six.zip'] = { body: zip({ 'SKILL.md': md('six') }) }
  const all = ['downloads', 'five', 'four', 'one', 'six', 'skills-lock.json', 'three', 'two', 'xlsx']
  for (const name of ['wrapped.zip', 'root.skill', 'root.tar.gz', 'far/SKILL.md', 'moved.zip']) {
    const ran = await add(`${origin}/${name}`, '--yes')
    expect(ran.status, ran.out).toBe(0)
  }
  expect((await add(`${origin}/repo.tgz`, '--skill', 'xlsx', '--yes')).status).toBe(0)
  edit('downloads/five.skill', '')
  writeFileSync(join(into, 'downloads/five.skill'), zip({ 'five/SKILL.md': md('five') }))
  expect((await add(join(into, 'downloads/five.skill'), '--yes')).status).toBe(0)
  expect(there()).toEqual(all)
  expect(JSON.parse(lockFile())).toMatchObject({ skills: { five: { source: './downloads/five.skill' } } })
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six', 'xlsx'])
    rmSync(join(into, name), { recursive: true })
  const again = await add('--yes')
  expect(again.status, again.out).toBe(0)
  expect(there()).toEqual(all)
})

test('copies a folder, however deeply its skills are nested', async () => {
  const from = temporary()
  mkdirSync(join(from, '.claude/skills/mine'), { recursive: true })
  writeFileSync(join(from, '.claude/skills/mine/SKILL.md'), md('mine'))
  expect((await add(from, '--yes')).status).toBe(0)
  rmSync(from, { recursive: true })
  expect(text('mine/SKILL.md')).toBe(md('mine'))
  rmSync(join(into, 'mine'), { recursive: true })
  expect(await add('--yes')).toMatchObject({ status: 1, out: expect.stringContaining('no such folder') })
})

const digestOf = (bytes: Uint8Array | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

test('reads a site by its index and verifies the digest of every artifact', async () => {
  const packed = await tarball({ 'SKILL.md': md('packed'), 'a.md': 'a' })
  const entry = { description: 'Does it.', type: 'skill-md' }
  const skills = [
    { ...entry, name: 'plain', url: 'plain/SKILL.md', digest: digestOf(md('plain')) },
    { ...entry, name: 'packed', type: 'archive', url: '/files/packed.tar.gz', digest: digestOf(packed) },
    { ...entry, name: 'forged', url: 'forged/SKILL.md', digest: digestOf('something else') },
    { ...entry, name: 'renamed', url: 'renamed/SKILL.md', digest: digestOf(md('other')) },
  ]
  const index = JSON.stringify({ $schema: SCHEMA, skills })
  pages['/.well-known/agent-skills/index.json'] = { body: index }
  pages['/.well-known/agent-skills/plain/SKILL.md'] = { body: md('plain') }
  pages['/.well-known/agent-skills/forged/SKILL.md'] = { body: md('forged') }
  pages['/.well-known/agent-skills/renamed/SKILL.md'] = { body: md('other') }
  pages['/files/packed.tar.gz'] = { body: packed }
  const good = await add(`${origin}/docs`, '--skill', 'plain', '--skill', 'packed', '--yes')
  expect(good.status, good.out).toBe(0)
  expect(there()).toEqual(['packed', 'plain', 'skills-lock.json'])
  const forged = await add(origin, '--all', '--yes')
  expect(forged).toMatchObject({
    status: 1,
    out: expect.stringMatching(/forged.*digest[^]*renamed.*'other'/),
  })
  expect(there()).toEqual(['packed', 'plain', 'skills-lock.json'])
  rmSync(join(into, 'packed'), { recursive: true })
  expect((await add('--yes')).status).toBe(0)
  expect(there()).toEqual(['packed', 'plain', 'skills-lock.json'])
})

test('lists the URLs it tried when a site has no skills', async () => {
  expect(await add(`${origin}/nothing`)).toMatchObject({
    status: 1,
    out: expect.stringContaining('/nothing/.well-known/agent-skills/index.json responded with status 404'),
  })
})

test('sends a token only for archives of repositories, and shows it in no output and no lock', async () => {
  await push(REPO, ONE)
  const token = 'ghp_averysecrettoken'
  const ran = await addWith({ GITHUB_TOKEN: token }, 'acme/tools@pdf', '--yes')
  expect(ran.status, ran.out).toBe(0)
  expect(requested[0]?.headers.authorization).toBe(`Bearer ${token}`)
  expect(ran.out + lockFile()).not.toContain(token)
  pages['/x.zip'] = { body: zip({ 'SKILL.md': md('x') }) }
  await addWith({ GITHUB_TOKEN: token }, `${origin}/x.zip`, '--yes')
  expect(requested.at(-1)?.headers.authorization).toBeUndefined()
})

test('leaves nothing behind after a hostile or damaged source, not even a temporary folder', async () => {
  const evil: TarEntry = { header: { name: 'x/../../evil', size: 1, type: 'file' }, body: 'x' }
  const whole = await tarball(REPO, 'x/')
  pages['/evil.tar.gz'] = { body: gzipSync(await packTar([evil])) }
  pages['/cut.tar.gz'] = { body: whole.subarray(0, whole.length >> 1) }
  pages['/text.zip'] = { body: 'not a zip' }
  pages['/empty.tar.gz'] = { body: await tarball({ 'README.md': 'no skill' }) }
  pages['/inside.zip'] = { status: 302, headers: { Location: 'http://127.0.0.1:1/x.zip' } }
  const temp = join(into, 'temp')
  mkdirSync(temp)
  for (const name of ['evil.tar.gz', 'cut.tar.gz', 'text.zip', 'empty.tar.gz', 'inside.zip', 'missing.zip']) {
    const ran = await addWith({ TMPDIR: temp }, `${origin}/${name}`, '--yes')
    expect(ran.status, `${name}: ${ran.out}`).toBe(1)
    expect(ran.out, name).not.toMatch(/^\s+at /m)
  }
  expect(readdirSync(into, { recursive: true })).toEqual(['temp'])
})

test('refuses a skill with an executable and shows the finding; --force accepts it', async () => {
  pages['/bad.zip'] = {
    body: zipSync({
      'bad/SKILL.md': strToU8(md('bad')),
      'bad/bin/tool': new Uint8Array([
        0x7f,
        0x45,
        0x4c,
        0x46,
        2,
        1,
        1,
        0,
        ...Array.from({ length: 64 }, () => 0),
      ]),
    }),
  }
  const refused = await add(`${origin}/bad.zip`, '--yes')
  expect(refused, refused.out).toMatchObject({ status: 1, out: expect.stringContaining('--force') })
  expect(refused.out).toContain('bin/tool')
  expect(there()).toEqual([])
  const forced = await add(`${origin}/bad.zip`, '--yes', '--force')
  expect(forced.status, forced.out).toBe(0)
  expect(existsSync(join(into, 'bad/bin/tool'))).toBe(true)
})

test('adds a non-conforming skill that can still be loaded, with a warning', async () => {
  pages['/odd/SKILL.md'] = { body: md('Odd Name') }
  const ran = await add(`${origin}/odd/SKILL.md`, '--yes')
  expect(ran, ran.out).toMatchObject({
    status: 0,
    out: expect.stringContaining('warning name-not-lowercase'),
  })
  expect(there()).toEqual(['odd-name', 'skills-lock.json'])
})

test('--to publishes the added skills through the same route, and writes no file', async () => {
  const satchel = sharedSatchel()
  // A body that no earlier attempt published.
  await push({ ...REPO, 'skills/pdf/SKILL.md': md('pdf', `Version ${randomUUID()}.`) }, ONE)
  const before = there()
  const ran = await add('acme/tools', '--all', '--yes', '--to', satchel.url)
  expect(ran.status, ran.out).toBe(0)
  expect(ran.out).toContain('catalog version')
  for (const name of ['pdf', 'xlsx']) {
    const live = await satchel.client.json('GET', `/admin/skills/${name}`)
    expect(live.ok, name).toBe(true)
  }
  expect(there()).toEqual(before)
  const again = await add('acme/tools', '--all', '--yes', '--to', satchel.url)
  expect(again).toMatchObject({ status: 0, out: expect.stringContaining('Nothing to publish') })
})

test('reports wrong arguments in one line', async () => {
  expect(await add()).toMatchObject({ status: 2, out: expect.stringContaining('Specify the source') })
  expect(await add('a/b', 'c/d')).toMatchObject({
    status: 2,
    out: expect.stringContaining('one source at a time'),
  })
  expect(await add('acme/nothing', '--yes')).toMatchObject({ status: 1, out: expect.stringContaining('404') })
  edit('skills-lock.json', '<<<<<<< HEAD')
  expect(await add('acme/tools')).toMatchObject({ status: 1, out: expect.stringContaining('not valid JSON') })
})
