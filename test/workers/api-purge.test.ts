// Guards purging a version of a skill: only admins may, the answer lists what remains, every route to the version
// closes at once, also for running runs and unauthenticated clients, and its shared archive is deleted. Guards also the
// limit on stored bytes, which a purge frees.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex, utf8 } from '../../src/lib/bytes.ts'
import { totalBytes } from '../../src/skills/catalog/blob-rows.ts'
import { blobKey } from '../../src/skills/store/keys.ts'
import type { SkillInfo } from '../../src/skills/view/skill-info.ts'
import {
  skillFolderOf,
  foreignKey,
  requested,
  chat,
  got,
  makeKey,
  modelReplies,
  publish,
  refused,
  send,
  serveSkills,
} from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

beforeAll(() => serveSkills([{ name: 'alpha', description: 'Built in.' }]))

const SECRET = 'hunter2 is the word'
const leaky = (name: string) => ({ name, body: 'Old.', files: { 'references/a.md': SECRET } })
const fixed = (name: string) => ({ name, body: 'New.', files: { 'references/a.md': 'Nothing.' } })

async function twoVersions(name: string): Promise<string> {
  const { skill } = await publish(leaky(name))
  await publish(fixed(name))
  return skill.digest
}

/** All values of R2 and KV as lower-case text. */
async function everythingStored(): Promise<string> {
  const { objects } = await env.RESOURCES.list()
  const { keys } = await env.SKILLS.list()
  const texts = await Promise.all([
    ...objects.map(async ({ key }) => (await env.RESOURCES.get(key))?.text()),
    ...keys.map(({ name }) => env.SKILLS.get(name)),
  ])
  return texts.join('\n').toLowerCase()
}

describe('DELETE /admin/skills/:skill/versions/:digest', () => {
  it('is for admins, refuses the live version, and says what it cannot reach', async () => {
    const digest = await twoVersions('leaky-1')
    const at = `/admin/skills/leaky-1/versions/${digest}`
    const { key } = await makeKey('publisher')
    await refused(send(`DELETE ${at}`, { key }), 403, 'forbidden')
    await refused(send('DELETE /admin/skills/leaky-1/versions/latest'), 404, 'not_found')
    await refused(send(`DELETE ${at}?note=${'x'.repeat(3_000)}`), 422, 'invalid_request')
    const { skill } = await got<{ skill: { digest: string } }>(
      send('POST /admin/skills/leaky-1/rollback', { body: {} }),
    )
    expect(skill.digest).toBe(digest)
    const { detail } = await refused(send(`DELETE ${at}`), 409, 'version_live')
    expect(detail).toMatch(/rollback.*unpublish/)
    await got(send('DELETE /admin/skills/leaky-1'))
    const answer = await got(send(`DELETE ${at}?note=a+token`))
    expect(answer).toMatchObject({
      skill: 'leaky-1',
      digest,
      purged: { at: expect.any(String), author: expect.any(String), note: 'a token' },
      done: true,
    })
    expect(String(answer['remains'])).toMatch(/Transcripts.*KV is eventually consistent/s)
    expect(await got(send(`DELETE ${at}`))).toEqual(answer)
  })

  it('leaves no key of the body in an index, and names the fields that indexes keep', async () => {
    const [inBody, inChangelog] = ['Zx8kQ3mP9vTr4wLs', 'q7Yw2Nb5Xc9Kd4Rf']
    const body = `# Use ${inBody}\n\nSend ${inBody}, or hunter2hunter2, to the gateway.\n`
    const { skill } = await publish({
      name: 'leaky-6',
      body,
      fields: { changelog: `Now with ${inChangelog}` },
    })
    await publish(fixed('leaky-6'))
    const answer = await got(send(`DELETE /admin/skills/leaky-6/versions/${skill.digest}`))
    const left = await everythingStored()
    expect(left).toContain('gateway')
    for (const secret of [inBody, 'hunter2hunter2']) expect(left).not.toContain(secret.toLowerCase())
    // The response names what remains.
    expect(left).toContain(inChangelog.toLowerCase())
    const fields =
      'name description tags license allowed_tools disallowed_tools dependencies argument_hint card version changelog diagnostics'
    for (const field of fields.split(' ')) expect(String(answer['remains'])).toContain(field)
    expect(String(answer['remains'])).toContain('search terms of its body')
  })

  it("closes every route to the version's files, whatever memory still has", async () => {
    const digest = await twoVersions('leaky-2')
    const paths = [
      `files/references/a.md?digest=${digest}`,
      `archive?digest=${digest}`,
      `diff?from=${digest}`,
      `diff?to=${digest}`,
    ]
    for (const path of paths) {
      const answer = await send(`GET /admin/skills/leaky-2/${path}`)
      expect(answer.status, path).toBe(200)
      // A response holds a slot until it is read.
      await answer.arrayBuffer()
    }
    await got(send(`DELETE /admin/skills/leaky-2/versions/${digest}`))
    for (const path of paths) await refused(send(`GET /admin/skills/leaky-2/${path}`), 410, 'gone')
    const { data } = await got<{ data: { action: string; files: unknown }[] }>(
      send('GET /admin/skills/leaky-2/history'),
    )
    expect(data.map(({ action }) => action)).toEqual(['purge', 'publish', 'publish'])
  })

  it('takes the files at once from the run that began with it, with an explanation', async () => {
    const { skill } = await publish(leaky('leaky-3'))
    let purged = (): void => undefined
    const until = new Promise<void>((resolve) => (purged = resolve))
    modelReplies(({ messages }) =>
      messages.length === 1
        ? {
            until,
            calls: [
              { name: 'load_skill', input: { name: 'leaky-3' } },
              { name: 'read_file', input: { path: '/mnt/skills/custom/leaky-3/references/a.md' } },
            ],
          }
        : { text: 'Done.' },
    )
    const running = chat({ message: 'Load it.' })
    await eventually(() => requested.length === 1)
    await publish(fixed('leaky-3'))
    await got(send(`DELETE /admin/skills/leaky-3/versions/${skill.digest}`))
    purged()
    expect((await running).last?.type).toBe('run.completed')
    const results = JSON.stringify(requested[1]?.messages.at(-1))
    expect(results.match(/was purged: its files were permanently deleted/g)).toHaveLength(2)
    expect(results).not.toContain('hunter2')
    modelReplies()
  })

  it('deletes the archive that unauthenticated clients could download', async () => {
    const { skill } = await publish(leaky('leaky-4'))
    await got(send('PATCH /admin/skills/leaky-4', { body: { shareable: true } }))
    const listed = async (): Promise<string> => {
      const list = await got<{ skills: { name: string; url: string }[] }>(
        send('GET /.well-known/agent-skills/index.json', { key: null }),
      )
      return list.skills.find(({ name }) => name === 'leaky-4')?.url ?? ''
    }
    const url = await listed()
    const sha256 = /([0-9a-f]{64})/.exec(url)?.[1] ?? ''
    await publish(fixed('leaky-4'))
    expect(await listed()).not.toBe(url)
    expect((await send(`GET ${url}`, { key: null })).status).toBe(200)
    await got(send(`DELETE /admin/skills/leaky-4/versions/${skill.digest}`))
    await refused(send(`GET ${url}`, { key: null }), 404, 'not_found')
    expect(await env.RESOURCES.head(blobKey({ workspace: 'default' }, sha256))).toBeNull()
  })

  it('deletes the archive even if the skill is no longer shared', async () => {
    const { skill } = await publish(leaky('leaky-5'))
    await got(send('PATCH /admin/skills/leaky-5', { body: { shareable: true } }))
    const list = await got<{ skills: { name: string; url: string }[] }>(
      send('GET /.well-known/agent-skills/index.json', { key: null }),
    )
    const url = list.skills.find(({ name }) => name === 'leaky-5')?.url ?? ''
    const key = blobKey({ workspace: 'default' }, /([0-9a-f]{64})/.exec(url)?.[1] ?? '')
    await got(send('DELETE /admin/skills/leaky-5'))
    expect(await env.RESOURCES.head(key)).not.toBeNull()
    await got(send(`DELETE /admin/skills/leaky-5/versions/${skill.digest}`))
    expect(await env.RESOURCES.head(key)).toBeNull()
  })
})

