// Guards what is known of use: each skill counts once a run, whoever called it; last quarter's use fades; and the
// ranking comes with the answer that a new thread asks for anyway, only where it is another one.

import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  SKILL_USE_HALF_LIFE_DAYS,
  SKILL_USE_RANKED,
  SKILL_USE_RANK_MS,
  SKILL_USE_ROWS,
} from '../../src/limits.ts'
import { SkillUses } from '../../src/skills/catalog/skill-uses.ts'
import { mostUsed } from '../../src/skills/catalog/use-rows.ts'
import type { SkillIndex, UseRanking } from '../../src/skills/skill.ts'
import { ok, type Result } from '../../src/lib/result.ts'
import { entry } from '../unit/skills-store/entries.ts'
import { ACTOR, openWorkspace, value } from './catalog-fixture.ts'
import { seedBuild } from './seed-build.ts'

const DAY = 86_400_000
const START = Date.parse('2030-03-01T12:00:00Z')

let workspaces = 0

/** The use of skills in a workspace of its own, by a clock that the test turns. */
async function counting(
  test: (use: {
    readonly sql: SqlStorage
    readonly count: (days: number, ...names: readonly string[]) => Promise<void>
    /** As another instance of the object reads it. */
    readonly ranking: () => UseRanking | null
  }) => Promise<void>,
): Promise<void> {
  const { stub } = openWorkspace(`use-rows-${++workspaces}`)
  // Every skill that a test names is built in.
  const content = {
    index: async (): Promise<Result<SkillIndex>> =>
      ok({ format: 1, skills: told.map((name) => entry(name)) }),
  }
  let told: readonly string[] = []
  await runInDurableObject(stub, async (_, { storage: { sql } }) => {
    const uses = new SkillUses(sql, content)
    await test({
      sql,
      count: async (days, ...names) => {
        told = names
        value(await uses.told('', new Set(names), START + days * DAY))
      },
      ranking: () => new SkillUses(sql, content).ranking(),
    })
  })
}

describe('use, as it is counted', () => {
  it('ranks by how often, and equals by name', () =>
    counting(async ({ sql, count, ranking }) => {
      expect(ranking()).toBeNull()
      await count(0, 'b', 'c', 'a')
      expect(ranking()?.names).toEqual(['a', 'b', 'c'])
      await count(0.1, 'c')
      expect(mostUsed(sql)).toEqual(['c', 'a', 'b'])
    }))

  it('fades: ten uses of last quarter weigh less than two of today, and time alone changes no order', () =>
    counting(async ({ sql, count, ranking }) => {
      for (let use = 0; use < 10; use++) await count(0, 'old')
      await count(0, 'older', 'old')
      await count(60, 'new')
      expect(mostUsed(sql)).toEqual(['old', 'new', 'older'])
      await count(3 * SKILL_USE_HALF_LIFE_DAYS, 'new')
      await count(3 * SKILL_USE_HALF_LIFE_DAYS, 'new')
      // 11 / 8 against 2 + 1 / 2.
      expect(ranking()?.names).toEqual(['new', 'old', 'older'])
    }))

  it('forgets a single use after a hundred days, and a skill that is used now and then never', () =>
    counting(async ({ count, ranking }) => {
      await count(0, 'once', 'always')
      for (const day of [40, 80, 99]) await count(day, 'always')
      expect(ranking()?.names).toEqual(['always', 'once'])
      await count(101, 'always')
      expect(ranking()?.names).toEqual(['always'])
    }))

  it('keeps the most used of more skills than it has rows for', () =>
    counting(async ({ sql, count, ranking }) => {
      await count(0, 'most', 'least')
      await count(0, 'most')
      const filler = Array.from({ length: SKILL_USE_ROWS }, (_, i) => `filler-${i}`)
      await count(1, ...filler)
      const { rows } = sql.exec<{ rows: number }>('SELECT count(*) AS rows FROM skill_use').one()
      expect(rows).toBe(SKILL_USE_ROWS)
      expect(mostUsed(sql)[0]).toBe('most')
      expect(sql.exec("SELECT 1 FROM skill_use WHERE name = 'least'").toArray()).toEqual([])
      expect(ranking()?.names).toHaveLength(SKILL_USE_RANKED)
    }))

  it('is ranked anew once an hour at most, and under another id only where the order changed', () =>
    counting(async ({ count, ranking }) => {
      const hour = SKILL_USE_RANK_MS / DAY
      await count(0, 'a', 'b')
      const first = ranking()
      await count(hour * 0.9, 'b')
      expect(ranking()).toEqual(first)
      await count(hour, 'b')
      const second = ranking()
      expect(second?.names).toEqual(['b', 'a'])
      expect(second?.id).not.toBe(first?.id)
      await count(hour * 2, 'b')
      expect(ranking()).toEqual(second)
      await count(hour * 3, 'a', 'c')
      expect(ranking()?.id).not.toBe(second?.id)
    }))

  it('is ranked anew when a clock that went ahead was put right', () =>
    counting(async ({ count, ranking }) => {
      await count(400, 'a')
      await count(0, 'b')
      await count(0, 'b')
      expect(ranking()?.names).toEqual(['a', 'b'])
    }))
})

