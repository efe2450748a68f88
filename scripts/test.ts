// `npm test`: every suite one after the other, to the end even when one fails; `npm test -- unit` runs one.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { paint } from './lib/terminal.ts'

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
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
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

function runSuite(suite: string, extra: readonly string[]): Counts {
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
  return countsOf(existsSync(report) ? readFileSync(report, 'utf8') : null, status)
}

function main(args: readonly string[]): number {
  const [first, ...rest] = args
  const one = SUITES.find((suite) => suite === first)
  if (first !== undefined && !one) {
    console.error(`There is no suite "${first}": it is one of ${SUITES.join(', ')}, or none for all.`)
    return 2
  }
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  const total = (one ? [one] : SUITES)
    .map((suite) => runSuite(suite, rest))
    .reduce((sum, counts) => ({ passed: sum.passed + counts.passed, failed: sum.failed + counts.failed }))
  writeFileSync(join(ROOT, 'dist/test-report.json'), JSON.stringify(total))
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  return total.failed === 0 ? 0 : 1
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2))
