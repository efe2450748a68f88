// Guards the cache of rankings: an isolate is sent each ranking once and requests it by its known id, the number of
// workspaces is limited, and none gets another's ranking.

import { expect, it } from 'vitest'
import { fail, ok, type Result } from '../../../src/lib/result.ts'
import { CACHED_RANKINGS_MAX } from '../../../src/thread/limits.ts'
import type { RankedCatalog, UseRanking } from '../../../src/skills/skill.ts'
import { liveRankedCatalog } from '../../../src/thread/rankings.ts'

/** A catalog that sends its ranking to a requester that has another one. */
class Catalog {
  used: UseRanking | null = null
  /** The ranking that each requester had, and whether it was sent a new one. */
  readonly requested: { readonly had: string | null | undefined; readonly sent: boolean }[] = []

  rank(...names: readonly string[]): void {
    this.used = { id: names.join('>'), names }
  }

  async live(_: string, had?: string | null): Promise<Result<RankedCatalog>> {
    const sent = (this.used?.id ?? null) !== had
    this.requested.push({ had, sent })
    return ok({ version: 1, index: 'i', ...(sent ? { used: structuredClone(this.used) } : {}) })
  }
}

async function used(catalog: Catalog, workspace: string): Promise<UseRanking | null | undefined> {
  const live = await liveRankedCatalog(catalog, workspace, 'b')
  return live.ok ? live.value.used : undefined
}

it('a new ranking is sent once, and then named', async () => {
  const catalog = new Catalog()
  expect(await used(catalog, 'named')).toBeNull()
  catalog.rank('a', 'b')
  const first = await used(catalog, 'named')
  expect(first?.names).toEqual(['a', 'b'])
  expect(await used(catalog, 'named')).toBe(first)
  catalog.rank('b', 'a')
  expect((await used(catalog, 'named'))?.names).toEqual(['b', 'a'])
  expect(catalog.requested).toEqual([
    { had: null, sent: false },
    { had: null, sent: true },
    { had: 'a>b', sent: false },
    { had: 'a>b', sent: true },
  ])
})

it('the ranking is one object for all simultaneous requests', async () => {
  const catalog = new Catalog()
  catalog.rank('a')
  const [one, two] = await Promise.all([used(catalog, 'at-once'), used(catalog, 'at-once')])
  expect(one).toBe(two)
})

it('the ranking is dropped when the catalog has none any more', async () => {
  const catalog = new Catalog()
  catalog.rank('a')
  await used(catalog, 'gone')
  catalog.used = null
  expect(await used(catalog, 'gone')).toBeNull()
  await used(catalog, 'gone')
  expect(catalog.requested.map(({ had }) => had)).toEqual([null, 'a', null])
})

it('each workspace has one ranking, and the least recently used is dropped', async () => {
  const catalog = new Catalog()
  catalog.rank('a')
  for (let i = 0; i <= CACHED_RANKINGS_MAX; i++) {
    await used(catalog, `many-${i}`)
    await used(catalog, 'many-0')
  }
  catalog.requested.length = 0
  await used(catalog, 'many-0')
  await used(catalog, 'many-1')
  expect(catalog.requested.map(({ had }) => had)).toEqual(['a', null])
})

it('a cached ranking does not hide a failure of the catalog', async () => {
  const away = { live: async () => fail('overloaded', 'Away.') }
  expect(await liveRankedCatalog(away, 'fails', 'b')).toMatchObject({
    ok: false,
    error: { code: 'overloaded' },
  })
})
