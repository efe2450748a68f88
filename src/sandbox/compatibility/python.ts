// Lists what a Python script needs but the sandbox does not have: modules that it imports, and modules whose
// calls fail although they can be imported. Static analysis that follows imports within the skill.

import { ABSENT_PROGRAMS } from '../bash/absent.ts'
import { alternativeTo, isNative, pythonPackageOf } from '../python-alternatives.ts'
import {
  parentFolder,
  MissingDependencies,
  NATIVE,
  NO_NETWORK,
  notInstalled,
  joinPath,
  type SkillScripts,
} from './missing-dependencies.ts'
import { findImports, codeLines, type PythonImport } from './python-imports.ts'

/** Modules that can be imported in CPython 3.13 as scripts/runtimes/python.ts builds it. */
const SUPPORTED_MODULES = new Set(
  `__future__ abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 cProfile calendar cmath cmd code
codecs codeop collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg csv dataclasses datetime
dbm decimal difflib dis doctest email encodings enum errno faulthandler filecmp fileinput fnmatch fractions ftplib functools gc
genericpath getopt getpass gettext glob graphlib gzip hashlib heapq hmac html http imaplib importlib inspect io ipaddress itertools
json keyword linecache locale logging mailbox marshal math mimetypes mmap modulefinder multiprocessing netrc ntpath nturl2path
numbers opcode operator optparse os pathlib pdb pickle pickletools pkgutil platform plistlib poplib posix posixpath pprint profile
pstats pty py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re reprlib rlcompleter runpy sched secrets select
selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 sre_compile sre_constants sre_parse stat statistics string
stringprep struct subprocess symtable sys sysconfig tabnanny tarfile tempfile termios textwrap this threading time timeit token
tokenize tomllib trace traceback tracemalloc tty types typing unicodedata unittest urllib uuid warnings wave weakref webbrowser
wsgiref xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`.split(/\s+/),
)

