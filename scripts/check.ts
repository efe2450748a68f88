// `npm run check`: runs all static checks concurrently and prints a line for each, with its output if it fails. Changes
// only dist/.

import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

import { BUILD_DIGEST } from '../src/skills/build-digest.ts'
import { hasFailed, makeBuild } from './build/build.ts'
import { outcomeLines } from './build/report.ts'
import { staleNamesIn } from './check/comment-names.ts'
import { checkReadme } from './check/readme.ts'
import { kilobytes, measureUpload, sizeProblem } from './check/size.ts'
import { checkStart } from './check/start.ts'
import { importsBelow } from './check/imports.ts'
import { describeFolderCycle, findFolderCycles } from './check/knots.ts'
import { namedSources, repeatedNames } from './check/names.ts'
import { outOfOrder } from './check/order.ts'
import { unwantedTerms } from './check/vocabulary.ts'
import { command } from './lib/command.ts'
import { paint, formatDuration } from './lib/terminal.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const USAGE = `npm run check

  --help   show this text

Checks the format, lint rules, import order, import cycles of folders, names of exports, vocabulary, types, unused code, the
size of the upload and of the code that its start evaluates, the skills, and the README. Prints a line for each check, and the
output of those that fail. Changes only dist/. To format a file, run npx oxfmt FILE; to write the digest of edited skills, run
npm run skills:build.

Exit status: 0 all passed; 1 at least one failed.`

interface Outcome {
  readonly passed: boolean
  /** Shown next to the name. */
  readonly note?: string
  /** Shown on failure. */
  readonly output: string
}

async function runTool(command: string, ...args: readonly string[]): Promise<Outcome> {
  const path = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, PATH: path } })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', (error) => resolve({ passed: false, output: `${command}: ${error.message}` }))
    child.once('close', (status) => resolve({ passed: status === 0, output }))
  })
}

let uploaded: Promise<{ readonly bytes: number; readonly report: string }> | null = null
async function upload(): Promise<{ readonly bytes: number; readonly report: string }> {
  return (uploaded ??= measureUpload())
}

async function checkSize(): Promise<Outcome> {
  const { bytes, report } = await upload()
  const problem = sizeProblem(bytes)
  return { passed: !problem, note: `${kilobytes(bytes)} KB gzip`, output: `${problem ?? ''}\n${report}` }
}

async function start(): Promise<Outcome> {
  const { note, problem } = await checkStart(ROOT)
  return { passed: problem === null, note, output: problem ?? '' }
}

async function readme(): Promise<Outcome> {
  const { bytes } = await upload()
  const faults = checkReadme(kilobytes(bytes))
  return { passed: faults.length === 0, output: faults.join('\n') }
}

/** Checks that the built-in skills have no errors, and that their digest is the one compiled into the Worker. */
async function skills(): Promise<Outcome> {
  const outcome = await makeBuild([join(ROOT, 'skills')], false)
  const output = outcomeLines(outcome, ROOT, false)
  if (outcome.build.digest !== BUILD_DIGEST)
    output.push('src/skills/build-digest.ts does not match the skills. Run npm run skills:build.')
  const count = outcome.build.index.skills.length
  const passed = !hasFailed(outcome, false) && outcome.build.digest === BUILD_DIGEST
  return { passed, note: String(count), output: output.join('\n') }
}

async function folders(): Promise<Outcome> {
  const imports = importsBelow(ROOT, ['src', 'scripts'])
  const output = [...outOfOrder(imports), ...findFolderCycles(imports).map(describeFolderCycle)]
  return { passed: output.length === 0, output: output.join('\n') }
}

async function names(): Promise<Outcome> {
  const output = repeatedNames(namedSources(ROOT))
  return { passed: output.length === 0, output: output.join('\n') }
}

async function vocabulary(): Promise<Outcome> {
  const output = [...unwantedTerms(ROOT), ...staleNamesIn(ROOT)]
  return { passed: output.length === 0, output: output.join('\n') }
}

// The slowest checks start first, to keep two processors busy.
const CHECKS: readonly (readonly [name: string, check: () => Promise<Outcome>])[] = [
  ['size', checkSize],
  ['start', start],
  ['unused code', () => runTool('knip')],
  ['folders', folders],
  ['names', names],
  ['vocabulary', vocabulary],
  ['lint', () => runTool('oxlint', '--type-aware', '--deny-warnings')],
  ['types: src', () => runTool('tsc', '-p', '.')],
  ['types: the page', () => runTool('tsc', '-p', 'src/page')],
  ['types: scripts', () => runTool('tsc', '-p', 'scripts')],
  ['types: test', () => runTool('tsc', '-p', 'test')],
  ['types: test/workers', () => runTool('tsc', '-p', 'test/workers')],
  ['format', () => runTool('oxfmt', '--check', '.')],
  ['skills', skills],
  ['readme', readme],
]

async function runChecks(): Promise<number> {
  const startedMs = performance.now()
  const results = await Promise.all(
    CHECKS.map(async ([name, check]) => {
      const checkStartedMs = performance.now()
      const outcome = await check().catch((error: unknown): Outcome => ({
        passed: false,
        output: String(error),
      }))
      const mark = outcome.passed ? paint('green', '✓') : paint('red', '✗')
      const note = outcome.note ? ` ${outcome.note}` : ''
      console.log(
        `${mark} ${name}${note} ${paint('dim', formatDuration(performance.now() - checkStartedMs))}`,
      )
      return { name, ...outcome }
    }),
  )
  const failed = results.filter((result) => !result.passed)
  for (const result of failed) console.error(`\n${paint('red', `✗ ${result.name}`)}\n${result.output.trim()}`)
  const counts = { passed: results.length - failed.length, failed: failed.length }
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  writeFileSync(join(ROOT, 'dist/check-report.json'), JSON.stringify(counts))
  console.log(
    `\n${counts.passed} checks passed, ${counts.failed} failed in ${formatDuration(performance.now() - startedMs)}`,
  )
  return failed.length === 0 ? 0 : 1
}

command(USAGE, {}, runChecks)
