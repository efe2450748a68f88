// Guards that every listed way to run text, start a shell or leak data in Python is found however it is written, and
// that a mere mention passes.

import { describe, expect, it } from 'vitest'
import { refusals, seenIn, reported } from './scanned.ts'

const python = (code: string): readonly string[] => seenIn('scripts/a.py', code)
const warned = (code: string): readonly string[] => reported('scripts/a.py', code)

describe('the scan for text run as code', () => {
  it.each([
    ['eval', 'eval(x)'],
    ['exec', 'exec("a")'],
    ['compiled code', 'exec(compile(s, "f", "exec"))'],
    ['an alias', 'run = eval\nrun(x)'],
    ['builtins', 'import builtins as b\nb.exec(x)'],
    ['a from import', 'from builtins import eval as e\ne(x)'],
    ['__builtins__', '__builtins__["eval"](x)'],
    ['a look-up', 'globals()["__builtins__"].eval(x)'],
    ['passed on', 'list(map(eval, lines))'],
    ['a full-width name', 'ｅval(x)'],
    ['inside an f-string', 'print(f"{eval(x)}")'],
    ['behind a backslash that hides the brace', 'print(f"\\{eval(x)}")'],
    ['in a lambda', 'f = lambda: eval(x)'],
  ])('reports %s', (_, code) => {
    expect(warned(code)).toEqual(['python-dynamic-code'])
  })

  it.each([
    ['a method of that name', 'model.eval()\nframe.eval("a")'],
    ['literal_eval', 'import ast\nast.literal_eval(x)'],
    ['a function of the file', 'def eval(x): return 1\neval(2)'],
    ['a keyword', 'f(eval=True)'],
    [
      'code that is only compiled',
      'import re\nre.compile("a")\ncompile(s, "f", "exec")\ncompile(s, "f", mode)',
    ],
    ['comments, strings and documentation', '# eval(x)\n"""exec(x)"""\ns = "eval(x) os.system(y)"'],
  ])('allows %s', (_, code) => {
    expect(python(code)).toEqual([])
  })
})

describe('the scan for shells', () => {
  it.each([
    ['os.system', 'import os\nos.system(c)'],
    ['os.popen under a name', 'import os as o\no.popen(c)'],
    ['a from import', 'from os import system as s\ns(c)'],
    ['a star import', 'from os import *\nsystem(c)'],
    ['a star import after the function that uses it', 'def f(): system(c)\nfrom os import *\nf()'],
    ['a star import of another file that holds os', 'from helpers import *\nos.system(c)'],
    ['getattr', 'import os\ngetattr(os, "system")(c)'],
    ['getattr with parts', 'import os\ngetattr(os, "sys" + "tem")(c)'],
    ['__import__', '__import__("os").system(c)'],
    ['__dict__', 'import os\nos.__dict__["system"](c)'],
    ['vars', 'import os\nvars(os)["system"](c)'],
    ['sys.modules', 'import sys\nsys.modules["os"].system(c)'],
    ['another module', 'import shutil\nshutil.os.system(c)'],
    [
      'an attribute',
      'import os\nclass A:\n  def __init__(self): self.os = os\n  def f(self): self.os.system(c)',
    ],
    ['a function passed on', 'import os\nThread(target=os.system, args=("ls",))'],
    ['a line continuation', 'import os\nos \\\n  .system(c)'],
    ['a parameter with a default', 'import os\ndef f(run=os.system): run(c)'],
    ['a walrus', 'import os\nif (s := os.system): s(c)'],
    ['getoutput, which always has a shell', 'import subprocess\nsubprocess.getoutput(c)'],
    ['asyncio', 'import asyncio\nasyncio.create_subprocess_shell(c)'],
    ['subprocess with shell=True', 'import subprocess\nsubprocess.run(c, shell=True)'],
    ['shell with an expression', 'import subprocess\nsubprocess.run(c, shell=not False)'],
    ['shell by a variable', 'import subprocess as sp\nsp.Popen(c, shell=flag)'],
    [
      'a parameter that is true by default',
      'import subprocess\ndef f(c, shell=True): subprocess.run(c, shell=shell)',
    ],
    [
      'the ninth position',
      'import subprocess\nsubprocess.Popen(c, -1, None, None, None, None, None, True, True)',
    ],
    ['importlib', 'import importlib\nimportlib.import_module("subprocess").run(c, shell=True)'],
    ['partial', 'import subprocess, functools\nrun = functools.partial(subprocess.run, shell=True)'],
    ['an unknown callee', 'import subprocess\nrunners[0](c, shell=True)'],
    [
      'an import in a branch',
      'try:\n  import subprocess as p\nexcept ImportError:\n  p = None\np.run(c, shell=True)',
    ],
  ])('reports %s', (_, code) => {
    expect(warned(code)).toEqual(['python-shell-exec'])
  })

  it.each([
    ['without a shell', 'subprocess.run(["ls"])\nsubprocess.run(["ls"], shell=False)'],
    ['with arguments of a wrapper', 'subprocess.run(["ls"], **kwargs)\nsubprocess.Popen(c, *rest, **kwargs)'],
    [
      'with a shell that is off by default',
      'def f(c, shell=False): subprocess.run(c, shell=shell)\ndef g(c, *, sh: bool = False): subprocess.run(c, shell=sh)',
    ],
    ['of a literal command', 'subprocess.run("git status", shell=True)\nimport os; os.system("ls")'],
  ])('only notes a process %s', (_, code) => {
    expect(python(`import subprocess\n${code}`)).toEqual([
      'note python-subprocess:2',
      'note python-subprocess:3',
    ])
  })

  it('binds only existing names in a star import', () => {
    const common = 'print(len("a"))\ngetattr(a, "b")\nx = str(1)\n'
    expect(python(`${common}from subprocess import *\n${common}`)).toEqual([])
    expect(python(`from requests import *\n${common}p = "/etc/passwd"`)).toEqual([
      'warning python-sensitive-path-read:5',
    ])
  })

  it('resolves names by function: a parameter and constants are something else', () => {
    expect(python('import os\ndef f(os): os.system("x")')).toEqual([])
    expect(python('import subprocess\nx = subprocess.PIPE\nexcept_ = subprocess.TimeoutExpired')).toEqual([])
  })
})

