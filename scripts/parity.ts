// `node scripts/parity.ts`: runs the scripts in some folders in the sandbox and on this machine, each with a valid and
// an invalid input, and reports differences in output and exit codes.

import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { usualCases } from './lab/parity/case.ts'
import { OWN_CASES } from './lab/parity/cases-own.ts'
import { compare, showTable, type ComparedCase } from './lab/parity/compare.ts'
import { shellLines } from './lab/parity/lines.ts'
import { SCRIPT_LANGUAGES, listScripts, type ListedScript } from './lab/parity/list.ts'
import { cleanUp } from './lab/parity/run.ts'
import { ROOT } from './lab/rig/keys.ts'
import { startWorkerd } from './lab/sandbox/workerd.ts'
import { command } from './lib/command.ts'

const USAGE = `node scripts/parity.ts [FOLDER...] [--python] [--node] [--bash] [--lines]

  Compares the standard output and exit codes of all scripts in the folders (default: skills). Scripts that need a package or
  program that a plain machine lacks are counted separately.

  --python, --node, --bash   compare only scripts in these languages
  --lines                    also compare the shell programs in scripts/lab/parity/shell-lines.txt, counted separately`

async function compareAll(
  scripts: readonly ListedScript[],
  lines: boolean,
): Promise<readonly ComparedCase[]> {
  const workerd = await startWorkerd(ROOT, 'scripts/lab/sandbox/host.ts')
  const all: ComparedCase[] = []
  try {
    for (const script of scripts) {
      const { good, bad } = OWN_CASES[script.key] ?? usualCases(script, readFileSync(script.file, 'utf8'))
      all.push(await compare(workerd.ask, script.language, script, 'good', good))
      all.push(await compare(workerd.ask, script.language, script, 'bad', bad))
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
  { allowPositionals: true, options: { python: flag, node: flag, bash: flag, lines: flag } },
  async ({ values, positionals }) => {
    const folders = positionals.length > 0 ? positionals : [join(ROOT, 'skills')]
    const missing = folders.find((folder) => !statSync(folder, { throwIfNoEntry: false }))
    if (missing !== undefined) return `${missing}: This folder does not exist.`
    const selected = SCRIPT_LANGUAGES.filter((language) => values[language])
    const languages = selected.length > 0 ? selected : SCRIPT_LANGUAGES
    const scripts = folders
      .flatMap((folder) => listScripts(resolve(folder)))
      .filter(({ language }) => languages.includes(language))
    const all = await compareAll(scripts, values.lines)
    showTable(all)
    return all.every(({ same }) => same) ? 0 : 1
  },
)
