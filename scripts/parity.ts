// `node scripts/parity.ts`: fixes a list of scripts, runs each with one good and one failing input in the sandbox and on
// this machine, and says which print other bytes or end with another code, and why.

import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { usualCases, type Cases } from './lab/parity/case.ts'
import { OWN } from './lab/parity/cases-own.ts'
import { CORPUS_PYTHON } from './lab/parity/cases-python.ts'
import { CORPUS_BASH, CORPUS_NODE } from './lab/parity/cases-rest.ts'
import { compare, showTable, type ComparedCase } from './lab/parity/compare.ts'
import { shellLines } from './lab/parity/lines.ts'
import { SCRIPT_LANGUAGES, listScripts, type Listed } from './lab/parity/list.ts'
import { cleanUp } from './lab/parity/run.ts'
import { ROOT } from './lab/rig/keys.ts'
import { startWorkerd } from './lab/sandbox/workerd.ts'
import { command } from './lib/command.ts'

const USAGE = `node scripts/parity.ts [FOLDER...] [--python] [--node] [--bash] [--more] [--lines] [--list]

  Compares scripts below the folders (without one: skills) that need nothing but the standard library of their language, or,
  of bash, the commands of a plain machine: standard output byte for byte, and exit codes.

  --python, --node, --bash   these languages alone
  --more                     shell scripts that need more as well, on a machine that lacks it too; counted apart
  --lines                    our own lines for a shell as well (scripts/lab/parity/shell-lines.txt); counted apart
  --list                     only says which scripts are compared, and what the others need`
const CASES: Readonly<Record<string, Cases>> = { ...CORPUS_PYTHON, ...CORPUS_NODE, ...CORPUS_BASH, ...OWN }

function showList(scripts: readonly Listed[]): void {
  for (const { language, key, needs } of scripts)
    console.log(
      `${needs.length === 0 ? 'compared' : 'left out'} ${language.padEnd(6)} ${key}${needs.length > 0 ? `: needs ${needs.join(', ')}` : ''}`,
    )
  console.log('')
  for (const language of SCRIPT_LANGUAGES) {
    const all = scripts.filter((script) => script.language === language)
    const plain = all.filter(({ needs }) => needs.length === 0)
    if (all.length > 0) console.log(`${language}: ${all.length} scripts, ${plain.length} compared`)
  }
}

async function compareAll(scripts: readonly Listed[], lines: boolean): Promise<readonly ComparedCase[]> {
  const workerd = await startWorkerd(ROOT, 'scripts/lab/sandbox/host.ts')
  const all: ComparedCase[] = []
  try {
    for (const script of scripts) {
      const { good, bad } = CASES[script.key] ?? usualCases(script, readFileSync(script.file, 'utf8'))
      const row = script.needs.length === 0 ? script.language : `${script.language}, needs more`
      all.push(await compare(workerd.ask, row, script, 'good', good))
      all.push(await compare(workerd.ask, row, script, 'bad', bad))
    }
    for (const [script, one] of lines ? shellLines() : [])
      all.push(await compare(workerd.ask, 'bash, our own lines', script, 'line', one))
    return all
  } finally {
    cleanUp()
    await workerd.dispose()
  }
}

const flag = { type: 'boolean', default: false } as const

command(
  USAGE,
  {
    allowPositionals: true,
    options: { python: flag, node: flag, bash: flag, more: flag, lines: flag, list: flag },
  },
  async ({ values, positionals }) => {
    const folders = positionals.length > 0 ? positionals : [join(ROOT, 'skills')]
    const missing = folders.find((folder) => !statSync(folder, { throwIfNoEntry: false }))
    if (missing !== undefined) return `${missing}: there is no such folder.`
    const asked = SCRIPT_LANGUAGES.filter((language) => values[language])
    const languages = asked.length > 0 ? asked : SCRIPT_LANGUAGES
    const scripts = folders
      .flatMap((folder) => listScripts(resolve(folder)))
      .filter(({ language }) => languages.includes(language))
    if (values.list) {
      showList(scripts)
      return 0
    }
    const isCompared = ({ needs, language }: Listed): boolean =>
      needs.length === 0 || (values.more && language === 'bash')
    const all = await compareAll(scripts.filter(isCompared), values.lines)
    showTable(all)
    return all.every(({ same, why }) => same || why !== '') ? 0 : 1
  },
)
