// Guards "load_skill says which scripts can run here, and why others cannot".

import { describe, expect, it } from 'vitest'

import { fitOf, fitWords } from '../../../src/sandbox/fit.ts'

const lacks = (path: string, text: string, others: readonly string[] = []): readonly string[] =>
  fitOf([{ path, text }], [path, ...others])[0]?.lacks ?? ['no script']

describe('a script', () => {
  it.each([
    ['import csv, json as j\nfrom collections import Counter', []],
    ['from helpers import x\nimport lib.deep', []],
    [
      'import numpy as np\nfrom pandas import DataFrame',
      [
        'numpy (not in the standard library; use math, statistics and array)',
        'pandas (not in the standard library; use csv, json and statistics)',
      ],
    ],
    ['import urllib.parse\nimport urllib.request', ['urllib.request (no network)']],
    ['import unheard_of', ['unheard_of (not in the standard library)']],
    ['import subprocess', ['subprocess (no other programs; call them from bash)']],
    ['try:\n    import yaml\nexcept ImportError:\n    yaml = None', []],
  ])('of Python is judged by its imports: %j', (text, expected) => {
    expect(lacks('scripts/a.py', text, ['scripts/helpers.py', 'lib/deep.py'])).toEqual(expected)
  })

  it.each([
    ["import { readFileSync } from 'node:fs'\nimport x from './x.js'", []],
    [
      "const a = require('axios')\nimport net from 'node:net'",
      ['axios (no packages are installed; plain JavaScript beside it is found)', 'net (no network)'],
    ],
    ["import { test } from 'node:test'", ['node:test (not here)']],
    ["const r = await fetch('https://example.com')", ['fetch (no network)']],
    ['function fetch(url) {}\nfiles.fetch(1); prefetch(2)', []],
    ["import { readFile } from 'fs/promises'\nconst { gzipSync } = require('zlib')", []],
  ])('of JavaScript is judged by its imports: %j', (text, expected) => {
    expect(lacks('a.mjs', text)).toEqual(expected)
  })

  it('of the shell is judged by the commands that it calls', () => {
    expect(lacks('run.sh', 'grep x y | sort\npython3 a.py\n# curl is not called')).toEqual([])
    expect(lacks('run.sh', 'if true; then curl -s x | jq .; fi')[0]).toContain(
      'curl (this shell has no network',
    )
  })
})

describe('the words', () => {
  it('name what runs and what lacks something, and are none where there are no scripts', () => {
    const fits = fitOf(
      [
        { path: 'a.py', text: 'import csv' },
        { path: 'b.py', text: 'import numpy' },
        { path: 'c.md', text: '' },
      ],
      [],
    )
    expect(fitWords(fits)).toEqual([
      'Scripts that bash can run here: a.py (python3).',
      'Scripts that lack something here: b.py: numpy (not in the standard library; use math, statistics and array).',
    ])
    expect(fitWords([])).toEqual([])
  })
})
