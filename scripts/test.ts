// `npm test`: every suite one after the other, to the end even when one fails; `npm test -- unit` runs one.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { cutText } from '../src/lib/text.ts'
import { oneLine, paint } from './lib/terminal.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SUITES = ['unit', 'workers', 'e2e'] as const

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
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/**
 * The counts of vitest's JSON report. A file that failed without a failed test (it did not load, its set-up broke) is
 * one failure, and so is a suite that could not be run, ran nothing, or ended badly for a reason outside of its tests.
 */
export function countsOf(report: string | null, status: number | null): Counts {
  try {
    // vitest's own report; where it has another shape, reading it throws and ends as a failure below.
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

/** What failed, a line each, for the end of the output: of a long run often nothing but the end is kept. */
export function failuresOf(report: string | null): readonly string[] {
  try {
    // As above: another shape throws, and countsOf has counted it.
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
  return cutText(oneLine(message.split('\n', 1)[0] ?? ''), 400)
}

function runSuite(
  suite: string,
  extra: readonly string[],
): Counts & { readonly failures: readonly string[] } {
  console.log(`\n${paint('bold', suite)}`)
  const report = join(ROOT, `dist/test-${suite}.json`)
  rmSync(report, { force: true })
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const config = join(ROOT, `test/vitest.${suite}.config.ts`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--config', config, ...reporters, ...extra],
    {
      cwd: ROOT,
      stdio: 'inherit',
    },
  )
  const written = existsSync(report) ? readFileSync(report, 'utf8') : null
  return { ...countsOf(written, status), failures: failuresOf(written) }
}

function main(args: readonly string[]): number {
  const [first, ...rest] = args
  const one = SUITES.find((suite) => suite === first)
  if (first !== undefined && !one) {
    console.error(`There is no suite "${first}": it is one of ${SUITES.join(', ')}, or none for all.`)
    return 2
  }
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  const ran = (one ? [one] : SUITES).map((suite) => runSuite(suite, rest))
  const sum = (what: keyof Counts): number => ran.reduce((all, counts) => all + counts[what], 0)
  const total: Counts = { passed: sum('passed'), failed: sum('failed') }
  for (const line of ran.flatMap(({ failures }) => failures)) console.log(`${paint('red', '✗')} ${line}`)
  writeFileSync(join(ROOT, 'dist/test-report.json'), JSON.stringify(total))
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  return total.failed === 0 ? 0 : 1
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2))
