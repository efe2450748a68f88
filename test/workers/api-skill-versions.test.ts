// Guards the history of a skill: each change with its files, a comparison of any two versions, also of unpublished or
// hidden skills, and a refusal of a change that expects another live version.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { VersionDiff } from '../../src/skills/publish/version-diff.ts'
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

let count = 0
let name = ''
let at = ''

beforeAll(() =>
  serveSkills([
    { name: 'alpha', description: 'Built in.', body: 'Theirs.' },
    { name: 'beta', description: 'Built in.' },
  ]),
)

beforeEach(() => {
  name = `own-${++count}`
  at = `/admin/skills/${name}`
})

interface Item {
  readonly action: string
  readonly also: readonly string[]
  readonly before: string | null
  readonly after: string | null
  readonly findings: readonly object[]
  readonly files: readonly { readonly path: string; readonly change: string }[]
}

async function history(skill = name): Promise<readonly Item[]> {
  return (await got<{ data: Item[] }>(send(`GET /admin/skills/${skill}/history?limit=100`))).data
}

describe('the history of a skill', () => {
  it('shows the files of each change, and remains after the skill', async () => {
    const one = await publish({ name, files: { 'references/a.md': 'A.', 'references/b.md': 'B.' } })
    const two = await publish({ name, files: { 'references/a.md': 'A, better.', 'scripts/c.py': 'pass\n' } })
    await got(send(`PATCH ${at}`, { body: { enabled: false, shareable: true } }))
    await got(send(`POST ${at}/rollback`, { body: {} }))
    await got(send(`DELETE ${at}`))
    const items = await history()
    expect(items.map((item) => [item.action, item.also, item.before, item.after])).toEqual([
      ['unpublish', [], one.skill.digest, null],
      ['rollback', [], two.skill.digest, one.skill.digest],
      ['disable', ['share'], two.skill.digest, two.skill.digest],
      ['publish', [], one.skill.digest, two.skill.digest],
      ['publish', [], null, one.skill.digest],
    ])
    const files = items.map((item) => item.files.map((file) => `${file.change} ${file.path}`))
    expect(files[3]).toEqual(['changed references/a.md', 'removed references/b.md', 'added scripts/c.py'])
    expect(files[4]).toEqual(['added SKILL.md', 'added references/a.md', 'added references/b.md'])
    expect(files[2]).toEqual([])
    expect(files[0]).toHaveLength(3)
    await refused(send(`GET ${at}`), 404, 'not_found')
    expect((await got<{ data: object[] }>(send(`GET ${at}/versions`))).data).toHaveLength(2)
    expect(await got(send(`GET ${at}/diff`))).toMatchObject({ to: two.skill.digest })
  })

  it('keeps the findings of each published version', async () => {
    const text = `---\nname: ${name}\ndescription: Ours.\ndependencies: beta, nobody\n---\n\nBody.\n`
    const body = { files: { 'SKILL.md': text } }
    const published = await got<Item>(send('POST /admin/skills', { body }), 201)
    expect(published.findings.slice(1)).toEqual([
      expect.objectContaining({
        rule: 'dependency-missing',
        severity: 'warning',
        message: expect.stringContaining('nobody'),
      }),
    ])
    const [item] = await history()
    expect(item?.findings).toEqual(published.findings)
    const { data } = await got<{ data: Item[] }>(send(`GET ${at}/versions`))
    expect(data[0]?.findings).toEqual(published.findings)
  })

  it('finds packages that this deployment lacks, and says which command adds them', async () => {
    const files = {
      'scripts/requirements.txt': 'openpyxl>=3.1\npandas\n',
      'package.json': '{"dependencies":{"dayjs":"^1"}}',
    }
    const body = skillFolderOf({ name, files })
    const { findings } = await got<Item>(send('POST /admin/skills', { body }), 201)
    expect(findings).toMatchObject([
      { rule: 'package-missing', file: 'package.json', fix: expect.stringContaining("add 'npm:dayjs@^1'") },
      {
        rule: 'package-missing',
        file: 'scripts/requirements.txt',
        fix: expect.stringContaining("add 'openpyxl>=3.1'"),
      },
      {
        rule: 'package-native',
        file: 'scripts/requirements.txt',
        message: expect.stringContaining("'pandas'"),
      },
    ])
  })

  it('finds that a dependency is disabled, unless the same change brings an enabled one', async () => {
    const text = `---\nname: ${name}\ndescription: Ours.\ndependencies: beta, ${name}-b\n---\n\nBody.\n`
    const body = { files: { 'SKILL.md': text } }
    await publish({ name: `${name}-b` })
    for (const other of ['beta', `${name}-b`])
      await got(send(`PATCH /admin/skills/${other}`, { body: { enabled: false } }))
    const { findings } = await got<Item>(send('POST /admin/skills', { body }), 201)
    const missing = findings.filter((one) => 'rule' in one && one.rule === 'dependency-missing')
    expect(missing).toEqual(
      ['beta', `${name}-b`].map((other) =>
        expect.objectContaining({
          message: `The skill depends on "${other}", which is switched off.`,
          fix: expect.stringContaining('on'),
        }),
      ),
    )
    await got(send('PATCH /admin/skills/beta', { body: { enabled: true } }))
  })

  it('notes that a built-in skill is hidden', async () => {
    const published = await publish({ name: 'beta', description: 'Ours.' })
    expect(published.findings.map((finding) => [finding.rule, finding.severity])).toEqual([
      ['shadows-public', 'note'],
    ])
    await got(send('DELETE /admin/skills/beta'))
  })
})