describe('the catalog', () => {
  it('counts what is or was in it, built in or published, and nothing else', async () => {
    const { catalog, stub, publish } = openWorkspace('use-names')
    const build = await seedBuild(env, [{ name: 'alpha' }, { name: 'beta' }])
    value(await publish(build, { name: 'own' }))
    value(await publish(build, { name: 'gone' }))
    value(await catalog.retire(build, 'gone', ACTOR))
    value(await catalog.used(build, ['own', 'nobody-s', 'gone', 'alpha', 'alpha']))
    const names = await runInDurableObject(stub, (_, { storage }) => mostUsed(storage.sql))
    expect(names).toEqual(['alpha', 'gone', 'own'])
    value(await catalog.used(build, ['nobody-s']))
    value(await catalog.used(build, []))
    expect(value(await catalog.live(build, null)).used?.names).toEqual(['alpha', 'gone', 'own'])
  })

  it('still counts a built-in skill that the next build leaves out', async () => {
    const { catalog } = openWorkspace('use-builds')
    const build = await seedBuild(env, [{ name: 'alpha' }])
    const next = await seedBuild(env, [{ name: 'beta' }])
    value(await catalog.used(build, ['alpha']))
    value(await catalog.used(next, ['alpha', 'beta']))
    const { used } = value(await catalog.live(next, null))
    expect(used?.names).toEqual(['alpha'])
  })

  it('counts nothing where it cannot read which skills there are, and says so', async () => {
    const { catalog } = openWorkspace('use-unread')
    const build = await seedBuild(env, [{ name: 'alpha' }])
    expect(await catalog.used('0'.repeat(64), ['alpha'])).toMatchObject({ ok: false })
    expect(value(await catalog.live(build, null))).not.toHaveProperty('used')
  })

  it('sends its ranking to whoever has another one, and to nobody who does not ask', async () => {
    const { catalog, stub } = openWorkspace('use-sent')
    const build = await seedBuild(env, [{ name: 'alpha' }])
    const bare = value(await catalog.live(build))
    expect(value(await catalog.live(build, null))).toEqual(bare)
    // A ranking that it does not know, of a workspace that was begun anew.
    expect(value(await catalog.live(build, 'other'))).toEqual({ ...bare, used: null })
    value(await catalog.used(build, ['alpha']))
    const { used } = value(await catalog.live(build, null))
    expect(used).toMatchObject({ names: ['alpha'] })
    expect(value(await catalog.live(build, 'other'))).toEqual({ ...bare, used })
    expect(value(await catalog.live(build, used?.id))).toEqual(bare)
    expect(value(await catalog.live(build))).toEqual(bare)
    await evictDurableObject(stub)
    expect(value(await catalog.live(build, used?.id))).toEqual(bare)
    expect(value(await catalog.live(build, null))).toEqual({ ...bare, used })
  })
})
