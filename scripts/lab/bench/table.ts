// Figures as lines of a table, each beside its goal, and the table as text or Markdown. Pure.

import { UPLOAD_MAX_GZIP_BYTES } from '../../check/limits.ts'

import type { FileFigures } from './files.ts'
import type { Scene, SceneFigures } from './latency.ts'
import type { LongThread } from './long.ts'
import type { BuildFigures, PushFigures } from './once.ts'
import type { StartFigures } from './start.ts'
import type { Figures } from './stats.ts'

export interface Line {
  readonly what: string
  readonly figure: string
  readonly goal: string
  /** Null: there is no goal, the figure is for comparing. */
  readonly met: boolean | null
}

const WARM_ADDS_MS = 2.5
const NEW_ADDS_MS = 5
const P99_RATIO = 1.5
const TOOLS_RATIO = 1.8
const LONG_START_MS = 25
const REPLAY_MS = 300
/** Of one file on its way, and of twenty. */
const UPLOAD_MB = 20
const UPLOADS_MB = 60
const START_MS = 15_000
const LIVE_MS = 1_000
const UP_AGAIN_MS = 5_000
const BUILD_MS = 5_000

const TITLES: Readonly<Record<Scene, string>> = {
  chat: 'first text, next message of a thread',
  new: 'first text, first message of a new thread',
  tools: 'five model calls with four tool calls',
}

const ms = (value: number): string => `${value.toFixed(1)} ms`
const times = (value: number): string => `${value.toFixed(2)} ×`

const NO_GOAL = { goal: '', met: null } as const

function under(value: number, limit: number, unit: string): Pick<Line, 'goal' | 'met'> {
  return { goal: `≤ ${limit} ${unit}`, met: value <= limit }
}

function plain(what: string, figure: string): Line {
  return { what, figure, ...NO_GOAL }
}

function spread({ median, p90, p99, rounds }: Figures): string {
  return `${ms(median)} · p90 ${ms(p90)} · p99 ${ms(p99)} (${rounds} rounds)`
}

/** A figure of Satchel beside the same one of a bare Worker. */
function against(scene: Scene, who: string, ours: Figures, theirs: Figures, goal: boolean): readonly Line[] {
  const adds = ours.median - theirs.median
  const ratio = ours.median / theirs.median
  const what = `${TITLES[scene]}: Satchel against ${who}`
  if (scene === 'tools')
    return [{ what, figure: times(ratio), ...(goal ? under(ratio, TOOLS_RATIO, '×') : NO_GOAL) }]
  const limit = scene === 'chat' ? WARM_ADDS_MS : NEW_ADDS_MS
  const tail = ours.p99 / theirs.p99
  return [
    {
      what,
      figure: `${adds < 0 ? '−' : '+'} ${ms(Math.abs(adds))} (${times(ratio)})`,
      ...(goal ? { goal: `≤ + ${limit} ms`, met: adds <= limit } : NO_GOAL),
    },
    { what: `${what}, p99`, figure: times(tail), ...(goal ? under(tail, P99_RATIO, '×') : NO_GOAL) },
  ]
}

export function latencyLines({ scene, direct, bare, same, satchel }: SceneFigures): readonly Line[] {
  const line = (who: string, of: Figures): Line => plain(`${TITLES[scene]}: ${who}`, spread(of))
  return [
    ...(direct ? [line('no Worker', direct)] : []),
    line('bare Worker, least bytes', bare),
    line('bare Worker, equal bytes', same),
    line('Satchel', satchel),
    ...against(scene, 'bare with equal bytes', satchel, same, true),
    ...against(scene, 'bare with least bytes', satchel, bare, false),
  ]
}

export function longLines({ messages, start, accepted, events, replay }: LongThread): readonly Line[] {
  const count = (value: number): string => value.toLocaleString('en-US')
  return [
    {
      what: `thread of ${count(messages)} messages, the next one: first event of its run`,
      figure: spread(accepted),
      ...under(accepted.median, LONG_START_MS, 'ms'),
    },
    plain(`thread of ${count(messages)} messages, the next one: first text`, spread(start)),
    {
      what: `replay of ${count(events)} events`,
      figure: spread(replay),
      ...under(replay.median, REPLAY_MS, 'ms'),
    },
  ]
}

