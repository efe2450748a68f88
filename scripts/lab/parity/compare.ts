// Compares one case in the sandbox and on this machine, and summarizes all cases.

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

/** Messages for a missing package or program on a standard machine. */
const MISSING_DEPENDENCY =
  /ModuleNotFoundError|Cannot find (?:module|package) '[^./]|ERR_MODULE_NOT_FOUND|: command not found|exec: .*: not found/

export async function compare(
  ask: Ask,
  row: string,
  script: ListedScript,
  name: string,
  testCase: Case,
): Promise<ComparedCase> {
  const { key } = script
  const native = onMachine(script, testCase)
  const sandboxed = await inSandbox(ask, script, testCase)
  const same = native.exitCode === sandboxed.exitCode && native.stdout === sandboxed.stdout
  const bytes = `${native.stdout.length} characters`.padStart(18)
  console.log(`${same ? 'equal ' : 'DIFFER'} ${name.padEnd(4)} exit ${native.exitCode} ${bytes}  ${key}`)
  if (!same) for (const line of describeDifference(sandboxed, native)) console.log(`       ${line}`)
  const needsMore = MISSING_DEPENDENCY.test(native.stderr)
  return { name, row: needsMore ? `${row}, needs more` : row, key, script: script.file + key, same }
}

/** The first line that differs, or else standard error. */
function describeDifference(sandboxed: ScriptOutcome, native: ScriptOutcome): readonly string[] {
  const [ours, theirs] = [sandboxed.stdout.split('\n'), native.stdout.split('\n')]
  const index = ours.findIndex((line, number) => line !== theirs[number])
  const last = ({ stderr }: ScriptOutcome): string => stderr.trim().split('\n').at(-1) ?? ''
  const from = index === -1 ? ours.length - 1 : index
  return [
    `sandbox: exit ${sandboxed.exitCode}: ${JSON.stringify(ours[from] ?? '').slice(0, 200)} [stderr] ${last(sandboxed).slice(0, 200)}`,
    `machine: exit ${native.exitCode}: ${JSON.stringify(theirs[from] ?? '').slice(0, 200)} [stderr] ${last(native).slice(0, 200)}`,
  ]
}

export function showTable(all: readonly ComparedCase[]): void {
  const show = (name: string, cases: readonly ComparedCase[]): void => {
    if (cases.length === 0) return
    const equal = cases.filter(({ same }) => same).length
    const scriptCount = new Set(cases.map(({ script }) => script)).size
    const percent = ((equal / cases.length) * 100).toFixed(1)
    console.log(`| ${name} | ${scriptCount} | ${cases.length} | ${equal} (${percent} %) |`)
  }
  console.log('\n| language | scripts | cases | equal |\n|---|---|---|---|')
  for (const [row, cases] of Object.entries(Object.groupBy(all, (testCase) => testCase.row)))
    show(row, cases ?? [])
  // Cases in Python, Node and bash form one list; others are listed separately.
  const listed = all.filter(({ row }) => SCRIPT_LANGUAGES.some((language) => language === row))
  show('all of the list', listed)
  const different = all.filter(({ same }) => !same)
  for (const { key, name } of different) console.log(`differs: ${key}, ${name}`)
}
