// Promise: `skills:publish --unpublish` unpublishes exactly what it showed; if somebody changes one of these skills in
// between, nothing is unpublished.

import { expect, test } from 'vitest'

import { publishSkills } from '../../../scripts/publish/publish.ts'
import { served } from '../../fakes/served.ts'

const DIGEST = 'a'.repeat(64)

const OPTIONS = {
  unpublish: ['old', 'gone'],
  note: null,
  yes: true,
  dryRun: false,
  diff: false,
  notes: false,
}
const COMMITTED = { catalog_version: 4, skills: [], unpublished: ['old', 'gone'] }

test('an unpublish expects the live version that it showed; of an unpublished skill, nothing', async () => {
  const { requested, ports } = served({
    'GET /admin/skills/old': [200, { digest: DIGEST }],
    'POST /admin/catalog/commit?dry_run=1': [200, COMMITTED],
    'POST /admin/catalog/commit': [200, COMMITTED],
  })
  const done = await publishSkills([], OPTIONS, ports)
  expect(done).toMatchObject({ status: 0, published: true, catalogVersion: 4 })
  const unpublish = [
    { name: 'old', expect: DIGEST },
    { name: 'gone', expect: null },
  ]
  expect(requested.map(({ line }) => line)).toEqual([
    'GET /admin/skills/old',
    'GET /admin/skills/gone',
    'POST /admin/catalog/commit?dry_run=1',
    'POST /admin/catalog/commit',
  ])
  for (const { body } of requested.slice(2)) expect(body).toMatchObject({ unpublish })
})

test('a change in between is reported with the name, and nothing is published', async () => {
  const stale = {
    type: 'about:blank',
    title: 'Stale version',
    status: 412,
    code: 'stale_version',
    detail: '"old" is at another version.',
    request_id: 'req_1',
    errors: [{ path: 'unpublish[0]', message: '"old" is at another version.' }],
  }
  const { complaints, ports } = served({
    'GET /admin/skills/old': [200, { digest: DIGEST }],
    'POST /admin/catalog/commit?dry_run=1': [200, COMMITTED],
    'POST /admin/catalog/commit': [412, stale],
  })
  expect(await publishSkills([], OPTIONS, ports)).toMatchObject({ status: 1, published: false })
  expect(complaints.join('\n')).toMatch(/Somebody else changed[^]*--unpublish old/)
})

test('a skill that lost its bytes can still be unpublished', async () => {
  const broken = { code: 'catalog_broken', status: 503, detail: 'Its body is not in the stores.' }
  const { requested, ports } = served({
    'GET /admin/skills/old': [503, broken],
    'POST /admin/catalog/commit?dry_run=1': [200, COMMITTED],
    'POST /admin/catalog/commit': [200, COMMITTED],
  })
  const done = await publishSkills([], { ...OPTIONS, unpublish: ['old'] }, ports)
  expect(done).toMatchObject({ status: 0, published: true })
  const commits = requested.filter(({ line }) => line.startsWith('POST /admin/catalog/commit'))
  for (const { body } of commits) expect(body).toMatchObject({ unpublish: [{ name: 'old' }] })
  for (const { body } of commits) expect(JSON.stringify(body)).not.toContain('expect')
})
