// Guards purging: a version that was published with a secret can be removed for good, bytes that another version shares
// stay, and whatever a crash or a failing store leaves is deleted later. Nobody can get it back.

import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { sha256Hex } from '../../src/lib/bytes.ts'
import { missingBlobs } from '../../src/skills/publish/blobs.ts'
import { CatalogCore } from '../../src/skills/catalog/core.ts'
import { contentReader, isolateCache } from '../../src/skills/store/content-reader.ts'
import { skillStores } from '../../src/skills/store/content.ts'
import { blobKey, bodyKey, indexKey } from '../../src/skills/store/keys.ts'
import { commitSkills } from '../../src/skills/publish/sent.ts'
import { publishFiles } from '../../src/skills/publish/publish.ts'
import {
  AUTHOR,
  changedBy,
  failure,
  openWorkspace,
  patchSkill,
  restoreCatalog,
  rollBack,
  unlimited,
  unpaced,
  unpublishSkill,
  value,
} from './catalog-fixture.ts'
import type { TestWorkspace } from './catalog-fixture.ts'
import { seedBuild, skillFiles, type SeedSkill } from './seed-build.ts'

const SECRET = 'token = "hunter2hunter2"'
const leaky: SeedSkill = {
  name: 'leaky',
  body: 'Has a secret.',
  files: { 'references/secret.md': SECRET, 'references/shared.md': 'for all' },
}
const fixed: SeedSkill = { name: 'leaky', body: 'Has none.', files: { 'references/shared.md': 'for all' } }

const keysOf = async (name: string): Promise<readonly string[]> => {
  const { objects } = await env.RESOURCES.list({ prefix: `ws/${name}/` })
  return objects.map(({ key }) => key)
}

async function opened(name: string): Promise<TestWorkspace & { build: string; digest: string }> {
  const workspace = openWorkspace(name)
  const build = await seedBuild(env, [{ name: 'alpha' }])
  const { digest } = value(await workspace.publish(build, leaky)).skill
  value(await workspace.publish(build, fixed))
  return { ...workspace, build, digest }
}

const version = (digest: string) => ({ name: 'leaky', digest })

it('a purge deletes the files, file list and body from R2 and KV, and nothing that another version has', async () => {
  const { catalog, build, digest, content, skills } = await opened('purge-1')
  const { body } = value(await catalog.version('leaky', digest))
  const before = await keysOf('purge-1')
  const purged = value(await catalog.purge(version(digest), 'a token', AUTHOR))
  expect(purged).toMatchObject({ ...version(digest), author: 'ann', note: 'a token', done: true })
  const gone = [digest, body, await sha256Hex(SECRET)].map((sha256) =>
    blobKey({ workspace: 'purge-1' }, sha256),
  )
  expect(await keysOf('purge-1')).toEqual(before.filter((key) => !gone.includes(key)))
  expect(await env.SKILLS.get(bodyKey({ workspace: 'purge-1' }, body))).toBeNull()
  // The same answer again, and after an eviction.
  await evictDurableObject(openWorkspace('purge-1').stub)
  expect(value(await catalog.purge(version(digest), 'another note', 'k2'))).toEqual(purged)
  const live = (await skills(value(await catalog.live(build)))).get('leaky')
  if (!live) throw new Error('not live')
  for (const file of value(await content.manifest(live))) value(await content.file(live, file.sha256))
})

it("a purge refuses the live version with the alternatives, an unknown version, and the build's", async () => {
  const { catalog, build, digest, publish } = await opened('purge-2')
  const { digest: live } = value(await publish(build, fixed)).skill
  const refused = failure(await catalog.purge(version(live), null, AUTHOR))
  expect(refused).toMatchObject({
    code: 'version_live',
    detail: expect.stringMatching(/rollback.*unpublish/s),
  })
  expect(failure(await catalog.purge(version('f'.repeat(64)), null, AUTHOR)).code).toBe('not_found')
  expect(failure(await catalog.purge({ name: 'alpha', digest }, null, AUTHOR)).code).toBe('not_found')
  value(await unpublishSkill(catalog, build, 'leaky'))
  value(await catalog.purge(version(live), null, AUTHOR))
  value(await catalog.purge(version(digest), null, AUTHOR))
  // Only catalog indexes remain, because runs are pinned to them.
  const rest = await keysOf('purge-2')
  for (const key of rest) expect(await env.SKILLS.get(indexKey(key.slice(-64)))).not.toBeNull()
})

it('a purge keeps the history and the list of versions, and explains why the version cannot be restored', async () => {
  const { catalog, build, digest, publish } = await opened('purge-3')
  const versions = value(await catalog.catalogVersions(10, null))
  // Oldest last: the build, the version with the secret, the fixed one.
  const withIt = versions.at(-2)?.version ?? 0
  const { digest: live } = value(await publish(build, fixed)).skill
  const { at } = value(await catalog.purge(version(digest), 'a token', AUTHOR))
  expect(value(await catalog.history('leaky', 1, null)).items).toMatchObject([
    { action: 'purge', author: 'ann', note: 'a token', before: digest, after: null, at },
  ])
  expect(value(await catalog.versions('leaky'))).toMatchObject([
    { digest: live, live: true, purged: null },
    { digest, live: false, findings: [], author: 'ann', purged: { at, author: 'ann', note: 'a token' } },
  ])
  const left = await keysOf('purge-3')
  const wanted = [
    await catalog.version('leaky', digest),
    await patchSkill(catalog, build, 'leaky', { digest }),
    await rollBack(catalog, build, 'leaky', digest),
    await restoreCatalog(catalog, build, withIt),
    await publish(build, leaky),
    await publish(build, leaky, { dryRun: true }),
  ]
  for (const answer of wanted)
    expect(failure(answer)).toMatchObject({
      code: 'gone',
      detail: expect.stringContaining(`was purged at ${at} by ann (a token)`),
    })
  // A rollback skips it, and none of this made a catalog version.
  expect(failure(await rollBack(catalog, build, 'leaky', -1)).code).toBe('invalid_request')
  expect(value(await catalog.catalogVersions(10, null))).toEqual(versions)
  // The refused request wrote nothing.
  expect(await keysOf('purge-3')).toEqual(left)
})

