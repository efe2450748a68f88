// `npm test`: runs every suite to the end, even after a failure. `npm test -- unit` runs only one. The Worker's suite runs
// in parallel with the others, because it uses only one process and the end-to-end suite mostly waits.

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { cutText } from '../src/lib/text.ts'
import { harmlessLine, paint } from './lib/terminal.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SUITES = ['unit', 'workers', 'e2e'] as const
const PARALLEL_SUITE = 'workers'
/** Number of the slowest tests that are shown at the end. */
const SLOWEST_SHOWN = 20
/** Matches workerd's messages about killed objects, abandoned streams and refused addresses, thousands of lines. */
const NOISE =
  /^(?:uncaught exception; )?exception = .*(?:outputGateBroken|: disconnected: )|^e = .*: connecting to .* is not allowed$|^stack:(?: \S*workerd@[\da-f]+)+(?:;.*jsgInternalError.*)?$/

type Suite = (typeof SUITES)[number]

const USAGE = `npm test -- [SUITE] [vitest's arguments]

  SUITE    ${SUITES.join(', ')} (default: all of them)
  --help   show this text

  npm test -- unit                              run one suite
  npm test -- unit test/unit/skills             run its files whose path contains this text
  npm test -- workers -t 'is refused'           run its tests whose name contains this text

SEED=7 or SEED=random creates other random cases, and CASES=60000 more of them. All suites run to the end, even after a failure.
A failed test of the e2e suite is repeated once, and is listed even if it passes then. The failures are listed last.
Exit status: 0 all passed; 1 at least one failed; 2 there is no such suite.`

interface Counts {
  readonly passed: number
  readonly failed: number
}

interface TestResult {
  readonly status: string
  readonly fullName?: string
  readonly duration?: number | null
  readonly failureMessages?: readonly string[]
}

interface TestFile {
  readonly name?: string
  readonly status: string
  readonly message?: string
  readonly assertionResults: readonly TestResult[]
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly TestFile[]
}

/**
 * The counts of vitest's JSON report. A file that failed without a failed test (because it did not load or its set-up
 * failed) counts as one failure. So does a suite that did not run, contained no test, or failed outside of its tests.
 */
export function countsOf(report: string | null, status: number | null): Counts {
  try {
    // The cast is safe: vitest wrote the report. A report of another shape throws and counts as a failure below.
    const { numPassedTests: passed, numFailedTests, testResults } = JSON.parse(report ?? '') as Report
    const brokenFiles = testResults.filter(
      (file) => file.status === 'failed' && !file.assertionResults.some((one) => one.status === 'failed'),
    )
    const failed = numFailedTests + brokenFiles.length
    if (!(passed + failed > 0)) return { passed: 0, failed: 1 }
    return { passed, failed: failed === 0 && status !== 0 ? 1 : failed }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

/** The failures, one line each. They are printed last, because often only the end of a long output is kept. */
export function failuresOf(report: string | null): readonly string[] {
  return linesOf(report, ({ name = '', status, message = '', assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed')
    if (failed.length > 0) return failed.map((one) => messageOf(name, one))
    return status === 'failed' ? [`${relative(ROOT, name)}: ${shortened(message)}`] : []
  })
}

/** The tests that failed once and passed when they were repeated, one line each with the first failure. */
export function repeatedOf(report: string | null): readonly string[] {
  return linesOf(report, ({ name = '', assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages = [] }) => status === 'passed' && failureMessages.length > 0)
      .map((one) => messageOf(name, one)),
  )
}

function linesOf(report: string | null, lines: (file: TestFile) => readonly string[]): readonly string[] {
  try {
    // The cast is safe, as above. A report of another shape throws, and countsOf has counted it as a failure.
    return (JSON.parse(report ?? '') as Report).testResults.flatMap(lines)
  } catch {
    return []
  }
}

function messageOf(path: string, { fullName = '', failureMessages = [] }: TestResult): string {
  return `${relative(ROOT, path)} > ${fullName}: ${shortened(failureMessages[0] ?? '')}`
}

/** The first line of a message, which may quote a megabyte. */
function shortened(message: string): string {
  return cutText(harmlessLine(message.split('\n', 1)[0] ?? ''), 400)
}

/** The slowest tests of a report, slowest first. */
export function slowestOf(reports: readonly (string | null)[], count: number): readonly string[] {
  const all = reports.flatMap((report) => {
    try {
      // The cast is safe, as above.
      return (JSON.parse(report ?? '') as Report).testResults.flatMap(({ name = '', assertionResults }) =>
        assertionResults.map(({ fullName = '', duration }) => ({
          ms: duration ?? 0,
          test: `${relative(ROOT, name)} > ${fullName}`,
        })),
      )
    } catch {
      return []
    }
  })
  return all
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ ms, test }) => `${(ms / 1_000).toFixed(1).padStart(6)} s  ${cutText(harmlessLine(test), 160)}`)
}

