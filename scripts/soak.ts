// `npm run soak`: runs the fuzz tests with all their cases, and tests `npm start` under kill -9 (also during commands and
// approvals), under load and with many isolates. Exit status 1 on any violation.

import { randomBytes } from '../src/lib/ids.ts'
import { soakApprovals } from './lab/soak/approvals.ts'
import { soakCommands } from './lab/soak/commands.ts'
import { soakDeliveries } from './lab/soak/deliveries/deliveries.ts'
import { soakLoad } from './lab/soak/load/load.ts'
import { LOAD_SCENES, type SceneName } from './lab/soak/load/scenes.ts'
import { soakFuzz } from './lab/soak/fuzz.ts'
import { soakHooks } from './lab/soak/hooks/hooks.ts'
import { soakIsolates } from './lab/soak/isolates.ts'
import { soakKills } from './lab/soak/kills.ts'
import { soakRows } from './lab/soak/rows.ts'
import { soakShell } from './lab/soak/shell.ts'
import { soakThreads } from './lab/soak/threads/threads.ts'
import { command } from './lib/command.ts'

const SCENE_NAMES = Object.keys(LOAD_SCENES).filter(isScene)

const USAGE = `npm run soak -- [options]

  --only PART   run only one part: fuzz (all cases of the fuzz tests), kills (at any time), commands (kills while they
                write), approvals (kills around approved calls), threads (kills over many windows), hooks (wrong
                deliveries, and kills from a delivery's bytes to its reply and callback, and
                around planned times), deliveries (thousands in one thread, and a thousand at once), rows (kills while runs
                are made, and their rows, receipts and sums), load, isolates (memory that commands leave behind), or
                shell (generated scripts, compared with this machine's bash; only with --only)
  --kills K     how often the server is killed (default: 40 in kills, 50 in commands, threads and rows,
                100 in approvals and hooks)
  --minutes N   the minimum duration of kills in minutes (default: 3)
  --threads T   the number of clients (default: 4 in kills and rows, 3 in commands and approvals), or in isolates, of new
                threads with one command each (default: 300)
  --stopped N   in isolates, the number of commands that are stopped (default: 60)
  --runs R      in threads, the number of runs with 50 steps each (default: 8); in rows, the number of runs
                (default: 500)
  --deliveries D
                in deliveries, the number that one thread answers (default: 5,000; 0 leaves them out)
  --waiting W   in deliveries, how many of them wait at the same time (default: 500)
  --at-once A   in deliveries, the number that comes at once (default: 1,000; 0 leaves them out)
  --wrong W     in hooks, the number of wrong deliveries (default: 2,000; 0 leaves them out)
  --scripts N   in shell, the number of scripts (default: 10,000)
  --seed S      the seed of an earlier run, to repeat it (default: random; it is printed)
  --scene NAME  in load, run only this scene (repeatable). The scenes:
                ${SCENE_NAMES.join(', ')}
  --help        show this text`

function isScene(name: string): name is SceneName {
  return Object.hasOwn(LOAD_SCENES, name)
}

const text = { type: 'string' } as const

command(
  USAGE,
  {
    options: {
      only: text,
      minutes: text,
      kills: text,
      threads: text,
      seed: text,
      stopped: text,
      scripts: text,
      runs: text,
      deliveries: text,
      wrong: text,
      waiting: text,
      'at-once': text,
      scene: { type: 'string', multiple: true },
    },
  },
  async ({ values }) => {
    const { only, scene: scenes = SCENE_NAMES, ...numbers } = values
    const invalid = Object.entries(numbers).find(([, value]) => !/^\d+(\.\d+)?$/.test(value))
    if (invalid) return `--${invalid[0]} ${invalid[1]}: Use a number.`
    const unknown = scenes.find((name) => !isScene(name))
    if (unknown !== undefined) return `There is no scene "${unknown}".`
    const numberOr = (name: keyof typeof numbers, fallback: number): number =>
      Number(numbers[name] ?? fallback)
    const seed = numberOr('seed', new DataView(randomBytes(4).buffer).getUint32(0))
    const plan = (kills: number, threads: number) => ({
      kills: numberOr('kills', kills),
      threads: numberOr('threads', threads),
      seed,
    })
    const isolates = { threads: numberOr('threads', 300), stopped: numberOr('stopped', 60) }
    const parts: Readonly<Record<string, () => Promise<number>>> = {
      fuzz: soakFuzz,
      kills: () => soakKills({ ...plan(40, 4), minutes: numberOr('minutes', 3) }),
      commands: () => soakCommands(plan(50, 3)),
      approvals: () => soakApprovals(plan(100, 3)),
      threads: () =>
        soakThreads({
          runs: numberOr('runs', 8),
          stepsPerRun: 50,
          kills: numberOr('kills', 50),
          seed,
        }),
      hooks: () => soakHooks({ kills: numberOr('kills', 100), seed, wrong: numberOr('wrong', 2_000) }),
      deliveries: () =>
        soakDeliveries({
          count: numberOr('deliveries', 5_000),
          waiting: numberOr('waiting', 500),
          atOnce: numberOr('at-once', 1_000),
        }),
      rows: () => soakRows({ ...plan(50, 4), runs: numberOr('runs', 500) }),
      load: () => soakLoad(scenes.filter(isScene)),
      isolates: () => soakIsolates(isolates),
      shell: () => soakShell({ seed, scripts: numberOr('scripts', 10_000) }),
    }
    if (only !== undefined && !Object.hasOwn(parts, only)) return `There is no part "${only}".`
    let violations = 0
    for (const [name, part] of Object.entries(parts))
      if (only === undefined ? name !== 'shell' : only === name) violations += await part()
    return violations === 0 ? 0 : 1
  },
)
