// Guards the skill library: it has every skill that the user may know of, says which of them a person can call, and
// finds them by words.

import { expect, it } from 'vitest'

import type { SkillInfo } from '../../../src/skills/view/skill-info.ts'
import { createOpenedSkill } from '../../../src/page/state/library/opened-skill.ts'
import { createSkills, invocationText } from '../../../src/page/state/library/skills.ts'
import { fakePage, list, refusal, type Answers } from './ports.ts'

function skill(name: string, given: Partial<SkillInfo> = {}): SkillInfo {
  return {
    name,
    description: `Use for ${name}.`,
    category: 'custom',
    enabled: true,
    editable: true,
    digest: 'sha256:00',
    location: '',
    license: null,
    tags: [],
    tokens: { index: 1, body: 1 },
    files: 1,
    bytes: 1,
    shadows: false,
    shareable: true,
    user_invocable: true,
    argument_hint: null,
    version: null,
    card: null,
    changelog: null,
    dependencies: [],
    updated_at: null,
    diagnostics: [],
    ...given,
  }
}

const quiet = skill('quiet', { user_invocable: false })
const SKILLS: Answers = {
  'GET /v1/skills': (url) =>
    url.searchParams.get('for') === 'person'
      ? list([skill('deploy'), skill('report')])
      : list([quiet, skill('report')]),
  'GET /admin/skills': () => list([quiet, skill('report'), skill('switched', { enabled: false })]),
}

it('the library has the skills that the agent sees, those a person can call, and for a publisher the disabled ones', async () => {
  const page = fakePage(SKILLS)
  const skills = createSkills(page.ports, page.client)
  await skills.ensureLoaded()
  expect(skills.list.value?.map(({ name, callable, enabled }) => [name, callable, enabled])).toEqual([
    ['deploy', true, true],
    ['quiet', false, true],
    ['report', true, true],
    ['switched', false, false],
  ])
  expect(skills.list.value?.slice(0, 2).map(invocationText)).toEqual(['/deploy ', 'Use the quiet skill: '])
})

it('the library is complete even for those who cannot publish, and is read again only after a while', async () => {
  const page = fakePage({ ...SKILLS, 'GET /admin/skills': () => refusal(403, 'forbidden') })
  const skills = createSkills(page.ports, page.client)
  await skills.ensureLoaded()
  await skills.ensureLoaded()
  expect(skills.list.value).toHaveLength(3)
  expect(skills.trouble.value).toBeNull()
  expect(page.calls).toHaveLength(3)
  await page.pass(61_000)
  await skills.ensureLoaded()
  expect(page.calls).toHaveLength(6)
})

it('the library says that it could not be read, and reads it again at the next opportunity', async () => {
  let fails = true
  const page = fakePage({
    ...SKILLS,
    'GET /v1/skills': () => (fails ? refusal(503, 'not_ready') : list([quiet])),
  })
  const skills = createSkills(page.ports, page.client)
  await skills.ensureLoaded()
  expect(skills.trouble.value?.title).toBe('The skills could not be read')
  fails = false
  await skills.ensureLoaded()
  expect(skills.trouble.value).toBeNull()
  expect(skills.list.value?.map(({ name }) => name)).toEqual(['quiet', 'switched'])
})

it('the library is filtered by all words, with matching name prefixes first', async () => {
  const page = fakePage({
    'GET /v1/skills': () =>
      list([
        skill('code-review', { tags: ['quality'] }),
        skill('incident', { description: 'Code of an outage' }),
        skill('uncode'),
      ]),
    'GET /admin/skills': () => list([]),
  })
  const skills = createSkills(page.ports, page.client)
  await skills.ensureLoaded()
  skills.setFilter('CODE')
  expect(skills.filtered.value.map(({ name }) => name)).toEqual(['code-review', 'uncode', 'incident'])
  skills.setFilter('code quality')
  expect(skills.filtered.value.map(({ name }) => name)).toEqual(['code-review'])
})

it('the library opens a skill as the model, a person or a publisher may see it, and its files the same way', async () => {
  const page = fakePage({
    'GET /v1/skills/deploy': (url) =>
      url.search === '?for=person'
        ? Response.json({ ...skill('deploy'), body: '# Deploy', manifest: [] })
        : refusal(404, 'not_found'),
    'GET /v1/skills/nothing': () => refusal(404, 'not_found'),
    'GET /admin/skills/nothing': () => refusal(403, 'forbidden'),
    'GET /v1/skills/deploy/files/a%20b/c.txt': () => new Response('text'),
    'GET /v1/skills/deploy/files/picture.png': () => new Response(new Uint8Array([137, 80, 0, 255])),
  })
  const opened = createOpenedSkill(page.client)
  await opened.open('deploy')
  expect(opened.skill.value?.body).toBe('# Deploy')
  await opened.openFile('a b/c.txt')
  expect(opened.file.value?.text).toBe('text')
  expect(page.calls.at(-1)).toBe('GET /v1/skills/deploy/files/a%20b/c.txt?for=person')
  await opened.openFile('picture.png')
  expect([opened.file.value?.text, opened.file.value?.bytes.length]).toEqual([null, 4])
  await opened.open('nothing')
  expect(opened.trouble.value?.detail).toBe('It is not_found.')
})