interface SuiteResult extends Counts {
  readonly report: string | null
  /** Number of lines that were left out because they match NOISE. */
  readonly noise: number
  /** The output of the suite; empty if it was printed while it ran. */
  readonly output: string
}

/** Runs a suite. If `isFirst` is false, its process has a lower priority than that of a parallel suite. */
async function runSuite(
  suite: Suite,
  vitestArgs: readonly string[],
  isShown: boolean,
  isFirst = true,
): Promise<SuiteResult> {
  if (isShown) console.log(`\n${paint('bold', suite)}`)
  const file = join(ROOT, `dist/test-${suite}.json`)
  rmSync(file, { force: true })
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const config = join(ROOT, `test/vitest.${suite}.config.ts`)
  // Node reads the configuration as it is; the default is to bundle it first.
  const options = ['run', '--config', config, '--configLoader', 'native']
  // Print no lines for passing tests and their logs.
  const reporters = ['--reporter=dot', '--silent=passed-only', '--reporter=json', `--outputFile.json=${file}`]
  const child = spawn(process.execPath, [vitest, ...options, ...reporters, ...vitestArgs], {
    cwd: ROOT,
    // Wrangler and vitest are compiled once for all suites and for all servers that tests start.
    env: { ...process.env, NODE_COMPILE_CACHE: join(ROOT, 'dist/compiled') },
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', 'pipe'],
  })
  if (!isFirst && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  let output = ''
  let noise = 0
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void (output += text))
  const lines = child.stderr ? createInterface({ input: child.stderr }) : null
  lines?.on('line', (line) => {
    if (NOISE.test(line)) noise += 1
    else if (isShown) console.error(line)
    else output += `${line}\n`
  })
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const report = existsSync(file) ? readFileSync(file, 'utf8') : null
  return { ...countsOf(report, status), report, noise, output }
}

async function runAll(vitestArgs: readonly string[]): Promise<readonly SuiteResult[]> {
  const parallel = runSuite(PARALLEL_SUITE, vitestArgs, false)
  const results: SuiteResult[] = []
  for (const suite of SUITES)
    if (suite !== PARALLEL_SUITE) results.push(await runSuite(suite, vitestArgs, true, false))
  const parallelResult = await parallel
  console.log(`\n${paint('bold', PARALLEL_SUITE)} (ran in parallel)\n${parallelResult.output}`)
  return [...results, parallelResult]
}

async function main(args: readonly string[]): Promise<number> {
  const [first, ...vitestArgs] = args
  if (first === '--help' || first === '-h') {
    console.log(USAGE)
    return 0
  }
  const one = SUITES.find((suite) => suite === first)
  if (first !== undefined && !one) {
    console.error(`There is no suite "${first}".\n\n${USAGE}`)
    return 2
  }
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  const startedMs = performance.now()
  const results = one ? [await runSuite(one, vitestArgs, true)] : await runAll(vitestArgs)
  const totalOf = (what: keyof Counts): number => results.reduce((all, counts) => all + counts[what], 0)
  const total: Counts = { passed: totalOf('passed'), failed: totalOf('failed') }
  const reports = results.map(({ report }) => report)
  console.log(`\nThe slowest tests:\n${slowestOf(reports, SLOWEST_SHOWN).join('\n')}\n`)
  for (const line of reports.flatMap(repeatedOf))
    console.log(`${paint('yellow', '!')} passed when repeated: ${line}`)
  for (const line of reports.flatMap(failuresOf)) console.log(`${paint('red', '✗')} ${line}`)
  writeFileSync(join(ROOT, 'dist/test-report.json'), JSON.stringify(total))
  const noise = results.reduce((all, suite) => all + suite.noise, 0)
  console.log(`${noise} lines about killed objects and abandoned streams were left out`)
  console.log(`in ${Math.round((performance.now() - startedMs) / 1_000)} s`)
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  return total.failed === 0 ? 0 : 1
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
