// Guards the counts of skill use: a skill counts once a day for each owner of threads, old use fades, and the ranking
// is sent with the answer that a new thread requests anyway, only if it changed.

import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  SKILL_USE_DAY_ROWS_MAX,
  SKILL_USE_HALF_LIFE_DAYS,
  SKILL_USE_RANKED_MAX,
  SKILL_USE_RANKING_INTERVAL_MS,
  SKILL_USE_ROWS_MAX,
  SKILL_USE_LISTED_MAX,
} from '../../src/skills/catalog/limits.ts'
import { SkillUses } from '../../src/skills/catalog/skill-uses.ts'
import { mostUsed } from '../../src/skills/catalog/use-rows.ts'
import type { SkillIndex, UseRanking } from '../../src/skills/skill.ts'
import { ok, type Result } from '../../src/lib/result.ts'
import { entry } from '../unit/skills/store/entries.ts'
import { openWorkspace, value, unpublishSkill } from './catalog-fixture.ts'
import { seedBuild } from './seed-build.ts'

const DAY = 86_400_000
const START = Date.parse('2030-03-01T12:00:00Z')
const ANN = 'user:ann'

let workspaces = 0

/** The use of skills in a separate workspace, with a clock that the test advances. */
async function counting(
  test: (use: {
    readonly sql: SqlStorage
    /** Counts a use by an owner who was not counted before. */
    readonly count: (days: number, ...names: readonly string[]) => Promise<void>
    readonly countFor: (owner: string, days: number, ...names: readonly string[]) => Promise<void>
    /** The weights on that day, to one decimal. */
    readonly weights: (days: number) => Readonly<Record<string, number>>
    /** The ranking as another instance of the object reads it. */
    readonly ranking: () => UseRanking | null
  }) => Promise<void>,
): Promise<void> {
  const { stub } = openWorkspace(`use-rows-${++workspaces}`)
  // Every skill that a test names is built in.
  const content = {
    index: async (): Promise<Result<SkillIndex>> =>
      ok({ format: 1, skills: reported.map((name) => entry(name)) }),
  }
  let reported: readonly string[] = []
  let owners = 0
  await runInDurableObject(stub, async (_, { storage }) => {
    const uses = new SkillUses(storage, content)
    const countFor = async (owner: string, days: number, ...names: readonly string[]): Promise<void> => {
      reported = [...reported, ...names]
      value(await uses.record('', new Set(names), owner, START + days * DAY))
    }
    await test({
      sql: storage.sql,
      count: (days, ...names) => countFor(`user:${++owners}`, days, ...names),
      countFor,
      weights: (days) => Object.fromEntries(uses.most(START + days * DAY).map((one) => [one.name, one.uses])),
      ranking: () => new SkillUses(storage, content).ranking(),
    })
  })
}

