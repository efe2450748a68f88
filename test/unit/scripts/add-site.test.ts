// Promise: the index of a site is read as the discovery drafts say. An unknown version is not guessed at, and an
// invalid entry does not hide the others.

import { expect, test } from 'vitest'

import { readSiteIndex } from '../../../scripts/add/site-index.ts'
import { indexAddresses } from '../../../scripts/add/site.ts'

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'
const AT = 'https://a.test/.well-known/agent-skills/index.json'
const DIGEST = `sha256:${'a'.repeat(64)}`

const entry = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: 'pdf',
  type: 'skill-md',
  description: 'Does PDF.',
  url: 'pdf/SKILL.md',
  digest: DIGEST,
  future: 'ignored',
  ...more,
})

const read = (json: unknown): ReturnType<typeof readSiteIndex> => readSiteIndex(JSON.stringify(json), AT)

test('URLs are tried below the path first, then at the root', () => {
  expect(indexAddresses('https://a.test/docs?x=1')).toEqual([
    'https://a.test/docs/.well-known/agent-skills/index.json',
    'https://a.test/.well-known/agent-skills/index.json',
  ])
  expect(indexAddresses('https://a.test')).toEqual([AT])
  expect(indexAddresses(AT)).toEqual([AT])
})

test('0.2.0: relative, absolute and foreign URLs', () => {
  const urls = ['pdf/SKILL.md', '/x.zip', 'https://b.test/x.tar.gz']
  const skills = urls.map((url, at) =>
    entry({ name: `s${at}`, url, type: at === 0 ? 'skill-md' : 'archive' }),
  )
  const index = read({ $schema: SCHEMA, skills })
  expect(index.ok && index.value.problems).toEqual([])
  expect(index.ok && index.value.entries.map(({ url }) => url)).toEqual([
    'https://a.test/.well-known/agent-skills/pdf/SKILL.md',
    'https://a.test/x.zip',
    'https://b.test/x.tar.gz',
  ])
})

test.each([
  ['name', { name: 'Bad Name' }],
  ['name with ..', { name: '..' }],
  ['long name', { name: 'a'.repeat(65) }],
  ['no description', { description: ' ' }],
  ['long description', { description: 'x'.repeat(1_025) }],
  ['unknown type', { type: 'container' }],
  ['no digest', { digest: undefined }],
  ['upper-case digest', { digest: DIGEST.toUpperCase() }],
  ['address', { url: 'https://[' }],
  ['URL that is not text', { url: 3 }],
])('0.2.0: an entry with a wrong %s is skipped and reported, the others stay', (_, wrong) => {
  const index = read({ $schema: SCHEMA, skills: [entry(wrong), null, entry({ name: 'good' })] })
  expect(index.ok && index.value.entries.map(({ name }) => name)).toEqual(['good'])
  expect(index.ok && index.value.problems).toHaveLength(2)
})

test.each([
  ['an unknown version', { $schema: SCHEMA.replace('0.2.0', '0.3.0'), skills: [entry()] }, /is supported/],
  ['no version', { skills: [entry()] }, /is supported/],
  ['a schema that is not text', { $schema: 3, skills: [entry()] }, /is supported/],
  ['no list', { $schema: SCHEMA, skills: {} }, /no list/],
  ['not an object', [], /no list/],
])('%s is not processed', (_, json, why) => {
  const index = read(json)
  expect(index.ok ? '' : index.error).toMatch(why)
})

test('a page that is not JSON is not an index', () => {
  expect(readSiteIndex('<html>', AT)).toMatchObject({ ok: false, error: expect.stringContaining('JSON') })
})
