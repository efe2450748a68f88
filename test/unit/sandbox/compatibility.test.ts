// Guards "load_skill says which scripts can run here, which in part, and why others cannot".

import { describe, expect, it } from 'vitest'

import {
  checkScripts,
  compatibilityMessage,
  isScript,
} from '../../../src/sandbox/compatibility/check-scripts.ts'

/**
 * What a script lacks to start, and what only parts of it lack. `others` are files of its skill, with or without
 * text.
 */
function needs(
  path: string,
  text: string,
  others: Readonly<Record<string, string>> = {},
): readonly [lacks: readonly string[], partly: readonly string[]] {
  const scripts = [{ path, text }, ...Object.entries(others).map(([at, its]) => ({ path: at, text: its }))]
  const [fit] = checkScripts(
    scripts,
    scripts.map((one) => one.path),
  )
  const names = (output: readonly string[] = []): readonly string[] =>
    output.map((one) => one.split(' (')[0] ?? '')
  return [names(fit?.lacks), names(fit?.partly)]
}

describe('a Python script', () => {
  it.each([
    ['import csv, json as j\nfrom collections import Counter', [], []],
    ['import numpy as np\nfrom pandas import DataFrame', ['numpy', 'pandas'], []],
    ['import unheard_of', ['unheard_of'], []],
    ['import sqlite3, ssl', ['ssl'], []],
    ['if __name__ == "__main__":\n    import numpy', ['numpy'], []],
    ['"""\nimport numpy\n"""\n# import pandas', [], []],
    // Inside a function, even with a signature of several lines.
    ['def f():\n    import numpy', [], ['numpy']],
    ['def f(\n    a,\n) -> int:\n    import numpy', [], ['numpy']],
    ['if TYPE_CHECKING:\n    from numpy import array', [], []],
    // The script handles a missing module.
    ['try:\n    import yaml\nexcept ImportError:\n    yaml = None', [], ['yaml']],
    ['try:\n    import yaml\nexcept ImportError:\n    sys.exit("no yaml")', ['yaml'], []],
    ['try:\n    import orjson\nexcept ImportError:\n    import json as orjson', [], []],
    ['try:\n  from q.b import c\nexcept ImportError:\n  from q.d import c', ['q'], []],
    ['try:\n    import yaml\nexcept ImportError:\n    def load():\n        raise ValueError', [], ['yaml']],
    ['sys.modules["yaml"] = Mock()\nimport yaml', [], []],
    // Modules that can be imported but do nothing.
    ['import subprocess, urllib.request', [], []],
    ['import subprocess\ndef f():\n    subprocess.run(["git", "log"])', [], ['git']],
    ['import subprocess\nx = subprocess.check_output("/usr/bin/git log", shell=True)', ['git'], []],
    ['import subprocess\nsubprocess.run(["grep", "x"])\nsubprocess.run([tool])\nrun(["git"])', ['git'], []],
    ['import threading, multiprocessing\nthreading.Thread(target=f)\nmultiprocessing.Pool()', [], []],
    ['import os\nif os.fork() == 0:\n    pass', ['os'], []],
    ['from urllib.request import urlopen\ndef f():\n    urlopen("x")', [], ['urllib.request']],
    ['import os\ndef f():\n    os.system("ls")\n    os.system("make all")', [], ['make']],
  ] as const)('is judged by its imports and calls: %j', (text, lacks, partly) => {
    expect(needs('scripts/a.py', text)).toEqual([lacks, partly])
  })

  it('is judged by the imports of its own modules, if they are found', () => {
    const helper = { 'scripts/helper.py': 'import numpy\ndef f():\n    import scipy' }
    expect(needs('scripts/a.py', 'import helper', helper)).toEqual([['numpy'], ['scipy']])
    expect(needs('scripts/a.py', 'from helper import f', { 'scripts/helper.py': '' })).toEqual([[], []])
    const package_ = { 'scripts/lib/__init__.py': '', 'scripts/lib/deep.py': 'import yaml' }
    expect(needs('scripts/a.py', 'from lib.deep import x', package_)).toEqual([['yaml'], []])
    const elsewhere = { 'lib/tools.py': '' }
    expect(needs('scripts/a.py', 'from lib import tools', elsewhere)).toEqual([['lib'], []])
    expect(needs('scripts/a.py', 'sys.path.append(up)\nfrom lib import tools', elsewhere)).toEqual([[], []])
    expect(needs('scripts/a.py', 'from . import helper', helper)).toEqual([['relative imports'], []])
  })
})