it('a purge keeps bytes that a skill with another name has, until that is purged, too', async () => {
  const { catalog, build, digest, publish } = await opened('purge-4')
  const other: SeedSkill = { name: 'other', files: { 'assets/copy.md': SECRET } }
  const copied = value(await publish(build, other)).skill.digest
  value(await publish(build, { ...other, body: 'second', files: {} }))
  const key = blobKey({ workspace: 'purge-4' }, await sha256Hex(SECRET))
  value(await catalog.purge(version(digest), null, AUTHOR))
  expect(await env.RESOURCES.head(key)).not.toBeNull()
  // A republished version refers to nothing twice.
  value(await publish(build, other))
  value(await publish(build, { ...other, body: 'third', files: {} }))
  value(await catalog.purge({ name: 'other', digest: copied }, null, AUTHOR))
  expect(await env.RESOURCES.head(key)).toBeNull()
})

it('a purge tells a concurrent commit which deleted bytes to send again', async () => {
  const { catalog, content, build, digest } = await opened('purge-8')
  const sent: Record<string, string> = {}
  for (const [path, bytes] of skillFiles({ ...leaky, body: 'Has none.' })) sent[path] = await sha256Hex(bytes)
  let requested = 0
  const racing = changedBy(catalog, async (request) => {
    // After the dry run with which every commit begins.
    if (requested++ === 1) value(await catalog.purge(version(digest), null, AUTHOR))
    return catalog.change(request)
  })
  const done = await commitSkills(
    { skills: [{ files: sent }], unpublish: [], note: null, author: AUTHOR, build, dryRun: false },
    {
      workspace: 'purge-8',
      stores: skillStores(env),
      content,
      catalog: racing,
      pace: unpaced(),
      ...unlimited,
    },
  )
  const path = 'skills[0].files.references/secret.md'
  expect(failure(done)).toMatchObject({ code: 'invalid_request', errors: [{ path }] })
})

it('a purge is ordered with a publish of the same bytes: doomed bytes count as missing, and are sent again', async () => {
  const { catalog, content, build, digest, stub } = await opened('purge-6')
  const stores = skillStores(env)
  const deleted = async (keys: readonly string[]): Promise<void> => {
    await env.RESOURCES.delete([...keys])
    throw new Error('the answer was lost')
  }
  const purge = (): Promise<unknown> =>
    runInDurableObject(stub, (_, state) =>
      new CatalogCore({
        workspace: 'purge-6',
        storage: state.storage,
        stores,
        content: contentReader(stores, 'purge-6', isolateCache()),
        deleter: { blobs: deleted, text: () => Promise.resolve() },
        clock: Date.now,
      }).purge({ ...version(digest), author: 'ann', note: null }),
    )
  const answers: unknown[] = []
  const late = changedBy(catalog, async (request) => {
    if (request.dryRun) return catalog.change(request)
    // After the publisher was promised the bytes and checked which exist.
    if (answers.length === 0) await purge()
    const answer = await catalog.change(request)
    answers.push(answer)
    return answer
  })
  const other = skillFiles({ name: 'other', files: { 'assets/copy.md': SECRET } })
  const deps = {
    workspace: 'purge-6',
    stores,
    content,
    catalog: late,
    pace: unpaced(),
    ...unlimited,
  }
  const published = await publishFiles(
    { files: other, note: null, author: AUTHOR, build, dryRun: false },
    deps,
  )
  expect(answers).toMatchObject([{ ok: false, error: { retryAfterS: 0 } }, { ok: true }])
  const entry = value(await catalog.version('other', value(published).skill.digest))
  for (const file of value(await content.manifest(entry))) value(await content.file(entry, file.sha256))
})

it('a purge is finished by the alarm when the stores fail or the object dies in between', async () => {
  const { catalog, build, digest, stub, publish } = await opened('purge-5')
  const key = blobKey({ workspace: 'purge-5' }, await sha256Hex(SECRET))
  const stores = skillStores(env)
  const down = await runInDurableObject(stub, (_, state) =>
    new CatalogCore({
      workspace: 'purge-5',
      storage: state.storage,
      stores,
      content: contentReader(stores, 'purge-5', isolateCache()),
      deleter: { blobs: () => Promise.reject(new Error('down')), text: () => Promise.resolve() },
      clock: Date.now,
    }).purge({ ...version(digest), author: 'ann', note: null }),
  )
  expect(value(down).done).toBe(false)
  expect(await env.RESOURCES.head(key)).not.toBeNull()
  // A publisher that only names the bytes by address does not keep them.
  const sha256 = await sha256Hex(SECRET)
  const deps = { workspace: 'purge-5', stores, catalog }
  expect(value(await missingBlobs([sha256], deps))).toEqual([sha256])
  expect(failure(await publish(build, leaky)).code).toBe('gone')
  await evictDurableObject(stub)
  expect(await runDurableObjectAlarm(stub)).toBe(true)
  expect(await env.RESOURCES.head(key)).toBeNull()
  expect(value(await catalog.purge(version(digest), null, AUTHOR)).done).toBe(true)
})
