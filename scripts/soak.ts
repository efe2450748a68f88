// `npm run soak`: the fuzz tests with all their cases, and what `npm start` starts, under kill -9, also inside of commands
// that write much and around calls that a person allows, under crowds and with many isolates. Exit status 1 on any violation.

import { randomBytes } from '../src/lib/ids.ts'
import { readArgs } from './lib/args.ts'
import { soakApprovals } from './lab/soak/approvals.ts'
import { soakCommands } from './lab/soak/commands.ts'
import { soakCrowd } from './lab/soak/crowd/crowd.ts'
import { SCENES, type SceneName } from './lab/soak/crowd/scenes.ts'
import { soakFuzz } from './lab/soak/fuzz.ts'
import { soakIsolates } from './lab/soak/isolates.ts'
import { soakKills, type KillPlan } from './lab/soak/kills.ts'

const PARTS = ['fuzz', 'kills', 'commands', 'approvals', 'crowd', 'isolates'] as const
const NAMES = Object.keys(SCENES).filter(isScene)

const USAGE = `npm run soak -- [options]

  --only PART   fuzz (all cases of the fuzz tests), kills, commands (killed while they write), approvals
                (killed around what a person allows), crowd or isolates (what commands leave in memory);
                without it all
  --kills K     how often the running server is ended: of kills, in every way (40); of commands (50);
                of approvals (100)
  --minutes N   of kills: in what time at least (3)
  --threads T   clients that send meanwhile (4; of commands and approvals 3); of isolates, new threads
                with a command each (300)
  --stopped N   of isolates: commands that are stopped (60)
  --seed S      the chance of an earlier run (random, printed)
  --scene NAME  of crowd, repeatable; without it all:
                ${NAMES.join(', ')}
  --help        this text`

function isScene(name: string): name is SceneName {
  return Object.hasOwn(SCENES, name)
}

function positive(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}

function refuse(complaint: string): never {
  console.error(`${complaint}\n\n${USAGE}`)
  process.exit(2)
}

const text = { type: 'string' } as const
const args = readArgs({
  args: process.argv.slice(2),
  options: {
    only: text,
    minutes: text,
    kills: text,
    threads: text,
    seed: text,
    stopped: text,
    scene: { type: 'string', multiple: true },
    help: { type: 'boolean' },
  },
})
if (!args.ok) refuse(args.error)
const { help, only, scene: scenes = NAMES, minutes, kills, threads, seed, stopped } = args.value.values
if (help) {
  console.log(USAGE)
  process.exit(0)
}
if (only !== undefined && !PARTS.some((part) => part === only)) refuse(`There is no part "${only}".`)
const unknown = scenes.find((name) => !isScene(name))
if (unknown !== undefined) refuse(`There is no scene "${unknown}".`)
const plan: KillPlan = {
  minutes: positive(minutes, 3),
  kills: positive(kills, 40),
  threads: positive(threads, 4),
  seed: positive(seed, new DataView(randomBytes(4).buffer).getUint32(0)),
}
const approvals = { kills: positive(kills, 100), threads: positive(threads, 3), seed: plan.seed }
const commands = { kills: positive(kills, 50), threads: positive(threads, 3), seed: plan.seed }
const isolates = { threads: positive(threads, 300), stopped: positive(stopped, 60) }
if ([...Object.values(plan), isolates.stopped].some(Number.isNaN)) refuse('Give numbers.')

try {
  let violations = 0
  if (only === undefined || only === 'fuzz') violations += await soakFuzz()
  if (only === undefined || only === 'kills') violations += await soakKills(plan)
  if (only === undefined || only === 'commands') violations += await soakCommands(commands)
  if (only === undefined || only === 'approvals') violations += await soakApprovals(approvals)
  if (only === undefined || only === 'crowd') violations += await soakCrowd(scenes.filter(isScene))
  if (only === undefined || only === 'isolates') violations += await soakIsolates(isolates)
  process.exitCode = violations === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
