// Promise: a suite that crashed, ran no test or wrote no report counts as failed, and an upload counts every module.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { kilobytes, moduleSizes, sizeProblem } from '../../../scripts/check/size.ts'
import { countsOf, failuresOf, repeatedOf, slowestOf } from '../../../scripts/test.ts'
import { lateCodeProblem, startCodeProblem } from '../../../scripts/check/start.ts'
import { START_CODE_MAX_BYTES, UPLOAD_GZIP_MAX_BYTES } from '../../../scripts/check/limits.ts'

const report = (passed: number, failed: number, ...files: object[]): string =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, testResults: files })

test('counts come from the report', () => {
  expect(countsOf(report(7, 0), 0)).toEqual({ passed: 7, failed: 0 })
  expect(countsOf(report(7, 2), 1)).toEqual({ passed: 7, failed: 2 })
})

test('a file that failed before its tests counts once, one with failed tests not again', () => {
  const broken = { status: 'failed', assertionResults: [{ status: 'skipped' }, { status: 'skipped' }] }
  const failed = { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] }
  const passed = { status: 'passed', assertionResults: [{ status: 'passed' }] }
  expect(countsOf(report(2, 1, broken, broken, failed, passed), 1)).toEqual({ passed: 2, failed: 3 })
})

test('a missing, partial or empty report and an error outside tests are failures', () => {
  expect(countsOf(null, 0)).toEqual({ passed: 0, failed: 1 })
  expect(countsOf('{"numPassed', 0)).toEqual({ passed: 0, failed: 1 })
  expect(countsOf('{}', 0)).toEqual({ passed: 0, failed: 1 })
  expect(countsOf(report(0, 0), 0)).toEqual({ passed: 0, failed: 1 })
  expect(countsOf(report(7, 0), 1)).toEqual({ passed: 7, failed: 1 })
  expect(countsOf(report(7, 0), null)).toEqual({ passed: 7, failed: 1 })
})

test('failures are reported in one line each, however much a message quotes', () => {
  const failed = {
    name: join(import.meta.dirname, 'reports.test.ts'),
    status: 'failed',
    assertionResults: [
      { status: 'passed', fullName: 'tea is brewed' },
      {
        status: 'failed',
        fullName: 'tea is hot',
        failureMessages: [`AssertionError: cold\u001b[31m ${'x'.repeat(9_000)}\n    at tea.ts`],
      },
    ],
  }
  const broken = { name: '', status: 'failed', message: 'Cannot find ./tea.ts\nstack', assertionResults: [] }
  const [hot, lost, ...others] = failuresOf(report(1, 1, failed, broken))
  expect(hot).toMatch(/^test\/unit\/scripts\/reports\.test\.ts > tea is hot: AssertionError: cold x+…$/)
  expect(hot?.length).toBeLessThan(500)
  expect(lost).toMatch(/: Cannot find \.\/tea\.ts$/)
  expect(others).toEqual([])
  expect(failuresOf(null)).toEqual([])
})

test('a test that passed only when it was repeated is listed with its failure', () => {
  const repeated = {
    name: join(import.meta.dirname, 'reports.test.ts'),
    status: 'passed',
    assertionResults: [
      { status: 'passed', fullName: 'tea is brewed', failureMessages: [] },
      { status: 'passed', fullName: 'tea is hot', failureMessages: ['AssertionError: cold\n    at tea.ts'] },
    ],
  }
  const expected = ['test/unit/scripts/reports.test.ts > tea is hot: AssertionError: cold']
  expect(repeatedOf(report(2, 0, repeated))).toEqual(expected)
  expect(failuresOf(report(2, 0, repeated))).toEqual([])
  expect(repeatedOf(null)).toEqual([])
})

test('every module of the upload is counted, maps and notes are not', () => {
  const directory = mkdtempSync(join(tmpdir(), 'satchel-sizes-'))
  mkdirSync(join(directory, 'deep'))
  for (const name of ['index.js', 'deep/page.html', 'index.js.map', 'README.md'])
    writeFileSync(join(directory, name), 'x'.repeat(1_000))
  expect(moduleSizes(directory).map((module) => module.name)).toEqual(['index.js', 'page.html'])
  rmSync(directory, { recursive: true })
})

test('the limits of upload and start are inclusive, and kilobytes are rounded up', () => {
  expect(sizeProblem(UPLOAD_GZIP_MAX_BYTES)).toBeNull()
  expect(sizeProblem(UPLOAD_GZIP_MAX_BYTES + 1)).toContain('701 KB')
  expect(startCodeProblem({ bytes: START_CODE_MAX_BYTES })).toBeNull()
  expect(startCodeProblem({ bytes: START_CODE_MAX_BYTES + 1 })).toContain(
    `${kilobytes(START_CODE_MAX_BYTES + 1)} KB`,
  )
  expect(kilobytes(310_001)).toBe(311)
})

test('code for MCP servers is not evaluated at the start', () => {
  const shared = [
    'src/index.ts',
    'src/tools/mcp/source.ts',
    'src/tools/mcp/names.ts',
    'src/tools/mcp/limits.ts',
  ]
  expect(lateCodeProblem({ files: shared })).toBeNull()
  expect(lateCodeProblem({ files: [...shared, 'src/mcp/client.ts'] })).toContain('src/mcp/client.ts')
  expect(lateCodeProblem({ files: ['src/tools/mcp/live.ts'] })).toContain('src/tools/mcp/live.ts')
})

test('the slowest tests are named, slowest first, whatever a report lacks', () => {
  const file = (name: string, ...durations: (number | null)[]): object => ({
    name: fileURLToPath(new URL(`../../../${name}`, import.meta.url)),
    status: 'passed',
    assertionResults: durations.map((duration, at) => ({ status: 'passed', fullName: `t${at}`, duration })),
  })
  const reports = [
    JSON.stringify({ testResults: [file('a.test.ts', 5, 2_000), file('b.test.ts', null)] }),
    JSON.stringify({ testResults: [file('c.test.ts', 61_000)] }),
    'broken',
    null,
  ]
  expect(slowestOf(reports, 2)).toEqual(['  61.0 s  c.test.ts > t0', '   2.0 s  a.test.ts > t1'])
  expect(slowestOf(reports, 20)).toHaveLength(4)
})