const ONE_PROCESS = 'there is one process; use subprocess, a pool or a queue'
/** Modules that can be imported, and their calls that fail. */
const FAILING_CALLS: readonly (readonly [module: string, call: RegExp, why: string])[] = [
  ['os', /\bos\.(?:posix_spawn\w*|fork)\s*\(/, ONE_PROCESS],
  ['asyncio', /\basyncio\.(?:open_\w*connection|start_\w*server)\s*\(/, NO_NETWORK],
  ['urllib.request', /\b(?:urlopen|urlretrieve|build_opener)\s*\(/, NO_NETWORK],
  ['http.client', /\bHTTPS?Connection\s*\(/, NO_NETWORK],
  ['http.server', /\bHTTPServer\s*\(/, NO_NETWORK],
  ['socketserver', /\b(?:TCP|UDP)Server\s*\(/, NO_NETWORK],
  ['socket', /\bsocket\.(?:socket|create_\w+)\s*\(/, NO_NETWORK],
  ['smtplib', /\bSMTP(?:_SSL)?\s*\(/, NO_NETWORK],
  ['ftplib', /\bFTP(?:_TLS)?\s*\(/, NO_NETWORK],
  ['imaplib', /\bIMAP4(?:_SSL)?\s*\(/, NO_NETWORK],
  ['xmlrpc', /\bServerProxy\s*\(/, NO_NETWORK],
  ['webbrowser', /\bwebbrowser\.\w+\s*\(/, 'no browser'],
  ['multiprocessing', /\b(?:Pipe|SharedMemory|ShareableList)\s*\(/, ONE_PROCESS],
]
/** A call that starts a program with a literal name. */
const START =
  /\b(?:run|Popen|call|check_call|check_output|get(?:status)?output|system|popen|create_subprocess_\w+|exec[lv]p?e?|spawn[lv]p?e?)\s*\(\s*[[(]?\s*f?["']([\w./+-]+)/
const STARTERS = ['subprocess', 'os', 'asyncio']

export function missingInPython(path: string, skill: SkillScripts): MissingDependencies {
  const text = skill.texts.get(path) ?? ''
  // A test may replace a missing package with a stub.
  const stubbedModules = [...text.matchAll(/\bsys\.modules(?:\.setdefault\(|\[)\s*["'](\w+)/g)].map(
    ([, top = '']) => top,
  )
  return checkFile(path, { ...skill, stubbedModules: new Set(stubbedModules) }, new Set(), true)
}

interface PythonSkill extends SkillScripts {
  readonly stubbedModules: ReadonlySet<string>
}

function checkFile(
  path: string,
  skill: PythonSkill,
  visited: Set<string>,
  isMain: boolean,
): MissingDependencies {
  const missing = new MissingDependencies()
  const text = skill.texts.get(path)
  if (text === undefined || visited.has(path)) return missing
  visited.add(path)
  const { lines, imports } = parsePython(path, text, skill.texts)
  for (const found of imports) checkImport(found, path, skill, visited, isMain, missing, lines)
  const importedNames = new Set(imports.flatMap(({ module }) => [module, module.split('.')[0]]))
  for (const [module, call, why] of FAILING_CALLS)
    if (importedNames.has(module) || module === 'urllib.request') {
      const uses = lines.filter((line) => call.test(line))
      if (uses.length > 0) missing.add(module, why, uses.some(isRunAtStart))
    }
  if (STARTERS.some((module) => importedNames.has(module)))
    for (const line of lines) {
      const name = START.exec(line)?.[1]?.replace(/^\/(?:usr\/(?:local\/)?)?bin\//, '') ?? ''
      const why = ABSENT_PROGRAMS.get(name)
      if (why !== undefined) missing.add(name, why, isRunAtStart(line))
    }
  return missing
}

/** Unindented code runs whenever the script starts. */
function isRunAtStart(line: string): boolean {
  return /^(?!def\b|class\b|@|import\b|from\b)\S/.test(line)
}

interface ParsedScript {
  readonly lines: readonly string[]
  readonly imports: readonly PythonImport[]
}

/** Caches parsed modules for each skill, because many scripts may import the same module. */
const parsedByTexts = new WeakMap<SkillScripts['texts'], Map<string, ParsedScript>>()

function parsePython(path: string, text: string, texts: SkillScripts['texts']): ParsedScript {
  const parsedByPath = parsedByTexts.get(texts) ?? new Map<string, ParsedScript>()
  parsedByTexts.set(texts, parsedByPath)
  const lines = parsedByPath.get(path)?.lines ?? codeLines(text)
  const parsed = parsedByPath.get(path) ?? { lines, imports: findImports(lines) }
  parsedByPath.set(path, parsed)
  return parsed
}

function checkImport(
  { module, isAtStart, fallbacks }: PythonImport,
  path: string,
  skill: PythonSkill,
  visited: Set<string>,
  isMain: boolean,
  missing: MissingDependencies,
  lines: readonly string[],
): void {
  if (module.startsWith('.')) {
    if (isMain && isAtStart)
      missing.add(
        'relative imports',
        'the script is part of a package; start it with python3 -m from the parent folder',
        true,
      )
    return
  }
  const [top = ''] = module.split('.')
  const moduleFiles = skillModule(module, parentFolder(path), skill, lines)
  if (moduleFiles === 'elsewhere') {
    const reason = 'is in another folder of the skill; add that folder to PYTHONPATH'
    if (!SUPPORTED_MODULES.has(top)) missing.add(top, reason, isAtStart)
  } else if (moduleFiles !== null)
    for (const file of moduleFiles) missing.merge(checkFile(file, skill, visited, false), isAtStart)
  else if (!isSupported(top) && !skill.stubbedModules.has(top) && !isInstalled(top, skill)) {
    // If the handler's imports are available, nothing is missing; if it imports nothing, only a part of the
    // script fails.
    const isHandled =
      fallbacks?.every((fallback) => isAvailable(fallback.split('.')[0] ?? '', skill)) === true
    if (isHandled && fallbacks.length > 0) return
    missing.add(top, missingReason(top), isAtStart && !isHandled)
  }
}

function isAvailable(top: string, skill: SkillScripts): boolean {
  return isSupported(top) || isInstalled(top, skill)
}

function isInstalled(top: string, { installed }: SkillScripts): boolean {
  return Object.hasOwn(installed.pythonModules, top)
}

/** Why a module is missing, and what to do. */
function missingReason(top: string): string {
  const alternative = alternativeTo(top)
  const packageName = pythonPackageOf(top)
  if (packageName !== null)
    return `${notInstalled(packageName)}${alternative === null ? '' : `, or ${alternative}`}`
  if (isNative(top)) return `${NATIVE}; ${alternative ?? 'use the standard library'}`
  return `not in the standard library${alternative === null ? '' : `; ${alternative}`}`
}

/** The files of the skill that make up a module, or null if the module is not part of the skill. */
function skillModule(
  module: string,
  folder: string,
  { paths }: SkillScripts,
  lines: readonly string[],
): readonly string[] | 'elsewhere' | null {
  const [top = ''] = module.split('.')
  const allPaths = [...paths]
  const filesIn = (searchedFolder: string): readonly string[] | null => {
    const names = module.split('.')
    const candidates = [`${names.join('/')}.py`, `${top}.py`, `${names.join('/')}/__init__.py`]
    const files = candidates.map((name) => joinPath(searchedFolder, name)).filter((path) => paths.has(path))
    if (files.length > 0) return files
    const prefix = `${joinPath(searchedFolder, top)}/`
    return allPaths.some((path) => path.startsWith(prefix) && path.endsWith('.py')) ? [] : null
  }
  const filesBeside = filesIn(folder)
  if (filesBeside) return filesBeside
  const [otherFolder] = allPaths
    .filter((path) => path.endsWith(`/${top}.py`) || path === `${top}.py` || isInPackage(path, top))
    .map((path) =>
      isInPackage(path, top)
        ? path.slice(0, path.lastIndexOf(`${top}/`)).replace(/\/$/, '')
        : parentFolder(path),
    )
  if (otherFolder === undefined) return null
  // A script that changes sys.path is assumed to find the module.
  return lines.some((line) => line.includes('sys.path')) ? filesIn(otherFolder) : 'elsewhere'
}

function isSupported(top: string): boolean {
  return SUPPORTED_MODULES.has(top) || top.startsWith('_')
}

/** Whether a Python file is in a package with this name. */
function isInPackage(path: string, top: string): boolean {
  return path.endsWith('.py') && (path.startsWith(`${top}/`) || path.includes(`/${top}/`))
}