export function fileLines({ bytes, times: taken, memory }: FileFigures): readonly Line[] {
  const mb = bytes / 1_000_000
  const rate = ({ median }: Figures): string => `${ms(median)} (${((mb / median) * 1_000).toFixed(0)} MB/s)`
  return [
    ...taken.map(({ what, satchel, bare }) =>
      plain(
        `${mb.toFixed(0)} MB ${what}: Satchel, and a bare Worker`,
        `${rate(satchel)}, ${rate(bare)}: ${times(satchel.median / bare.median)}`,
      ),
    ),
    ...memory.map(({ what, count, peakBytes }) => ({
      what: `memory of the Worker, ${count} × ${mb.toFixed(0)} MB ${what} at once`,
      figure: `+ ${(peakBytes / 1_000_000).toFixed(1)} MB`,
      ...under(peakBytes / 1_000_000, count === 1 ? UPLOAD_MB : UPLOADS_MB, 'MB'),
    })),
  ]
}

export function startLines(figures: StartFigures): readonly Line[] {
  const { readyMs, firstEventMs, editMs, killedMs, hungMs } = figures
  const seconds = (value: number): string => `${(value / 1_000).toFixed(1)} s`
  const slowest = (what: string, all: readonly number[], lid: number): Line => {
    const most = Math.max(...all)
    const times = `${all.length} times`
    return {
      what,
      figure: `${seconds(most)} at most, ${times}`,
      goal: `≤ ${lid / 1_000} s`,
      met: most <= lid,
    }
  }
  return [
    plain('npm start, fresh state: up', seconds(readyMs)),
    {
      what: 'npm start, fresh state: first event of the first run',
      figure: seconds(firstEventMs),
      goal: `≤ ${START_MS / 1_000} s`,
      met: firstEventMs <= START_MS,
    },
    slowest('npm start: an edited SKILL.md is live', editMs, LIVE_MS),
    slowest('npm start: workerd killed, up again', killedMs, UP_AGAIN_MS),
    slowest('npm start: workerd hangs, up again', hungMs, UP_AGAIN_MS),
  ]
}

export function buildLines(builds: readonly BuildFigures[]): readonly Line[] {
  return builds.map(({ what, skills, ms: took }) => ({
    what: `build of the ${what} (${skills})`,
    figure: ms(took),
    goal: `≤ ${BUILD_MS / 1_000} s`,
    met: took <= BUILD_MS,
  }))
}

export function pushLines([first, second]: readonly PushFigures[]): readonly Line[] {
  const line = (push: PushFigures, goal: string, met: boolean | null): Line => ({
    what: `${push.what} to local stores`,
    figure: `${push.objects} objects, ${ms(push.ms)}`,
    goal,
    met,
  })
  return [
    ...(first ? [line(first, '', null)] : []),
    ...(second ? [line(second, 'sends nothing', second.objects === 0)] : []),
  ]
}

export function sizeLines(bytes: number): readonly Line[] {
  const kb = (value: number): string => `${(value / 1_000).toFixed(0)} KB gzip`
  return [
    {
      what: 'upload, every module counted',
      figure: kb(bytes),
      goal: `≤ ${kb(UPLOAD_MAX_GZIP_BYTES)}`,
      met: bytes <= UPLOAD_MAX_GZIP_BYTES,
    },
  ]
}

function verdict(met: boolean | null): string {
  return met === null ? '' : met ? 'met' : 'missed'
}

export function asText(lines: readonly Line[]): string {
  const cells = lines.map(({ what, figure, goal, met }) => [what, figure, goal, verdict(met)])
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function asMarkdown(lines: readonly Line[]): string {
  const rows = lines.map(
    ({ what, figure, goal, met }) => `| ${what} | ${figure} | ${goal} | ${verdict(met)} |`,
  )
  return ['| measured | figure | goal | |', '|---|---|---|---|', ...rows].join('\n')
}