describe('a comparison of two versions', () => {
  const files = (text: string): Record<string, string> => ({ 'references/a.md': text })

  it('takes the live one and the one before, unless others are named', async () => {
    const one = await publish({ name, files: files('one\ntwo\nthree\n') })
    const two = await publish({ name, files: files('one\n2\nthree\n') })
    const three = await publish({ name, files: { ...files('one\n2\nthree\n'), 'b.txt': 'new' } })
    const last = await got<VersionDiff>(send(`GET ${at}/diff`))
    expect(last).toEqual({
      from: two.skill.digest,
      to: three.skill.digest,
      files: [
        {
          path: 'b.txt',
          change: 'added',
          diff: '--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+new\n\\ No newline at end of file\n',
          reason: null,
        },
      ],
    })
    const [before, after] = [one.skill.digest, two.skill.digest]
    const named = await got<VersionDiff>(send(`GET ${at}/diff?from=${before}&to=${after}`))
    expect(named.files).toEqual([
      {
        path: 'references/a.md',
        change: 'changed',
        diff: '--- a/references/a.md\n+++ b/references/a.md\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
        reason: null,
      },
    ])
    expect(await got(send(`GET ${at}/diff?to=${after}`))).toMatchObject({ from: before, to: after })
    const back = await got<VersionDiff>(send(`GET ${at}/diff?from=${after}&to=${before}`))
    expect(back.files[0]?.diff).toContain('-2\n+two\n')
    expect(await got(send(`GET ${at}/diff?from=${after}&to=${after}`))).toMatchObject({ files: [] })
    expect(await got(send(`GET ${at}/diff?to=${before}`))).toMatchObject({ from: null })
  })

  it('returns one patch on request', async () => {
    await publish({ name, files: files('one\n') })
    await publish({ name, files: { ...files('two\n'), 'image.bin': '\u0000\u0001' } })
    const response = await send(`GET ${at}/diff`, { headers: { Accept: 'text/x-diff' } })
    expect(response.headers.get('Content-Type')).toBe('text/x-diff; charset=utf-8')
    expect(await response.text()).toBe(
      'Files a/image.bin and b/image.bin differ (not text)\n' +
        '--- a/references/a.md\n+++ b/references/a.md\n@@ -1,1 +1,1 @@\n-one\n+two\n',
    )
  })

  it('may include a built-in skill and the one that hides it', async () => {
    const built = await got<{ digest: string }>(send('GET /admin/skills/alpha'))
    const ours = await publish({ name: 'alpha', description: 'Ours.', body: 'Ours.' })
    const diff = await got<VersionDiff>(send('GET /admin/skills/alpha/diff'))
    expect(diff).toMatchObject({ from: built.digest, to: ours.skill.digest })
    expect(diff.files[0]?.diff).toContain('-Theirs.\n+Ours.\n')
    await got(send('DELETE /admin/skills/alpha'))
    const back = await got(send(`GET /admin/skills/alpha/diff?from=${ours.skill.digest}`))
    expect(back).toMatchObject({ to: built.digest })
  })

  it('is refused if a version is unknown, or belongs to another workspace', async () => {
    const { skill } = await publish({ name })
    await refused(send(`GET ${at}/diff?from=${'f'.repeat(64)}`), 404, 'not_found')
    await refused(send(`GET ${at}/diff?from=latest`), 422, 'invalid_request')
    await refused(send('GET /admin/skills/nobody/diff'), 404, 'not_found')
    const key = await foreignKey('diff-other')
    await refused(send(`GET ${at}/diff?to=${skill.digest}`, { key }), 404, 'not_found')
  })
})