describe('the scan for leaks', () => {
  it.each([
    ['a session that is followed', 'import requests\ns = requests.Session()\np = "~/.ssh/id_rsa"\ns.post(u)'],
    [
      'http.client',
      'import http.client\nc = http.client.HTTPSConnection(h)\nc.request("POST", "/etc/passwd")',
    ],
    ['a handle that is passed on', 'import urllib3\nsend(urllib3.PoolManager(), "/etc/passwd")'],
    ['a handle in an attribute', 'import requests\nself.s = requests.Session()\np = "/etc/passwd"'],
    ['an outbound URL', 'p = "/etc/passwd"\nu = "https://collect.example.org/x"'],
  ])('warns of a path to keys beside a network call: %s', (_, code) => {
    expect(warned(code)).toEqual(['python-sensitive-exfil'])
  })

  it.each([
    ['a body', 'requests.post(u, data=open("/etc/passwd"))'],
    ['a name', 'k = open(home + "/.ssh/id_rsa").read()\nrequests.post(u, json={"k": k})'],
    ['settings', 'body = pathlib.Path(".env").read_text()\nrequests.put(u, data=body)'],
    [
      'a with',
      'import aiohttp\nasync def f():\n  async with aiohttp.ClientSession() as s:\n    await s.post(u, data=open("/etc/shadow"))',
    ],
    ['urllib', 'from urllib.request import urlopen\nurlopen(u, open(home + "/.aws/credentials"))'],
    ['saved passwords', 'p = profile / "Login Data"\nrequests.post(u, files=all)'],
  ])('refuses a file of keys that is sent: %s', (_, code) => {
    expect(refusals('a.py', `import pathlib, requests\n${code}`)).toEqual(['python-keys-sent'])
  })

  it('reports such a path differently without network access', () => {
    expect(python('p = "~/.ssh/config"')).toEqual(['warning python-sensitive-path-read:1'])
  })

  it.each([
    ['dict', 'd = dict(os.environ)\nrequests.post(u, json=d)'],
    ['the object', 'requests.post(u, json=str(os.environ))'],
    ['a spread', 'requests.post(u, json={**os.environ})'],
    ['an alias', 'e = os.environ\nrequests.post(u, json=e)'],
    ['a copy that is changed first', 'e = os.environ.copy()\ne.pop("A")\nrequests.post(u, json=e)'],
    ['another import', 'from os import environ as e\nrequests.post(u, json=dict(e))'],
  ])('refuses the whole environment when it is sent: %s', (_, code) => {
    expect(refusals('a.py', `import os, requests\n${code}`)).toEqual(['python-keys-sent'])
  })

  it('refuses the whole environment, one by one in the URL of a call', () => {
    const code = 'import os, requests\nfor k, v in os.environ.items(): requests.get(u + k)'
    expect(refusals('a.py', code)).toEqual(['python-keys-sent'])
  })

  it.each([
    ['one variable', 'k = os.environ["API_KEY"]'],
    ['get, and a test', 'k = os.environ.get("A")\nb = "A" in os.environ'],
    ['getenv', 'k = os.getenv("A")'],
    ['a child process', 'subprocess.run(["a"], env={**os.environ, "B": "1"}, shell=False)'],
    [
      'a copy that is kept for children',
      'self.env = os.environ.copy()\nrun(["a"], env=os.environ.copy(), shell=False)',
    ],
    ['a copy for a child process', 'e = os.environ.copy()\ne["B"] = "1"\nsubprocess.run(["a"], env=e)'],
    [
      'a function that makes it',
      'def f():\n  e = os.environ.copy()\n  return e\nsubprocess.run(["a"], env=f())',
    ],
  ])('allows %s', (_, code) => {
    expect(warned(`import os, requests, subprocess\n${code}\nrequests.get(u)`)).toEqual([])
  })

  it('refuses a socket tied to a process, and neither of its parts', () => {
    const parts = ['s = socket.socket()', 'os.dup2(s.fileno(), 0)', 'subprocess.call(["sh"])']
    expect(refusals('a.py', `import socket, os, subprocess\n${parts.join('\n')}`)).toEqual([
      'python-reverse-shell',
    ])
    expect(warned(`import socket, os, subprocess\n${parts.slice(0, 2).join('\n')}`)).toEqual([])
  })
})

