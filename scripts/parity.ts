// `node scripts/parity.ts`: fixes a list of scripts, runs each with one good and one failing input in the sandbox and on
// this machine, and says which print other bytes or end with another code, and why.

import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { usualCases, type Case, type Cases } from './lab/parity/case.ts'
import { OWN } from './lab/parity/cases-own.ts'
import { CORPUS_PYTHON } from './lab/parity/cases-python.ts'
import { CORPUS_BASH, CORPUS_NODE } from './lab/parity/cases-rest.ts'
import { LANGUAGES, listScripts, type Language, type Listed } from './lab/parity/list.ts'
import { shellLines } from './lab/parity/lines.ts'
import { REASONS } from './lab/parity/reasons.ts'
import { cleanUp, inSandbox, onMachine, type Outcome } from './lab/parity/run.ts'
import { startWorkerd } from './lab/sandbox/workerd.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const USAGE = `node scripts/parity.ts [FOLDER...] [--python] [--node] [--bash] [--more] [--lines] [--list]

  Compares scripts below the folders (without one: skills) that need nothing but the standard library of their language, or,
  of bash, the commands of a plain machine: standard output byte for byte, and exit codes.

  --python, --node, --bash   these languages alone
  --more                     shell scripts that need more as well, on a machine that lacks it too; counted apart
  --lines                    our own lines for a shell as well (scripts/lab/parity/shell-lines.txt); counted apart
  --list                     only says which scripts are compared, and what the others need`
const CASES: Readonly<Record<string, Cases>> = { ...CORPUS_PYTHON, ...CORPUS_NODE, ...CORPUS_BASH, ...OWN }

interface Compared {
  readonly name: string
  readonly row: string
  readonly key: string
  readonly script: string
  readonly same: boolean
  readonly why: string
}

interface Asked {
  readonly folders: readonly string[]
  readonly languages: readonly Language[]
  readonly more: boolean
  readonly lines: boolean
  readonly list: boolean
}

/** Null: not a way to call it. */
function askedOf(args: readonly string[]): Asked | null {
  const flags = new Set(args.filter((arg) => arg.startsWith('-')))
  const folders = args.filter((arg) => !arg.startsWith('-'))
  const languages = LANGUAGES.filter((language) => flags.delete(`--${language}`))
  const [more, lines, list] = ['--more', '--lines', '--list'].map((flag) => flags.delete(flag))
  const wrong = flags.size > 0 || folders.some((folder) => !statSync(folder, { throwIfNoEntry: false }))
  if (wrong) return null
  return {
    folders: (folders.length > 0 ? folders : [join(ROOT, 'skills')]).map((folder) => resolve(folder)),
    languages: languages.length > 0 ? languages : LANGUAGES,
    more: more === true,
    lines: lines === true,
    list: list === true,
  }
}

function showList(scripts: readonly Listed[]): void {
  for (const { language, key, needs } of scripts)
    console.log(
      `${needs.length === 0 ? 'compared' : 'left out'} ${language.padEnd(6)} ${key}${needs.length > 0 ? `: needs ${needs.join(', ')}` : ''}`,
    )
  console.log('')
  for (const language of LANGUAGES) {
    const all = scripts.filter((script) => script.language === language)
    const plain = all.filter(({ needs }) => needs.length === 0)
    if (all.length > 0) console.log(`${language}: ${all.length} scripts, ${plain.length} compared`)
  }
}

type Ask = (asked: object) => Promise<unknown>

async function compare(ask: Ask, row: string, script: Listed, name: string, one: Case): Promise<Compared> {
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
function differing(here: Outcome, there: Outcome): readonly string[] {
  const [ours, theirs] = [here.stdout.split('\n'), there.stdout.split('\n')]
  const at = ours.findIndex((line, number) => line !== theirs[number])
  const last = ({ stderr }: Outcome): string => stderr.trim().split('\n').at(-1) ?? ''
  const from = at === -1 ? ours.length - 1 : at
  return [
    `sandbox: exit ${here.exitCode}: ${JSON.stringify(ours[from] ?? '').slice(0, 200)} [stderr] ${last(here).slice(0, 200)}`,
    `machine: exit ${there.exitCode}: ${JSON.stringify(theirs[from] ?? '').slice(0, 200)} [stderr] ${last(there).slice(0, 200)}`,
  ]
}

function showTable(all: readonly Compared[]): void {
  const show = (name: string, of: readonly Compared[]): void => {
    const equal = of.filter(({ same }) => same).length
    const many = new Set(of.map(({ script }) => script)).size
    const percent = ((equal / of.length) * 100).toFixed(1)
    console.log(`| ${name} | ${many} | ${of.length} | ${equal} (${percent} %) |`)
  }
  // Python, Node and bash are one list; what else is run is beside it.
  const listed = all.filter(({ row }) => LANGUAGES.some((language) => language === row))
  console.log('\n| language | scripts | cases | equal |\n|---|---|---|---|')
  for (const row of LANGUAGES) {
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

async function main(args: readonly string[]): Promise<number> {
  const asked = args.includes('--help') ? null : askedOf(args)
  if (!asked) {
    console.log(USAGE)
    return args.includes('--help') ? 0 : 2
  }
  const scripts = asked.folders
    .flatMap((folder) => listScripts(folder))
    .filter(({ language }) => asked.languages.includes(language))
  if (asked.list) {
    showList(scripts)
    return 0
  }
  const compared = scripts.filter(
    ({ needs, language }) => needs.length === 0 || (asked.more && language === 'bash'),
  )
  const workerd = await startWorkerd(ROOT, 'scripts/lab/sandbox/host.ts')
  const all: Compared[] = []
  try {
    for (const script of compared) {
      const { good, bad } = CASES[script.key] ?? usualCases(script, readFileSync(script.file, 'utf8'))
      const row = script.needs.length === 0 ? script.language : `${script.language}, needs more`
      all.push(await compare(workerd.ask, row, script, 'good', good))
      all.push(await compare(workerd.ask, row, script, 'bad', bad))
    }
    if (asked.lines)
      for (const [script, one] of shellLines())
        all.push(await compare(workerd.ask, 'bash, our own lines', script, 'line', one))
  } finally {
    cleanUp()
    await workerd.dispose()
  }
  showTable(all)
  return all.every(({ same, why }) => same || why !== '') ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