describe('counted use', () => {
  it('is ranked by frequency, and by name if equal', () =>
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

  it('drops a single use after a hundred days, and never a skill that is used now and then', () =>
    counting(async ({ count, ranking }) => {
      await count(0, 'once', 'always')
      for (const day of [40, 80, 99]) await count(day, 'always')
      expect(ranking()?.names).toEqual(['always', 'once'])
      await count(101, 'always')
      expect(ranking()?.names).toEqual(['always'])
    }))

  it('keeps the most used skills when there are more than its rows', () =>
    counting(async ({ sql, count, ranking }) => {
      await count(0, 'most', 'least')
      await count(0, 'most')
      const filler = Array.from({ length: SKILL_USE_ROWS_MAX }, (_, i) => `filler-${i}`)
      await count(1, ...filler)
      const { rows } = sql.exec<{ rows: number }>('SELECT count(*) AS rows FROM skill_use').one()
      expect(rows).toBe(SKILL_USE_ROWS_MAX)
      expect(mostUsed(sql)[0]).toBe('most')
      expect(sql.exec("SELECT 1 FROM skill_use WHERE name = 'least'").toArray()).toEqual([])
      expect(ranking()?.names).toHaveLength(SKILL_USE_RANKED_MAX)
    }))

  it('is ranked again at most once an hour, and under another ID only if the order changed', () =>
    counting(async ({ count, ranking }) => {
      const hour = SKILL_USE_RANKING_INTERVAL_MS / DAY
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

  it('is ranked again when a clock that was ahead is corrected', () =>
    counting(async ({ count, ranking }) => {
      await count(400, 'a')
      await count(0, 'b')
      await count(0, 'b')
      expect(ranking()?.names).toEqual(['a', 'b'])
    }))
})

describe('one owner of threads', () => {
  it('counts a skill once a day, however often: sixty messages are one use', () =>
    counting(async ({ countFor, weights }) => {
      for (let message = 0; message < 60; message++) await countFor('key:k1', 0, 'pushed')
      await countFor('key:k1', 0, 'other', 'pushed')
      expect(weights(0)).toEqual({ other: 1, pushed: 1 })
      await countFor(ANN, 0, 'pushed')
      await countFor('hook:h1', 0, 'pushed')
      expect(weights(0)).toEqual({ other: 1, pushed: 3 })
    }))

  it('counts it again on the next day, which begins at midnight UTC', () =>
    counting(async ({ countFor, weights }) => {
      await countFor(ANN, 0.49, 'a')
      await countFor(ANN, 0.51, 'a')
      await countFor(ANN, 1.4, 'a')
      expect(weights(1)).toEqual({ a: 2 })
    }))

  it('counts once when two runs are reported at the same time', () =>
    counting(async ({ countFor, weights }) => {
      await Promise.all([countFor(ANN, 0, 'a'), countFor(ANN, 0, 'a'), countFor(ANN, 0, 'a')])
      expect(weights(0)).toEqual({ a: 1 })
    }))

  it('is stored as a hash, another one each day, and deleted with the day', () =>
    counting(async ({ sql, countFor }) => {
      const rows = (): readonly unknown[] => sql.exec('SELECT * FROM skill_use_day ORDER BY seq').toArray()
      await countFor(ANN, 0, 'a', 'b')
      const who = expect.stringMatching(/^[0-9a-f]{64}$/)
      const day = Math.floor(START / DAY)
      const first = rows()
      expect(first).toEqual([
        { seq: 1, day, who, name: 'a' },
        { seq: 2, day, who, name: 'b' },
      ])
      await countFor(ANN, 1, 'a')
      expect(rows()).toEqual([{ seq: 1, day: day + 1, who, name: 'a' }])
      expect(rows()[0]).not.toMatchObject({ who: (first[0] as { who: string }).who }) // the cast is safe: its shape was checked above
    }))

  it('writes nothing for a use that is already counted', () =>
    counting(async ({ sql, countFor }) => {
      await countFor(ANN, 0, 'a')
      const written = (): number =>
        sql.exec<{ changes: number }>('SELECT total_changes() AS changes').one().changes
      const before = written()
      await countFor(ANN, 0, 'a')
      expect(written()).toBe(before)
    }))

  it('counts nothing more on a day that is full', () =>
    counting(async ({ sql, countFor, weights }) => {
      sql.exec(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO skill_use_day (day, who, name) SELECT ?, i, 'x' FROM n`,
        SKILL_USE_DAY_ROWS_MAX - 1,
        Math.floor(START / DAY),
      )
      await countFor(ANN, 0, 'a', 'b')
      await countFor('user:ben', 0, 'a')
      expect(weights(0)).toEqual({ a: 1 })
      await countFor('user:ben', 1, 'a', 'b')
      expect(weights(1)).toEqual({ a: 2, b: 1 })
    }))
})

describe('the ranking', () => {
  it('is never replaced by one that began before it and ended after it', () =>
    counting(async ({ countFor, ranking }) => {
      const digest = crypto.subtle.digest.bind(crypto.subtle)
      const release = Promise.withResolvers<void>()
      let calls = 0
      Object.defineProperty(crypto.subtle, 'digest', {
        configurable: true,
        value: async (...args: Parameters<typeof digest>) => {
          if (++calls === 1) await release.promise
          return digest(...args)
        },
      })
      try {
        const slow = countFor(ANN, 0, 'a')
        await countFor('user:ben', 0, 'b')
        expect(ranking()?.names).toContain('b')
        release.resolve()
        await slow
        expect(calls).toBe(2)
        expect(ranking()?.names).toContain('b')
      } finally {
        Reflect.deleteProperty(crypto.subtle, 'digest')
      }
    }))

  it("shows the top skills with today's weights", () =>
    counting(async ({ count, weights }) => {
      expect(weights(0)).toEqual({})
      const filler = Array.from({ length: SKILL_USE_LISTED_MAX }, (_, i) => `filler-${i}`)
      await count(0, 'most', ...filler)
      for (let use = 0; use < 4; use++) await count(0, 'most')
      expect(Object.keys(weights(0))).toHaveLength(SKILL_USE_LISTED_MAX)
      expect(weights(0)).toMatchObject({ most: 5, 'filler-0': 1 })
      expect(weights(SKILL_USE_HALF_LIFE_DAYS)).toMatchObject({ most: 2.5, 'filler-0': 0.5 })
      // 5 / 64; weights that round to zero are not listed.
      expect(weights(6 * SKILL_USE_HALF_LIFE_DAYS)).toEqual({ most: 0.1 })
    }))
})

describe('the catalog', () => {
  it('counts current and former skills, built in or published, and nothing else', async () => {
    const { catalog, stub, publish } = openWorkspace('use-names')
    const build = await seedBuild(env, [{ name: 'alpha' }, { name: 'beta' }])
    value(await publish(build, { name: 'own' }))
    value(await publish(build, { name: 'gone' }))
    value(await unpublishSkill(catalog, build, 'gone'))
    value(await catalog.used(build, ['own', 'nobody-s', 'gone', 'alpha', 'alpha'], ANN))
    const names = await runInDurableObject(stub, (_, { storage }) => mostUsed(storage.sql))
    expect(names).toEqual(['alpha', 'gone', 'own'])
    value(await catalog.used(build, ['nobody-s'], ANN))
    value(await catalog.used(build, [], ANN))
    expect(value(await catalog.live(build, null)).used?.names).toEqual(['alpha', 'gone', 'own'])
  })

  it('still counts a built-in skill that the next build omits', async () => {
    const { catalog } = openWorkspace('use-builds')
    const build = await seedBuild(env, [{ name: 'alpha' }])
    const next = await seedBuild(env, [{ name: 'beta' }])
    value(await catalog.used(build, ['alpha'], ANN))
    value(await catalog.used(next, ['alpha', 'beta'], 'user:ben'))
    const { used } = value(await catalog.live(next, null))
    expect(used?.names).toEqual(['alpha'])
  })

  it('counts nothing when it cannot read the list of skills, and reports that', async () => {
    const { catalog } = openWorkspace('use-unread')
    const build = await seedBuild(env, [{ name: 'alpha' }])
    expect(await catalog.used('0'.repeat(64), ['alpha'], ANN)).toMatchObject({ ok: false })
    expect(value(await catalog.live(build, null))).not.toHaveProperty('used')
  })

  it('sends its ranking to callers that have another one, and to nobody who does not ask', async () => {
    const { catalog, stub } = openWorkspace('use-sent')
    const build = await seedBuild(env, [{ name: 'alpha' }])
    const bare = value(await catalog.live(build))
    expect(value(await catalog.live(build, null))).toEqual(bare)
    // A ranking that the catalog does not know, of a workspace that was created again.
    expect(value(await catalog.live(build, 'other'))).toEqual({ ...bare, used: null })
    value(await catalog.used(build, ['alpha'], ANN))
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
