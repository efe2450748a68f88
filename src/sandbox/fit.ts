// Which scripts of a skill can run in the sandbox, by what they import and call. Reads text, runs nothing: what it does not
// see is said by the runtime itself when the script runs.

import { notFound } from './bash/absent.ts'
import { insteadOf } from './instead.ts'

export interface Script {
  readonly path: string
  readonly text: string
}

export interface Fit {
  readonly path: string
  readonly runtime: 'python3' | 'node' | 'bash'
  /** What it needs and is not there, with why; empty: it can run. */
  readonly lacks: readonly string[]
}

/** Of CPython 3.13 as scripts/runtimes/python.ts builds it, whole modules that work. */
const PYTHON = new Set(
  `__future__ abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins calendar cmath cmd code codecs codeop
collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg csv dataclasses datetime decimal difflib
dis doctest email encodings enum errno faulthandler filecmp fileinput fnmatch fractions functools gc genericpath getopt getpass
gettext glob graphlib gzip hashlib heapq hmac html http importlib inspect io ipaddress itertools json keyword linecache locale
logging mailbox marshal math mimetypes modulefinder netrc ntpath numbers opcode operator optparse os pathlib pdb pickle
pickletools pkgutil platform plistlib posix posixpath pprint profile pstats py_compile pyclbr pydoc pyexpat queue quopri random re
reprlib runpy sched secrets selectors shelve shlex shutil signal site stat statistics string stringprep struct symtable sys
sysconfig tabnanny tarfile tempfile textwrap this threading time timeit token tokenize tomllib trace traceback tracemalloc types
typing unicodedata unittest urllib uuid warnings wave weakref wsgiref xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`.split(
    /\s+/,
  ),
)
const NO_NETWORK = 'no network'
const NO_PROGRAMS = 'no other programs; call them from bash'
/** In the library, and of no use here. */
const PYTHON_LACKS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'socket ssl socketserver smtplib ftplib imaplib poplib webbrowser'
      .split(' ')
      .map((name) => [name, NO_NETWORK]),
  ),
  'urllib.request': NO_NETWORK,
  'http.client': NO_NETWORK,
  'http.server': NO_NETWORK,
  subprocess: NO_PROGRAMS,
  multiprocessing: NO_PROGRAMS,
}
/** Node's modules that src/sandbox/node/guest/builtins.ts has, whole or in the parts that scripts use. */
const NODE = new Set(
  `assert async_hooks buffer console constants crypto diagnostics_channel events fs module os path perf_hooks process querystring
readline stream string_decoder timers tty url util zlib`.split(/\s+/),
)
const NODE_LACKS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['child_process', 'cluster', 'worker_threads'].map((name) => [name, NO_PROGRAMS])),
  ...Object.fromEntries('dgram dns http http2 https net tls'.split(' ').map((name) => [name, NO_NETWORK])),
}

const JAVASCRIPT = /\.(?:[cm]?js|[cm]?ts)$/
const SHELL = /\.(?:sh|bash)$/

export function isScript(path: string): boolean {
  return path.endsWith('.py') || JAVASCRIPT.test(path) || SHELL.test(path)
}

/** `paths`: of all files of the skill, for its own modules. Files that are no scripts are left out. */
export function fitOf(scripts: readonly Script[], paths: readonly string[]): readonly Fit[] {
  return scripts.flatMap(({ path, text }): readonly Fit[] => {
    if (path.endsWith('.py')) return [{ path, runtime: 'python3', lacks: pythonLacks(text, paths) }]
    if (JAVASCRIPT.test(path)) return [{ path, runtime: 'node', lacks: nodeLacks(text) }]
    if (SHELL.test(path)) return [{ path, runtime: 'bash', lacks: shellLacks(text) }]
    return []
  })
}

/** Imports at the left edge alone: those further in stand behind a condition, or in a function that may not be called. */
function pythonLacks(text: string, paths: readonly string[]): readonly string[] {
  const lacks = new Map<string, string>()
  for (const line of text.split('\n')) {
    const from = /^from\s+([A-Za-z_][\w.]*)\s+import\b/.exec(line)?.[1]
    const list = /^import\s+([A-Za-z_][\w., \t]*)/.exec(line)?.[1]
    const names =
      from !== undefined ? [from] : (list?.split(',').map((one) => one.trim().split(/\s/)[0] ?? '') ?? [])
    for (const name of names) {
      const [top = ''] = name.split('.')
      const own = paths.some((path) => new RegExp(`(?:^|/)${top}(?:\\.py$|/)`).test(path))
      if (top === '' || own) continue
      const why = PYTHON_LACKS[name] ?? PYTHON_LACKS[top]
      if (why !== undefined) lacks.set(name, why)
      else if (!PYTHON.has(top) && !top.startsWith('_')) {
        const instead = insteadOf(top)
        lacks.set(top, `not in the standard library${instead === null ? '' : `; ${instead}`}`)
      }
    }
  }
  return worded(lacks)
}

function nodeLacks(text: string): readonly string[] {
  const lacks = new Map<string, string>()
  const written =
    /(?:^import\s[^'"\n]*|^export\s[^'"\n]*from\s*|\brequire\(\s*|^\}\s*from\s*)['"]([^'"\n]+)['"]/gm
  for (const [, name = ''] of text.matchAll(written)) {
    if (name.startsWith('.') || name.startsWith('/')) continue
    const [top = ''] = name.replace(/^node:/, '').split('/')
    const why = Object.hasOwn(NODE_LACKS, top) ? NODE_LACKS[top] : undefined
    if (why !== undefined) lacks.set(top, why)
    else if (!NODE.has(top))
      lacks.set(
        name,
        name.startsWith('node:')
          ? 'not here'
          : 'no packages are installed; plain JavaScript beside it is found',
      )
  }
  if (/(?<![\w$.]|function )fetch\(/.test(text)) lacks.set('fetch', NO_NETWORK)
  return worded(lacks)
}

const PROGRAMS = new Set(['python', 'python3', 'node'])

function shellLacks(text: string): readonly string[] {
  const lacks = new Map<string, string>()
  const lines = text.replace(/\\\n/g, ' ').split('\n')
  for (const line of lines.filter((one) => !/^\s*#/.test(one)))
    for (const [, name = ''] of line.matchAll(
      /(?<=(?:^|[|;&(]|\b(?:then|do|else))\s{0,40})([a-z][\w.-]*)/g,
    )) {
      const [, why] = notFound(name).split('not here: ')
      if (why !== undefined && !PROGRAMS.has(name)) lacks.set(name, why.replace(/\.$/, ''))
    }
  return worded(lacks)
}

function worded(lacks: ReadonlyMap<string, string>): readonly string[] {
  return [...lacks].map(([name, why]) => `${name} (${why})`)
}

/** One line or two for the model; empty where there are no scripts. */
export function fitWords(fits: readonly Fit[]): readonly string[] {
  const can = fits
    .filter(({ lacks }) => lacks.length === 0)
    .map(({ path, runtime }) => `${path} (${runtime})`)
  const not = fits
    .filter(({ lacks }) => lacks.length > 0)
    .map(({ path, lacks }) => `${path}: ${lacks.join(', ')}`)
  return [
    ...(can.length > 0 ? [`Scripts that bash can run here: ${can.join(', ')}.`] : []),
    ...(not.length > 0 ? [`Scripts that lack something here: ${not.join('; ')}.`] : []),
  ]
}