describe('a JavaScript script', () => {
  it.each([
    ["import { readFileSync } from 'node:fs'\nimport { readFile } from 'fs/promises'", [], []],
    ["import {\n  a,\n} from 'axios'", ['axios'], []],
    ["const a = require('axios')", ['axios'], []],
    [
      "function f() {\n  return require('axios')\n}\nconst b = await import('left-pad')",
      [],
      ['axios', 'left-pad'],
    ],
    ["import type { A } from '~/a'\nexport type { B } from 'b'", [], []],
    ["import { test } from 'node:test'\nimport x from 'node:sea'", ['node:test', 'node:sea'], []],
    ["import net from 'node:net'\nimport { spawn } from 'child_process'", [], ['net', 'child_process']],
    ["const r = await fetch('https://example.com')", ['fetch'], []],
    ["const get = () => fetch('x')\nfunction fetch2(url) {}\nfiles.fetch(1); prefetch(2)", [], ['fetch']],
    ['const code = `\nimport x from "react"\n`', [], []],
  ] as const)('is judged by its imports: %j', (text, lacks, partly) => {
    expect(needs('a.mjs', text)).toEqual([lacks, partly])
  })

  it('is judged by its own files, and finds packages in the skill', () => {
    expect(needs('s/a.mjs', "import './lib/x.js'", { 's/lib/x.js': "import 'axios'" })).toEqual([
      ['axios'],
      [],
    ])
    expect(needs('s/a.mjs', "import './none.js'")).toEqual([['./none.js'], []])
    // As in the runtime, an import needs the exact name, even of a TypeScript file.
    expect(needs('s/a.ts', "import { x } from './x.js'", { 's/x.ts': '' })).toEqual([['./x.js'], []])
    expect(needs('s/a.ts', "import { x } from './x.ts'", { 's/x.ts': "import 'axios'" })).toEqual([
      ['axios'],
      [],
    ])
    expect(needs('s/a.mjs', "import './x'", { 's/x.js': '' })).toEqual([['./x'], []])
    expect(needs('s/a.cjs', "require('./x')", { 's/x.js': '' })).toEqual([[], []])
    expect(needs('s/a.mjs', "import 'axios'", { 'node_modules/axios/index.js': '' })).toEqual([[], []])
  })
})

describe('a shell script', () => {
  it.each([
    ['grep x y | sort\npython3 a.py\n# curl is not called', [], []],
    ['curl -s x | jq .', ['curl'], []],
    ['nosuch x', ['nosuch'], []],
    ['if true; then curl -s x | jq .; fi', [], ['curl']],
    ['[ -z "$1" ] && exit 1\ncurl x', [], ['curl']],
    ['f() {\n  git status\n}\nf', [], ['git']],
    ['x=$(git log); echo "$(npm ls)" `make`', [], ['git', 'npm', 'make']],
    ['echo \'curl x\'; echo "git push"; cat <<E\nmake all\nE\na=(npm pnpm)', [], []],
    ['case "$1" in\n  start|stop) docker ps ;;\n  *) echo no ;;\nesac\nmake', ['make'], ['docker']],
    ['A=1 env B=2 timeout 5 curl x\nfor i in git npm; do echo $i; done', [], ['curl']],
    ['echo $((2 + 3)) > out 2>&1; [[ $a =~ make ]]', [], []],
  ] as const)('is judged by the commands that it calls: %j', (text, lacks, partly) => {
    const [start, part] = needs('run.sh', text)
    expect([[...start], [...part].toSorted()]).toEqual([lacks, [...partly].toSorted()])
  })
})

it('type declarations are not scripts', () => {
  expect(['a.py', 'a.mts', 'a.sh', 'a.d.ts', 'a.md'].filter(isScript)).toEqual(['a.py', 'a.mts', 'a.sh'])
})

describe('the summary', () => {
  it('names what runs, what runs in part and what cannot, and is empty without scripts', () => {
    const texts = {
      'a.py': 'import csv',
      'b.py': 'import numpy',
      'c.md': '',
      'd.mjs': 'const a = () => fetch("x")',
    }
    const scripts = Object.entries(texts).map(([path, text]) => ({ path, text }))
    expect(compatibilityMessage(checkScripts(scripts, []))).toEqual([
      'Scripts that bash can run here: a.py (python3).',
      'Scripts that start here but cannot run completely: d.mjs: fetch (no network).',
      'Scripts that cannot run here: b.py: numpy (compiled, cannot run here; use math, statistics and array).',
    ])
    expect(compatibilityMessage([])).toEqual([])
  })
})
