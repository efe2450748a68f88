// Guards that glob and grep show only what the one visibility function allows at the moment of the call, and that
// searching a skill does not count as following it.

import { describe, expect, it } from 'vitest'
import { sha256Hex, utf8 } from '../../../src/lib/bytes.ts'
import { ok, type Result } from '../../../src/lib/result.ts'
import { manifestOf } from '../../../src/skills/package/digest.ts'
import type { IndexEntry, LiveCatalog } from '../../../src/skills/skill.ts'
import { contentReader, isolateCache } from '../../../src/skills/store/content-reader.ts'
import { indexText } from '../../../src/skills/store/index-json.ts'
import { blobKey, indexKey } from '../../../src/skills/store/keys.ts'
import type { SkillAccess } from '../../../src/skills/view/access.ts'
import { skillAccess } from '../../../src/skills/view/skill-access.ts'
import { FakeFiles } from '../../fakes/files.ts'
import { entry } from '../skills/store/entries.ts'
import { memoryStores } from '../skills/store/memory-stores.ts'
import { call } from './reading-rig.ts'

/** Skills alpha, beta, hidden (not visible to models) and off (switched off), each with one additional file. */
async function catalog(allow: readonly string[] | null = null) {
  const { stores, kv, r2 } = memoryStores()
  const put = async (text: string): Promise<string> => {
    const sha256 = await sha256Hex(text)
    r2.set(blobKey('build', sha256), utf8(text))
    return sha256
  }
  const make = async (name: string, change: Partial<IndexEntry> = {}): Promise<IndexEntry> => {
    const manifest = await manifestOf([
      { path: 'SKILL.md', sha256: await put(`# ${name}\nneedle of ${name}\n`) },
      { path: 'references/a.md', sha256: await put(`needle below ${name}`) },
    ])
    await put(manifest.text)
    return entry(name, { digest: manifest.digest, ...change })
  }
  const skills = [
    await make('alpha'),
    await make('beta'),
    await make('hidden', { model_invocable: false }),
    await make('off', { enabled: false }),
  ]
  let live: Result<LiveCatalog> = ok({ version: 1, index: '' })
  const access: SkillAccess = skillAccess({
    index: { format: 1, skills },
    version: 1,
    audience: { allow, invoked: [] },
    content: contentReader(stores, 'w', isolateCache()),
    live: () => Promise.resolve(live),
    published: () => Promise.resolve(ok(null)),
  })
  /** Switches this skill off. */
  const switchOff = async (name: string): Promise<void> => {
    const now = skills.map((skill) => (skill.name === name ? { ...skill, enabled: false } : skill))
    const text = indexText({ format: 1, skills: now })
    const sha256 = await sha256Hex(text)
    kv.set(indexKey(sha256), utf8(text))
    live = ok({ version: 2, index: sha256 })
  }
  return { access, switchOff }
}

const SEARCHES = [
  ['glob', { pattern: '**/*.md', path: '/mnt/skills' }],
  ['glob', { pattern: '/mnt/skills/**/*.md' }],
  ['grep', { pattern: 'needle', path: '/mnt/skills/public' }],
  ['grep', { pattern: 'needle', path: '/mnt' }],
] as const

describe.each(SEARCHES)('%s %j', (tool, input) => {
  const names = async (access: SkillAccess): Promise<readonly string[]> => {
    const { content } = await call(tool, input, new FakeFiles(), access)
    return [...new Set([...content.matchAll(/public\/([a-z]+)\//g)].map(([, name = '']) => name))]
  }

  it('shows visible skills and no others', async () => {
    expect(await names((await catalog()).access)).toEqual(['alpha', 'beta'])
    expect(await names((await catalog(['beta', 'hidden', 'off'])).access)).toEqual(['beta'])
  })

  it('shows nothing of one that was disabled meanwhile, and says that something is missing', async () => {
    const { access, switchOff } = await catalog()
    await switchOff('alpha')
    expect(await names(access)).toEqual(['beta'])
    const { content } = await call(tool, input, new FakeFiles(), access)
    expect(content).toContain('currently unavailable: 1 skill.')
  })

  it('makes no skill active', async () => {
    const { access } = await catalog()
    await call(tool, input, new FakeFiles(), access)
    expect(access.active()).toEqual([])
  })
})

describe('a path into a skill', () => {
  it.each([
    ['hidden', 'There is no skill at'],
    ['off', 'is switched off'],
    ['alpha', 'is switched off'],
  ])('of %s is answered as everywhere', async (name, words) => {
    const { access, switchOff } = await catalog()
    await switchOff('alpha')
    for (const [tool, input] of [
      ['glob', { pattern: '*', path: `/mnt/skills/public/${name}` }],
      ['glob', { pattern: `/mnt/skills/public/${name}/*` }],
      ['grep', { pattern: 'needle', path: `/mnt/skills/public/${name}/SKILL.md` }],
    ] as const)
      expect(await call(tool, input, new FakeFiles(), access)).toMatchObject({
        isError: true,
        content: expect.stringContaining(words),
      })
  })
})
