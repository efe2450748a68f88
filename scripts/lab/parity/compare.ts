// One case in the sandbox and on this machine, and what it comes to over all of them.

import { SCRIPT_LANGUAGES, type Listed } from './list.ts'
import { REASONS } from './reasons.ts'
import { inSandbox, onMachine, type ScriptOutcome } from './run.ts'

import type { Case } from './case.ts'

export interface ComparedCase {
  readonly name: string
  readonly row: string
  readonly key: string
  readonly script: string
  readonly same: boolean
  readonly why: string
}

type Ask = (asked: object) => Promise<unknown>

export async function compare(
  ask: Ask,
  row: string,
  script: Listed,
  name: string,
  one: Case,
): Promise<ComparedCase> {
  const { key } = script
  const why = REASONS[`${key} ${name}`] ?? ''
  if (one.not !== undefined) {
    console.log(`NOT    ${name.padEnd(4)} ${key}: ${one.not}`)
    return { name, row, key, script: script.file + key, same: false, why }
  }
  const there = onMachine(script, one)
  const here = await inSandbox(ask, script, one)
  const same = there.exitCode === here.exitCode && there.stdout === here.stdout
  const bytes = `${there.stdout.length} characters`.padStart(18)
  console.log(`${same ? 'equal ' : 'DIFFER'} ${name.padEnd(4)} exit ${there.exitCode} ${bytes}  ${key}`)
  if (!same) for (const line of differing(here, there)) console.log(`       ${line}`)
  return { name, row, key, script: script.file + key, same, why }
}

/** The first line that differs, else what was said on standard error. */
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
    const equal = of.filter(({ same }) => same).length
    const many = new Set(of.map(({ script }) => script)).size
    const percent = ((equal / of.length) * 100).toFixed(1)
    console.log(`| ${name} | ${many} | ${of.length} | ${equal} (${percent} %) |`)
  }
  // Python, Node and bash are one list; what else is run is beside it.
  const listed = all.filter(({ row }) => SCRIPT_LANGUAGES.some((language) => language === row))
  console.log('\n| language | scripts | cases | equal |\n|---|---|---|---|')
  for (const row of SCRIPT_LANGUAGES) {
    const of = listed.filter((one) => one.row === row)
    if (of.length > 0) show(row, of)
  }
  if (listed.length > 0) show('all of the list', listed)
  for (const row of new Set(all.filter((one) => !listed.includes(one)).map((one) => one.row)))
    show(
      row,
      all.filter((one) => one.row === row),
    )
  const different = all.filter(({ same }) => !same)
  if (different.length === 0) return
  console.log('\n| differs | why |\n|---|---|')
  for (const { key, name, why } of different)
    console.log(`| ${key}, ${name} | ${why === '' ? 'NOT KNOWN' : why} |`)
}
