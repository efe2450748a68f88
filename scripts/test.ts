// `npm test`: runs every suite to the end, even after a failure; `npm test -- unit` runs one. The Worker's suite
// computes in one process, so it runs in parallel to the others and before them; of those the end-to-end suite
// mostly waits.

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
const BESIDE = 'workers'
/** Slowest tests shown at the end. */
const SLOWEST = 20
/** workerd's messages about killed objects, abandoned streams and refused addresses: thousands of lines. */
const NOISE =
  /^(?:uncaught exception; )?exception = .*(?:outputGateBroken|: disconnected: )|^e = .*: connecting to .* is not allowed$|^stack:(?: \S*workerd@[\da-f]+)+(?:;.*jsgInternalError.*)?$/

type Suite = (typeof SUITES)[number]

const USAGE = `npm test -- [SUITE] [vitest's arguments]

  SUITE    ${SUITES.join(', ')}; without it all of them
  --help   this text

  npm test -- unit                              one suite
  npm test -- unit test/unit/skills             the files of it whose path has this
  npm test -- workers -t 'is refused'           the tests of it whose name has this

SEED=7 or SEED=random makes other random cases than usual, CASES=60000 more of them. All suites run to the end, also when one
fails; what failed is listed last. Status 0: all passed. 1: one failed. 2: there is no such suite.`

interface Counts {
  readonly passed: number
  readonly failed: number
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name?: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName?: string
      readonly duration?: number | null
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/**
 * The counts of vitest's JSON report. A file that failed without a failed test (it did not load, its set-up broke)
 * is one failure, and so is a suite that could not run, ran nothing, or failed for a reason outside of its tests.
 */
export function countsOf(report: string | null, status: number | null): Counts {
  try {
    // The cast: vitest's own report; another shape throws and counts as a failure below.
    const { numPassedTests: passed, numFailedTests, testResults } = JSON.parse(report ?? '') as Report
    const broken = testResults.filter(
      (file) => file.status === 'failed' && !file.assertionResults.some((one) => one.status === 'failed'),
    )
    const failed = numFailedTests + broken.length
    if (!(passed + failed > 0)) return { passed: 0, failed: 1 }
    return { passed, failed: failed === 0 && status !== 0 ? 1 : failed }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

/** The failures, one line each, for the end of the output, which is often all that is kept of a long run. */
export function failuresOf(report: string | null): readonly string[] {
  try {
    // The cast: as above; a report of another shape throws, and countsOf has counted it as a failure.
    const { testResults } = JSON.parse(report ?? '') as Report
    return testResults.flatMap(({ name = '', status, message = '', assertionResults }) => {
      const file = relative(ROOT, name)
      const failed = assertionResults.filter((one) => one.status === 'failed')
      if (failed.length === 0) return status === 'failed' ? [`${file}: ${shortened(message)}`] : []
      return failed.map(
        ({ fullName = '', failureMessages = [] }) =>
          `${file} > ${fullName}: ${shortened(failureMessages[0] ?? '')}`,
      )
    })
  } catch {
    return []
  }
}

/** The first line of a message, which may quote a megabyte. */
function shortened(message: string): string {
  return cutText(harmlessLine(message.split('\n', 1)[0] ?? ''), 400)
}

/** The slowest tests of a report, slowest first. */
export function slowestOf(reports: readonly (string | null)[], count: number): readonly string[] {
  const all = reports.flatMap((report) => {
    try {
      // The cast: as above.
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

interface Ran extends Counts {
  readonly report: string | null
  /** Lines left out as noise. */
  readonly noise: number
  /** Its output, if it was not shown live. */
  readonly output: string
}

/** `isFirst`: of two parallel suites, the other one gets only processors that this one leaves idle. */
async function runSuite(
  suite: Suite,
  extra: readonly string[],
  shown: boolean,
  isFirst = true,
): Promise<Ran> {
  if (shown) console.log(`\n${paint('bold', suite)}`)
  const file = join(ROOT, `dist/test-${suite}.json`)
  rmSync(file, { force: true })
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const config = join(ROOT, `test/vitest.${suite}.config.ts`)
  // Neither passing tests nor their logs need a line.
  const reporters = ['--reporter=dot', '--silent=passed-only', '--reporter=json', `--outputFile.json=${file}`]
  const child = spawn(process.execPath, [vitest, 'run', '--config', config, ...reporters, ...extra], {
    cwd: ROOT,
    stdio: ['ignore', shown ? 'inherit' : 'pipe', 'pipe'],
  })
  if (!isFirst && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  let output = ''
  let noise = 0
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void (output += text))
  const lines = child.stderr ? createInterface({ input: child.stderr }) : null
  lines?.on('line', (line) => {
    if (NOISE.test(line)) noise += 1
    else if (shown) console.error(line)
    else output += `${line}\n`
  })
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const report = existsSync(file) ? readFileSync(file, 'utf8') : null
  return { ...countsOf(report, status), report, noise, output }
}

async function runAll(extra: readonly string[]): Promise<readonly Ran[]> {
  const beside = runSuite(BESIDE, extra, false)
  const ran: Ran[] = []
  for (const suite of SUITES) if (suite !== BESIDE) ran.push(await runSuite(suite, extra, true, false))
  const last = await beside
  console.log(`\n${paint('bold', BESIDE)}, beside the others\n${last.output}`)
  return [...ran, last]
}

async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args
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
  const began = performance.now()
  const ran = one ? [await runSuite(one, rest, true)] : await runAll(rest)
  const sum = (what: keyof Counts): number => ran.reduce((all, counts) => all + counts[what], 0)
  const total: Counts = { passed: sum('passed'), failed: sum('failed') }
  const reports = ran.map(({ report }) => report)
  console.log(`\nThe slowest tests:\n${slowestOf(reports, SLOWEST).join('\n')}\n`)
  for (const line of reports.flatMap(failuresOf)) console.log(`${paint('red', '✗')} ${line}`)
  writeFileSync(join(ROOT, 'dist/test-report.json'), JSON.stringify(total))
  const noise = ran.reduce((all, suite) => all + suite.noise, 0)
  console.log(`${noise} lines about killed objects and left streams are not shown`)
  console.log(`in ${Math.round((performance.now() - began) / 1_000)} s`)
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  return total.failed === 0 ? 0 : 1
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
