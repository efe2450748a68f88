// The list of scripts that are compared is fixed by what the scripts need, never by what the sandbox can: a package, a program that a
// plain machine lacks, or a neighbour that needs one leaves a script out; all else is in, whatever comes of it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { listScripts } from '../../../scripts/lab/parity/list.ts'

const root = mkdtempSync(join(tmpdir(), 'satchel-list-'))
afterAll(() => rmSync(root, { recursive: true }))

const SHELL = '#!/usr/bin/env bash\n'
const FILES: Readonly<Record<string, string>> = {
  'py/SKILL.md': '---\nname: py\n---\n',
  'py/scripts/plain.py': 'import json, os.path\nfrom collections import abc\nimport near\n',
  'py/scripts/near.py': 'import csv\n',
  'py/scripts/network.py': 'import socket, subprocess\n',
  'py/scripts/package.py':
    'def later():\n    try:\n        import numpy.linalg\n    except ImportError:\n        pass\n',
  'py/scripts/through.py': 'from package import later\n',
  'py/scripts/pkg/__init__.py': 'from .part import x\n',
  'py/scripts/pkg/part.py': 'import requests\n',
  'py/scripts/broken.py': 'def (:\n',
  'py/scripts/__pycache__/x.py': '',
  'js/a.js': "const fs = require('fs'); const http = require('node:http'); require('./b')\n",
  'js/b.js': "require('@scope/name/part')\n",
  'js/c.mjs': "import './d.ts'\nexport * from 'node:path'\n",
  'js/d.ts': "import type { X } from 'only-a-type'\nexport const d: X | number = 1\n",
  'js/e.mjs': "const e = await import('left-pad')\n",
  'js/f.d.ts': 'export type F = 1\n',
  'js/g.js': "// require('not-called')\nconst text = \"require('in a text')\"\n",
  'sh/a.sh': `${SHELL}set -e\nf() { grep x "$1" | sort; }\nif [[ -f y ]]; then f y; fi\nkill -0 1\nps\n`,
  'sh/b.sh': `${SHELL}x=$(git rev-parse HEAD)\n`,
  'sh/c.sh': `${SHELL}# git and curl\necho "curl it" 'docker run'\ncommand -v npm > /dev/null || echo none\n`,
  'sh/d.sh': `${SHELL}"$(dirname "$0")/b.sh" x\n`,
  'sh/e.sh': `${SHELL}find . -name x -exec jq . {} +\n`,
  'sh/f.sh': `${SHELL}env A=1 nohup python3 "$DIR/../sh/needs.py" &\ntimeout 5 az login\n`,
  'sh/g': `${SHELL}trap 'curl -s x' EXIT\n`,
  'sh/h': 'no script\n',
  'sh/i.sh': `${SHELL}node ../js/e.mjs\n`,
  'sh/j.sh': `${SHELL}$TOOL x\nnpm() { :; }\nnpm install\n`,
}
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(join(root, dirname(path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const listed = Object.fromEntries(
  listScripts(root).map(({ key, language, needs }) => [key, [language, ...needs]]),
)

describe('Python', () => {
  it('is in with the standard library and neighbours, the network and other programs included', () => {
    expect(listed['py/scripts/plain.py']).toEqual(['python'])
    expect(listed['py/scripts/near.py']).toEqual(['python'])
    expect(listed['py/scripts/network.py']).toEqual(['python'])
  })
  it('is out with a package, wherever it is imported and by whom', () => {
    expect(listed['py/scripts/package.py']).toEqual(['python', 'numpy'])
    expect(listed['py/scripts/through.py']).toEqual(['python', 'numpy'])
    expect(listed['py/scripts/pkg/__init__.py']).toEqual(['python', 'requests'])
  })
  it('is in when nobody can read it', () => expect(listed['py/scripts/broken.py']).toEqual(['python']))
  it('is no cache', () =>
    expect(Object.keys(listed).filter((key) => key.includes('__pycache__'))).toEqual([]))
})

describe('Node', () => {
  it('is in with its own modules, and with types that are gone when it runs', () => {
    expect(listed['js/c.mjs']).toEqual(['node'])
    expect(listed['js/d.ts']).toEqual(['node'])
    expect(listed['js/g.js']).toEqual(['node'])
    expect(listed['js/f.d.ts']).toBeUndefined()
  })
  it('is out with a package of its own or of a neighbour', () => {
    expect(listed['js/b.js']).toEqual(['node', '@scope/name'])
    expect(listed['js/a.js']).toEqual(['node', '@scope/name'])
    expect(listed['js/e.mjs']).toEqual(['node', 'left-pad'])
  })
})

describe('bash', () => {
  it('is in with what every machine has, though the sandbox may lack it', () => {
    expect(listed['sh/a.sh']).toEqual(['bash'])
    expect(listed['sh/c.sh']).toEqual(['bash'])
    expect(listed['sh/j.sh']).toEqual(['bash'])
  })
  it('is out with a program beyond that: in a substitution, behind another, in a trap, though the sandbox may have it', () => {
    expect(listed['sh/b.sh']).toEqual(['bash', 'git'])
    expect(listed['sh/e.sh']).toEqual(['bash', 'jq'])
    expect(listed['sh/f.sh']).toEqual(['bash', 'az'])
    expect(listed['sh/g']).toEqual(['bash', 'curl'])
  })
  it('is out with a neighbour that needs more, in whichever language', () => {
    expect(listed['sh/d.sh']).toEqual(['bash', 'git'])
    expect(listed['sh/i.sh']).toEqual(['bash', 'left-pad'])
  })
  it('is told by its first line where the name does not', () => expect(listed['sh/h']).toBeUndefined())
})