async function putBytes(bytes: Uint8Array<ArrayBuffer>, key: string): Promise<Response> {
  return send(`PUT /admin/blobs/${await sha256Hex(bytes)}`, { key, body: new Response(bytes).body })
}

describe('the bytes of a workspace’s skills', () => {
  const workspace = 'skills-full'
  const bytesKept = (): Promise<number> =>
    runInDurableObject(env.CATALOGS.getByName(workspace), (_, { storage }) => totalBytes(storage.sql))
  const bytesInR2 = async (): Promise<number> => {
    const { objects } = await env.RESOURCES.list({ prefix: `ws/${workspace}/` })
    return objects.reduce((sum, { size }) => sum + size, 0)
  }

  it('have a limit: new bytes are refused before they are stored, until a version is purged', async () => {
    const key = await foreignKey(workspace, 'admin')
    const publishes = (body: string, query = ''): Promise<Response> =>
      send(`POST /admin/skills${query}`, { key, body: skillFolderOf({ name: 'large', body }) })
    const { skill } = await got<{ skill: SkillInfo }>(publishes('first '.repeat(2_000)), 201)
    await got(publishes('second'), 201)
    const loose = utf8('l'.repeat(500))
    expect((await putBytes(loose, key)).status).toBe(201)
    const kept = await bytesKept()
    expect(kept).toBe(await bytesInR2())

    const limit = { skills: { max_bytes: kept + 9 } }
    await got(send('PATCH /admin/settings', { key, body: limit }))
    const { detail } = await refused(putBytes(utf8('x'.repeat(10)), key), 413, 'storage_full')
    expect(detail).toMatch(/a day after.*purge.*skills\.max_bytes/)
    await refused(publishes('third'), 413, 'storage_full')
    expect(await bytesInR2()).toBe(kept)
    expect((await putBytes(loose, key)).status, 'is there already').toBe(200)
    expect((await putBytes(utf8('y'.repeat(9)), key)).status).toBe(201)

    // A full workspace prevents neither disabling a skill nor freeing space.
    await got(send('PATCH /admin/skills/large', { key, body: { enabled: false } }))
    await got(send(`DELETE /admin/skills/large/versions/${skill.digest}`, { key }))
    expect(await bytesKept()).toBe(await bytesInR2())
    expect((await putBytes(utf8('x'.repeat(10)), key)).status).toBe(201)
  })
})
