// Guards POST /v1/skills/match: it suggests only skills that the caller's agent may see, with reasons.

import { beforeAll, describe, expect, it } from 'vitest'
import type { SkillInfo } from '../../src/skills/view/skill-info.ts'
import {
  foreignKey,
  got,
  makeKey,
  publish,
  refused,
  send,
  serveSkills,
  skillFolderOf,
} from './api-fixture.ts'

interface Matches {
  readonly data: readonly {
    readonly skill: SkillInfo
    readonly score: number
    readonly why: readonly { readonly term: string; readonly field: string }[]
  }[]
  readonly catalog_version: number
}

async function match(body: object, key?: string): Promise<Matches> {
  return got<Matches>(send('POST /v1/skills/match', key === undefined ? { body } : { body, key }))
}

async function names(text: string, key?: string): Promise<readonly string[]> {
  return (await match({ text, limit: 20 }, key)).data.map((one) => one.skill.name)
}

beforeAll(() =>
  serveSkills([
    { name: 'invoice-reader', description: 'Extract totals from invoices.' },
    {
      name: 'slide-decks',
      description: 'Make presentations.',
      body: '# Speaker notes\n\nRehearse the talk.',
    },
  ]),
)

describe('a text', () => {
  it('is answered with the suggested skills, the reasons, and the searched catalog', async () => {
    const { version } = await got<{ version: number }>(send('GET /admin/catalog'))
    const chatKey = await makeKey('chat')
    const { data, catalog_version } = await match({ text: 'The totals of this invoice' }, chatKey.key)
    expect(catalog_version).toBe(version)
    expect(data).toEqual([
      {
        skill: await got(send('GET /admin/skills/invoice-reader')).then((whole) =>
          expect.objectContaining({
            name: 'invoice-reader',
            digest: whole['digest'],
            location: whole['location'],
          }),
        ),
        score: expect.any(Number),
        why: [
          { term: 'totals', field: 'description' },
          { term: 'invoice', field: 'name' },
        ],
      },
    ])
    expect(data[0]?.score).toBeGreaterThan(0)
  })

  it('is matched against bodies, too', async () => {
    expect(await names('rehearsing')).toEqual(['slide-decks'])
  })

  it('without a match is answered with none', async () => {
    expect((await match({ text: 'zyzzyva' })).data).toEqual([])
  })

  it('gets as many skills as it asks for', async () => {
    for (let at = 0; at < 6; at++) await publish({ name: `gadget-${at}`, description: 'Gadgets.' })
    expect((await match({ text: 'gadgets' })).data).toHaveLength(5)
    expect((await match({ text: 'gadgets', limit: 2 })).data).toHaveLength(2)
    expect(await names('gadgets')).toHaveLength(6)
  })
})

describe('a skill that the agent may not see', () => {
  it('is never suggested while it is disabled, and again once enabled', async () => {
    await publish({ name: 'walrus', description: 'Counts walruses.' })
    expect(await names('walruses')).toEqual(['walrus'])
    await got(send('PATCH /admin/skills/walrus', { body: { enabled: false } }))
    expect(await names('walruses')).toEqual([])
    expect(await names('select:walrus')).toEqual([])
    await got(send('PATCH /admin/skills/walrus', { body: { enabled: true } }))
    expect(await names('walruses')).toEqual(['walrus'])
  })

  it('is never suggested if its author hides it from the model', async () => {
    const text =
      '---\nname: narwhal\ndescription: Counts narwhals.\ndisable-model-invocation: true\n---\n\nCount.\n'
    await got(send('POST /admin/skills', { body: { files: { 'SKILL.md': text } } }), 201)
    for (const query of ['narwhals', 'select:narwhal', '+narwhal count'])
      expect(await names(query)).toEqual([])
  })

  it('is never suggested to another workspace', async () => {
    const other = await foreignKey('other-match')
    await got(
      send('POST /admin/skills', {
        key: other,
        body: skillFolderOf({ name: 'orca', description: 'Orcas.' }),
      }),
      201,
    )
    expect(await names('orcas', other)).toEqual(['orca'])
    expect(await names('orcas')).toEqual([])
  })
})

describe('an invalid request', () => {
  it.each<[string, object, string]>([
    ['no text', {}, 'text'],
    ['a blank text', { text: ' \n ' }, 'text'],
    ['a text of another type', { text: ['a'] }, 'text'],
    ['a text that is too long', { text: 'a'.repeat(8_001) }, 'text'],
    ['a limit of zero', { text: 'a', limit: 0 }, 'limit'],
    ['a limit that is too high', { text: 'a', limit: 21 }, 'limit'],
    ['a limit that is not an integer', { text: 'a', limit: 1.5 }, 'limit'],
    ['an unknown field', { text: 'a', model: 'x' }, 'model'],
  ])('with %s is refused at that field', async (_, body, path) => {
    const problem = await refused(send('POST /v1/skills/match', { body }), 422, 'invalid_request')
    expect(problem.errors?.map((error) => error.path)).toEqual([path])
  })

  it('without a key is refused', async () => {
    await refused(send('POST /v1/skills/match', { key: null, body: { text: 'a' } }), 401, 'unauthenticated')
  })
})
