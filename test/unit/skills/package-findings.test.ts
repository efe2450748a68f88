// Guards package findings: a skill declares its packages in the usual files, and a check names those that this
// deployment lacks, with the command that adds them.

import { describe, expect, test } from 'vitest'

import { checkScripts } from '../../../src/sandbox/compatibility/check-scripts.ts'
import { packageFindings } from '../../../src/skills/check/package-findings.ts'
import { packageNeeds } from '../../../src/skills/check/package-needs.ts'
import { evaluateMarker } from '../../../src/skills/check/python-markers.ts'
import { parseRequirement } from '../../../src/skills/check/python-requirement.ts'

const needs = (path: string, text: string): readonly string[] =>
  packageNeeds([[path, text]]).map(({ requirement }) => requirement)

describe('the requirements of a skill', () => {
  test('are in requirements.txt, without options, comments and those of other systems', () => {
    const text = [
      '# for reports',
      'openpyxl >= 3.1, < 4  # tables',
      '-r other.txt',
      '--index-url https://example.org/simple',
      'PyYAML==6.0 \\',
      '  --hash=sha256:abc',
      'pywin32; sys_platform == "win32"',
      'python_dateutil[tz]; python_version >= "3.8"',
      'tool @ https://example.org/tool.whl',
    ].join('\r\n')
    expect(needs('scripts/requirements.txt', text)).toEqual([
      'openpyxl>=3.1,<4',
      'pyyaml==6.0',
      'python-dateutil[tz]',
    ])
  })

  test('are in the inline metadata of a script', () => {
    const text = `#!/usr/bin/env python3
# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "tabulate<1",  # tables
#   'rich[all]>=13',
# ]
# ///
import tabulate
`
    expect(needs('scripts/a.py', text)).toEqual(['tabulate<1', 'rich[all]>=13'])
    expect(needs('scripts/b.py', 'dependencies = ["no"]')).toEqual([])
  })

  test('are in package.json, except for URLs', () => {
    const text =
      '{"dependencies":{"dayjs":"^1.11","@a/b":"*","own":"file:../own"},"devDependencies":{"vitest":"1"}}'
    expect(needs('package.json', text)).toEqual(['npm:dayjs@^1.11', 'npm:@a/b@*'])
    expect(needs('node_modules/x/package.json', text)).toEqual([])
    expect(needs('package.json', '{')).toEqual([])
  })
})

describe('a requirement', () => {
  test.each([
    ['A.b_C', 'a-b-c', ''],
    ['a (>=1.0)', 'a', '>=1.0'],
    ['a ~= 1.4.2', 'a', '~=1.4.2'],
    ['a==1.*', 'a', '==1.*'],
  ])('%s is read', (text, name, range) => {
    expect(parseRequirement(text)).toMatchObject({ ok: true, value: { name, range } })
  })

  test.each(['', '>=1', 'a >> 1', 'a @ https://example.org/x', '../x'])('%j is refused', (text) => {
    expect(parseRequirement(text).ok).toBe(false)
  })

  test.each([
    ['python_version >= "3.10"', true],
    ['python_version < "3.9"', false],
    ["sys_platform == 'win32' or os_name == 'posix'", true],
    ['(extra == "fast" and python_version ~= "3.1") and sys_platform != "win32"', true],
    ['"linux" in sys_platform', false],
    ['platform_python_implementation not in "PyPy"', true],
    ['extra == "other"', false],
    ['no_such_variable == "1"', null],
    ['python_version >= ', null],
  ])('with the condition %s applies here: %s', (marker, expected) => {
    expect(evaluateMarker(marker, 'fast')).toBe(expected)
  })
})

describe('a check', () => {
  const files = new Map([['requirements.txt', new TextEncoder().encode('openpyxl>=3\nnumpy\ntabulate\n')]])
  const installed = {
    python: ['tabulate'],
    node: [],
    pythonModules: { tabulate: 'tabulate', yaml: 'pyyaml' },
  }

  test('names missing packages with the command that adds them, and native ones with an alternative', () => {
    expect(packageFindings(files, installed)).toMatchObject([
      {
        rule: 'package-missing',
        severity: 'warning',
        fix: expect.stringContaining("packages -- add 'openpyxl>=3'"),
      },
      {
        rule: 'package-native',
        severity: 'warning',
        fix: expect.stringContaining('Use math, statistics and array'),
      },
    ])
    expect(packageFindings(files, null).map(({ rule }) => rule)).toEqual(['package-native'])
  })

  test('of a script knows the packages of the deployment', () => {
    const scripts = [
      { path: 'a.py', text: 'import yaml, tabulate' },
      { path: 'b.py', text: 'import bs4' },
      { path: 'c.mjs', text: "import sharp from 'sharp'\nimport dayjs from 'dayjs/plugin'" },
    ]
    const [a, b, c] = checkScripts(scripts, ['a.py', 'b.py', 'c.mjs'], { ...installed, node: ['dayjs'] })
    expect(a?.lacks).toEqual([])
    expect(b?.lacks).toEqual([
      'bs4 (not installed; the operator can add it: npm run packages -- add beautifulsoup4, or use html.parser)',
    ])
    expect(c?.lacks).toEqual(['sharp (compiled, cannot run here; write an SVG)'])
  })
})
