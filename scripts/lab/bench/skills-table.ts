// Figures of skills as lines of the table, each beside its goal. Pure.

import type { LargeBuild } from './skills-build.ts'
import type { HostileFigures } from './skills-hostile.ts'
import type { NextRun } from './skills-next.ts'
import type { SearchFigures } from './skills-search.ts'
import type { StartOfRun } from './skills-start.ts'
import type { Figures } from './stats.ts'
import type { Line } from './table.ts'

const START_ADDS_MS = 10
const SEARCH_WARM_MS = 10
const SEARCH_COLD_MS = 400
const HOSTILE_MS = 50
const BUILD_MS = { cold: 30_000, unchanged: 5_000 } as const
const BUILD_BYTES = 1_000_000_000

const ms = (value: number): string => `${value.toFixed(1)} ms`
const spread = ({ median, p99, rounds }: Figures): string =>
  `${ms(median)} · p99 ${ms(p99)} (${rounds} rounds)`
const amount = (count: number): string => count.toLocaleString('en-US')

function plain(what: string, figure: string): Line {
  return { what, figure, goal: '', met: null }
}

export function runStartLines({ skills, next, fresh, cold, publish }: StartOfRun): readonly Line[] {
  const added = (what: string, { few, many }: StartOfRun['next']): readonly Line[] => {
    const adds = many.median - few.median
    return [
      plain(`first text, ${what}: our own skills`, spread(few)),
      plain(`first text, ${what}: ${amount(skills)} skills`, spread(many)),
      {
        what: `first text, ${what}: ${amount(skills)} skills against our own`,
        figure: `${adds < 0 ? '−' : '+'} ${ms(Math.abs(adds))}`,
        goal: `≤ + ${START_ADDS_MS} ms`,
        met: adds <= START_ADDS_MS,
      },
    ]
  }
  return [
    ...added('next message, warm', next),
    ...added('new thread, warm', fresh),
    plain(`first text, new thread, ${amount(skills)} skills that no isolate knows yet`, spread(cold)),
    plain(`publish of one skill into ${amount(skills)}`, spread(publish)),
  ]
}

export function nextRunLines(all: readonly NextRun[]): readonly Line[] {
  return all.map(({ change, rounds, seen, stale }) => ({
    what: `${change} answered → in the very next run`,
    figure: `${amount(seen)} of ${amount(rounds)}${stale === null ? '' : ` (${stale})`}`,
    goal: 'all',
    met: seen === rounds,
  }))
}

export function searchLines(all: readonly SearchFigures[]): readonly Line[] {
  return all.flatMap(({ skills, cold, warm }) => [
    {
      what: `search over ${amount(skills)} skills, warm`,
      figure: `${ms(warm.median)} · p95 ${ms(warm.p95)} (${warm.rounds} rounds)`,
      goal: `p95 ≤ ${SEARCH_WARM_MS} ms`,
      met: warm.p95 <= SEARCH_WARM_MS,
    },
    {
      what: `search over ${amount(skills)} skills, first of all`,
      figure: spread(cold),
      goal: `≤ ${SEARCH_COLD_MS} ms`,
      met: cold.median <= SEARCH_COLD_MS,
    },
  ])
}

export function largeBuildLines(builds: readonly LargeBuild[]): readonly Line[] {
  return builds.map(({ what, skills, ms: took, maxRssBytes }) => ({
    what: `build of ${amount(skills)} made-up skills, ${what}`,
    figure: `${(took / 1_000).toFixed(1)} s, ${(maxRssBytes / 1_000_000).toFixed(0)} MB`,
    goal: `≤ ${BUILD_MS[what] / 1_000} s, ≤ ${BUILD_BYTES / 1_000_000} MB`,
    met: took <= BUILD_MS[what] && maxRssBytes <= BUILD_BYTES,
  }))
}

export function hostileLines(all: readonly HostileFigures[]): readonly Line[] {
  return all.map(({ what, median, p99, rounds, slowest }) => ({
    what: `${what}: processor time of one reading or opening`,
    figure: `${median.toFixed(2)} ms · p99 ${ms(p99)} · slowest ${ms(slowest.ms)} (${slowest.of}; ${amount(rounds)} rounds)`,
    goal: `none over ${HOSTILE_MS} ms`,
    met: slowest.ms <= HOSTILE_MS,
  }))
}
