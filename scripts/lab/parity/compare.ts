// Compares one case in the sandbox and on this machine, and sums up all cases.

import { SCRIPT_LANGUAGES, type ListedScript } from './list.ts'
import { inSandbox, onMachine, type ScriptOutcome } from './run.ts'

import type { Case } from './case.ts'

export interface ComparedCase {
  readonly name: string
  readonly row: string
  readonly key: string
  readonly script: string
  readonly same: boolean
}

type Ask = (request: object) => Promise<unknown>

/** Messages of a plain machine for a missing package or program. */
const LACKS =
  /ModuleNotFoundError|Cannot find (?:module|package) '[^./]|ERR_MODULE_NOT_FOUND|: command not found|exec: .*: not found/

export async function compare(
  ask: Ask,
  row: string,
  script: ListedScript,
  name: string,
  one: Case,
): Promise<ComparedCase> {
  const { key } = script
  const there = onMachine(script, one)
  const here = await inSandbox(ask, script, one)
  const same = there.exitCode === here.exitCode && there.stdout === here.stdout
  const bytes = `${there.stdout.length} characters`.padStart(18)
  console.log(`${same ? 'equal ' : 'DIFFER'} ${name.padEnd(4)} exit ${there.exitCode} ${bytes}  ${key}`)
  if (!same) for (const line of differing(here, there)) console.log(`       ${line}`)
  const needsMore = LACKS.test(there.stderr)
  return { name, row: needsMore ? `${row}, needs more` : row, key, script: script.file + key, same }
}

/** The first differing line, else standard error. */
function differing(here: ScriptOutcome, there: ScriptOutcome): readonly string[] {
  const [ours, theirs] = [here.stdout.split('\n'), there.stdout.split('\n')]
  const at = ours.findIndex((line, number) => line !== theirs[number])
  const last = ({ stderr }: ScriptOutcome): string => stderr.trim().split('\n').at(-1) ?? ''
  const from = at === -1 ? ours.length - 1 : at
  return [
    `sandbox: exit ${here.exitCode}: ${JSON.stringify(ours[from] ?? '').slice(0, 200)} [stderr] ${last(here).slice(0, 200)}`,
    `machine: exit ${there.exitCode}: ${JSON.stringify(theirs[from] ?? '').slice(0, 200)} [stderr] ${last(there).slice(0, 200)}`,
  ]
}

export function showTable(all: readonly ComparedCase[]): void {
  const show = (name: string, of: readonly ComparedCase[]): void => {
    if (of.length === 0) return
    const equal = of.filter(({ same }) => same).length
    const many = new Set(of.map(({ script }) => script)).size
    const percent = ((equal / of.length) * 100).toFixed(1)
    console.log(`| ${name} | ${many} | ${of.length} | ${equal} (${percent} %) |`)
  }
  console.log('\n| language | scripts | cases | equal |\n|---|---|---|---|')
  for (const [row, of] of Object.entries(Object.groupBy(all, (one) => one.row))) show(row, of ?? [])
  // Python, Node and bash form one list; other cases are listed separately.
  const listed = all.filter(({ row }) => SCRIPT_LANGUAGES.some((language) => language === row))
  show('all of the list', listed)
  const different = all.filter(({ same }) => !same)
  for (const { key, name } of different) console.log(`differs: ${key}, ${name}`)
}