describe('a change that expects a version that is not live', () => {
  it('is 412, for every way to change a skill, and changes nothing', async () => {
    const one = await publish({ name, body: 'One.' })
    const two = await publish({ name, body: 'Two.' })
    const before = await stateOfAll()
    const stale = { 'If-Match': `"${one.skill.digest}"` }
    const onlyNew = { 'If-None-Match': '*' }
    for (const headers of [stale, onlyNew]) {
      const body = { enabled: false }
      await refused(send(`PATCH ${at}`, { headers, body }), 412, 'stale_version')
      await refused(send(`POST ${at}/rollback`, { headers, body: {} }), 412, 'stale_version')
      await refused(send(`DELETE ${at}`, { headers }), 412, 'stale_version')
    }
    const both = { 'If-Match': '*', 'If-None-Match': '*' }
    for (const headers of [both, { 'If-None-Match': '"x"' }, { ...stale, ...onlyNew }])
      await refused(send(`DELETE ${at}`, { headers }), 422, 'invalid_request')
    expect(await stateOfAll()).toEqual(before)
    const live = { 'If-Match': `"${two.skill.digest}"` }
    await got(send(`PATCH ${at}`, { headers: live, body: { enabled: false } }))
    await got(send(`DELETE ${at}`, { headers: live }))
    await publish({ name, body: 'Three.' }, { headers: onlyNew })
  })

  it('with If-Match: * is refused only if nothing is live', async () => {
    const any = { 'If-Match': '*' }
    const body = skillFolderOf({ name })
    await refused(send('POST /admin/skills', { body, headers: any }), 412, 'stale_version')
    await refused(send('POST /admin/skills?dry_run=1', { body, headers: any }), 412, 'stale_version')
    await publish({ name })
    await publish({ name, body: 'Two.' }, { headers: any })
    await got(send(`DELETE ${at}`, { headers: any }))
    await refused(send(`POST ${at}/rollback`, { body: {}, headers: any }), 412, 'stale_version')
  })

  it('is avoided with the ETag of the last read or change; a dry run has none', async () => {
    const tagOf = async (answer: Promise<Response>): Promise<string | null> => {
      const response = await answer
      expect(response.ok).toBe(true)
      await response.body?.cancel()
      return response.headers.get('ETag')
    }
    const one = await publish({ name })
    const body = skillFolderOf({ name, body: 'Two.' })
    const put = (query: string): Promise<Response> => send(`POST /admin/skills${query}`, { body })
    expect(await tagOf(put('?dry_run=1'))).toBeNull()
    const tag = await tagOf(put(''))
    expect(tag).toMatch(/^"[0-9a-f]{64}"$/)
    expect(await tagOf(send(`GET ${at}`))).toBe(tag)
    expect(await tagOf(send(`GET /v1/skills/${name}`))).toBe(tag)
    const headers = { 'If-Match': tag ?? '' }
    expect(await tagOf(send(`PATCH ${at}`, { headers, body: { shareable: true } }))).toBe(tag)
    expect(await tagOf(send(`POST ${at}/rollback`, { headers, body: {} }))).toBe(`"${one.skill.digest}"`)
  })
})