describe('the scan for suspicious code', () => {
  it.each([
    ['python-dynamic-lookup', 'import os\ngetattr(os, name)("x")'],
    ['python-unsafe-deserialization', 'import pickle\npickle.loads(x)'],
    ['python-unsafe-deserialization', 'import yaml\nyaml.load(x)'],
  ])('%s', (rule, code) => {
    expect(python(code).map((line) => line.replace(/:\d+$/, ''))).toEqual([`warning ${rule}`])
  })

  it('notes imports with a computed name', () => {
    expect(python('__import__(name)\nimport importlib as i\ni.import_module(f"a.{b}")')).toEqual([
      'note python-dynamic-import:1',
      'note python-dynamic-import:3',
    ])
  })

  it('allows literal imports and safe loaders', () => {
    const safe =
      'import importlib, yaml\nimportlib.import_module("json")\nyaml.load(x, Loader=yaml.SafeLoader)\nyaml.safe_load(x)'
    expect(python(safe)).toEqual([])
  })
})

describe('code that cannot be parsed', () => {
  it.each([['another encoding', '# -*- coding: utf-7 -*-\nx = 1\n']])(
    'is warned of when it contains a relevant name: %s',
    (_, code) => {
      expect(warned(code)).toContain('python-unparsable')
      expect(refusals('a.py', code)).toEqual([])
    },
  )

  it.each([
    ['a broken file', 'def f(:\n  pass\n'],
    ['a template', 'from app.{{name}} import x\n{% for a in b %}\nx = {{ a }}\n{% endfor %}\n'],
  ])('is noted otherwise: %s', (_, code) => {
    expect(python(code).map((line) => line.replace(/:\d+$/, ''))).toEqual(['note python-parsed-in-part'])
  })

  it('is judged as far as possible', () => {
    expect(warned('import os\nx = {{name}}\nos.system(x)\n')).toContain('python-shell-exec')
  })

  it('is at most a note if it is valid Python that the grammar lacks', () => {
    const code = [
      'with (open(a) as b, open(c) as d):\n  pass',
      'def f():\n  yield\n',
      'x = [1., 2.]',
      'p = {n for n, *_r in q}',
      'r = rf"\\{{a{n}\\}}"',
      '\f\nmatch x:\n  case a.B():\n    pass',
      'try: pass\nexcept* E as e: pass',
      'type X = int\ndef g[T](a: T) -> T: return a',
    ]
    for (const part of code) expect(warned(`${part}\n`), part).toEqual([])
  })

  it('is reported if a gap of the grammar contains a relevant name', () => {
    expect(warned('with (__import__("os").system(x) as b, c() as d):\n  pass\n').length).toBeGreaterThan(0)
  })

  it('is recognized as Python by its first line', () => {
    expect(reported('bin/run', '#!/usr/bin/env python3\nimport os\nos.system(x)')).toEqual([
      'python-shell-exec',
    ])
  })
})
