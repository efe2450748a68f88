// `npm run soak`: the fuzz tests with all their cases, and `npm start` under kill -9 (also during commands and
// approvals), under load and with many isolates. Exit status 1 on any violation.

import { randomBytes } from '../src/lib/ids.ts'
import { soakApprovals } from './lab/soak/approvals.ts'
import { soakCommands } from './lab/soak/commands.ts'
import { soakLoad } from './lab/soak/load/load.ts'
import { LOAD_SCENES, type SceneName } from './lab/soak/load/scenes.ts'
import { soakFuzz } from './lab/soak/fuzz.ts'
import { soakIsolates } from './lab/soak/isolates.ts'
import { soakKills } from './lab/soak/kills.ts'
import { command } from './lib/command.ts'

const NAMES = Object.keys(LOAD_SCENES).filter(isScene)

const USAGE = `npm run soak -- [options]

  --only PART   fuzz (all cases of the fuzz tests), kills, commands (killed while they write), approvals
                (killed around what a person allows), load or isolates (what commands leave in memory);
                without it all
  --kills K     how often the running server is ended: of kills, in every way (40); of commands (50);
                of approvals (100)
  --minutes N   of kills: in what time at least (3)
  --threads T   clients that send meanwhile (4; of commands and approvals 3); of isolates, new threads
                with a command each (300)
  --stopped N   of isolates: commands that are stopped (60)
  --seed S      the chance of an earlier run (random, printed)
  --scene NAME  of load, repeatable; without it all:
                ${NAMES.join(', ')}
  --help        this text`

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
      scene: { type: 'string', multiple: true },
    },
  },
  async ({ values }) => {
    const { only, scene: scenes = NAMES, ...given } = values
    const wrong = Object.entries(given).find(([, value]) => !/^\d+(\.\d+)?$/.test(value))
    if (wrong) return `--${wrong[0]} ${wrong[1]}: give a number.`
    const unknown = scenes.find((name) => !isScene(name))
    if (unknown !== undefined) return `There is no scene "${unknown}".`
    const number = (name: keyof typeof given, otherwise: number): number => Number(given[name] ?? otherwise)
    const seed = number('seed', new DataView(randomBytes(4).buffer).getUint32(0))
    const plan = (kills: number, threads: number) => ({
      kills: number('kills', kills),
      threads: number('threads', threads),
      seed,
    })
    const isolates = { threads: number('threads', 300), stopped: number('stopped', 60) }
    const parts: Readonly<Record<string, () => Promise<number>>> = {
      fuzz: soakFuzz,
      kills: () => soakKills({ ...plan(40, 4), minutes: number('minutes', 3) }),
      commands: () => soakCommands(plan(50, 3)),
      approvals: () => soakApprovals(plan(100, 3)),
      load: () => soakLoad(scenes.filter(isScene)),
      isolates: () => soakIsolates(isolates),
    }
    if (only !== undefined && !Object.hasOwn(parts, only)) return `There is no part "${only}".`
    let violations = 0
    for (const [name, part] of Object.entries(parts))
      if (only === undefined || only === name) violations += await part()
    return violations === 0 ? 0 : 1
  },
)
