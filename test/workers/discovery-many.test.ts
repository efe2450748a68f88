// Guards the list of a large shared library under many requests: one request packs a bounded number of archives and
// says so, a packed archive stays and is packed only once, and a lost or unusual skill hides no other.

import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { servePushedBuild } from '../../src/skills/current-build.ts'
import { SHARE_PACK_FILES_MAX } from '../../src/skills/share/limits.ts'
import { skillContent } from '../../src/skills/store/content.ts'
import { value } from './catalog-fixture.ts'
import { got, publish, refused, send } from './api-fixture.ts'
import { manyEntries } from './many-skills.ts'
import { seedBuild, type SeedSkill } from './seed-build.ts'
import { watched } from './watched.ts'

const LIST = 'GET /.well-known/agent-skills/index.json'

interface Index {
  readonly skills: readonly { readonly name: string; readonly type: string }[]
}

const ask = (): Promise<Response> => send(LIST, { key: null })

it('ten thousand shared skills of one file are listed at once, and reported to the catalog', async () => {
  const entries = manyEntries(10_000).map((entry) => ({ ...entry, files: 1, shareable: true }))
  servePushedBuild(await seedBuild(env, [], entries))
  const { skills } = await got<Index>(ask())
  expect(skills).toHaveLength(10_000)
  expect(skills.every(({ type }) => type === 'skill-md')).toBe(true)
})

it('when there is more to pack than one request may, each continues where the last one stopped', async () => {
  const names = ['one', 'two', 'three', 'four', 'five']
  const small = await seedBuild(
    env,
    names.map((name) => ({ name, files: { 'a.md': 'A' } })),
  )
  const { skills: entries } = value(await skillContent(env, 'default').index(small))
  // The sizes in the index count; two of these skills fit into one request.
  const large = entries.map((entry) => ({ ...entry, files: SHARE_PACK_FILES_MAX / 2, shareable: true }))
  const lost = manyEntries(1_000).map((entry) => ({
    ...entry,
    name: `lost-${entry.name}`,
    files: 5,
    shareable: true,
  }))
  servePushedBuild(await seedBuild(env, [], [...lost, ...large]))
  let waits = 0
  let response = await ask()
  for (; response.status === 503; response = await ask()) {
    expect(response.headers.get('Retry-After')).toBe('1')
    const problem = await refused(Promise.resolve(response), 503, 'overloaded')
    expect(problem.detail).toMatch(/^\d+ more skills/)
    waits++
  }
  expect(waits).toBeGreaterThanOrEqual(2)
  const { skills } = await got<Index>(Promise.resolve(response))
  expect(skills.map(({ name }) => name)).toEqual(names.toSorted())
})

it('many simultaneous first requests pack an archive once', async () => {
  await share({ name: 'stormed', files: { 'a.md': 'A.' } })
  const written: string[] = []
  const RESOURCES = watched(env.RESOURCES, (method, [key]) => {
    if (method === 'put') written.push(String(key))
  })
  const first = () => send(LIST, { key: null, env: { RESOURCES } })
  const answers = await Promise.all(Array.from({ length: 12 }, first))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
  expect(written).toEqual([expect.stringMatching(/^ws\/default\/blob\//)])
})

it('a path that makes clients of 0.1.0 drop the whole list hides its skill from that list only', async () => {
  await share({ name: 'dotted', files: { 'references/v1..v2.md': 'Dots.' } })
  const names = async (line: string): Promise<readonly string[]> =>
    (await got<Index>(send(line, { key: null }))).skills.map(({ name }) => name)
  expect(await names(LIST)).toContain('dotted')
  expect(await names('GET /.well-known/skills/index.json')).not.toContain('dotted')
  const { diagnostics } = await got<{ diagnostics: { rule: string }[] }>(send('GET /admin/skills/dotted'))
  expect(diagnostics.map(({ rule }) => rule)).toContain('share-dots')
})

/** Shares a skill over a build without skills. */
async function share(skill: SeedSkill): Promise<void> {
  servePushedBuild(await seedBuild(env, []))
  await publish(skill)
  await got(send(`PATCH /admin/skills/${skill.name}`, { body: { shareable: true } }))
}
