// Runs one command of a case, in the sandbox as the product does and on this machine, with the same text, files and
// paths. A leading folder that differs is removed from the output.

import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'

import { PLAIN_NAMES } from './plain-commands.ts'

import type { CommandAnswer, CommandAsk } from '../sandbox/host.ts'
import type { Case } from './case.ts'
import type { ScriptLanguage, ListedScript } from './list.ts'

const WORK = '/mnt/user-data/workspace'
const STDIN = '/mnt/user-data/uploads/stdin'
const BIN = '/usr/bin'
const WALL_MS = 60_000
const PROGRAM: Readonly<Record<ScriptLanguage, string>> = { python: 'python3', node: 'node', bash: 'bash' }
/** Options that run code, with the script's path after the code. */
const CODE: Readonly<Record<ScriptLanguage, string>> = { python: '-c', node: '-e', bash: '-c' }

export interface ScriptOutcome {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Prepared {
  readonly command: string
  /** The files by their absolute paths in the sandbox. */
  readonly files: Readonly<Record<string, Buffer>>
}

/** The command, in which all paths begin with `root`, and its files. */
function prepareCase({ skill, file, language }: ListedScript, testCase: Case, root: string): Prepared {
  const home = `/mnt/skills/public/${basename(skill)}`
  const script = join(root, home, relative(skill, file))
  const what = testCase.code === undefined ? [script] : [CODE[language], testCase.code, script]
  const commandLine = [PROGRAM[language], ...what, ...testCase.args].map(quoted).join(' ')
  const environment: Record<string, string> = {
    PYTHONHASHSEED: '0',
    PYTHONDONTWRITEBYTECODE: '1',
    // The folders of the skill and the script: for code that imports it.
    PYTHONPATH: `${join(root, home)}:${dirname(script)}`,
    NO_COLOR: '1',
    ...testCase.env,
  }
  const exported = Object.entries(environment).map(([name, value]) => `export ${name}=${quoted(value)}\n`)
  const workFiles = { ...testCase.files, '.keep': '' }
  return {
    command: `${exported.join('')}${commandLine} < ${quoted(root + STDIN)}`,
    files: Object.fromEntries([
      ...skillFiles(skill).map((path) => [join(home, path), readFileSync(join(skill, path))] as const),
      ...Object.entries(workFiles).map(([path, text]) => [join(WORK, path), Buffer.from(text)] as const),
      [STDIN, Buffer.from(testCase.stdin ?? '')] as const,
    ]),
  }
}

function skillFiles(skill: string): readonly string[] {
  return readdirSync(skill, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      !/(?:^|\/)(?:__pycache__|node_modules|\.git)\//.test(path) && statSync(join(skill, path)).isFile(),
  )
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** Runs it in the sandbox; `ask` sends the command to host.ts. */
export async function inSandbox(
  ask: (request: CommandAsk) => Promise<unknown>,
  script: ListedScript,
  testCase: Case,
): Promise<ScriptOutcome> {
  const { command, files } = prepareCase(script, testCase, '')
  const encoded = Object.entries(files).map(([path, bytes]) => [path, bytes.toString('base64')] as const)
  const request = { command, wallMs: WALL_MS, files: Object.fromEntries(encoded) }
  // The cast is safe: host.ts sends this message.
  const { exitCode, stdout, stderr, stopped } = (await ask(request)) as CommandAnswer
  const stopNote = stopped === null ? '' : `stopped: ${stopped}`
  return {
    exitCode,
    stdout: Buffer.from(stdout, 'base64').toString(),
    stderr: Buffer.from(stderr, 'base64').toString() + stopNote,
  }
}

/** Temporary folders, which are deleted at the end. */
const temporaryFolders: string[] = []
const programs = new Map<boolean, string>()

/** A folder that contains only the languages and, for a shell script, the commands of a standard machine. */
function programsFor(language: ScriptLanguage): string {
  const isShell = language === 'bash'
  const existing = programs.get(isShell)
  if (existing !== undefined) return existing
  const folder = mkdtempSync(join(tmpdir(), 'satchel-programs-'))
  temporaryFolders.push(folder)
  // Use the interpreter itself instead of a version manager's wrapper, and only the standard library, as in the
  // sandbox.
  const python = execFileSync('python3', ['-c', 'import sys; print(sys._base_executable)'], {
    encoding: 'utf8',
  })
  symlinkSync(python.trim(), join(folder, 'python3'))
  const venv = `home = ${dirname(python.trim())}\ninclude-system-site-packages = false\n`
  writeFileSync(join(folder, 'pyvenv.cfg'), venv)
  symlinkSync(process.execPath, join(folder, 'node'))
  for (const name of isShell ? PLAIN_NAMES : ['bash']) {
    const there = ['/usr/bin', '/bin'].map((from) => join(from, name)).find((path) => existsSync(path))
    if (there !== undefined) symlinkSync(there, join(folder, name))
  }
  programs.set(isShell, folder)
  return folder
}

/** Runs it on this machine, in a temporary folder. */
export function onMachine(script: ListedScript, testCase: Case): ScriptOutcome {
  const root = mkdtempSync(join(tmpdir(), 'satchel-parity-'))
  try {
    const { command, files } = prepareCase(script, testCase, root)
    for (const [path, bytes] of Object.entries(files)) {
      mkdirSync(join(root, dirname(path)), { recursive: true })
      writeFileSync(join(root, path), bytes)
    }
    mkdirSync(join(root, dirname(BIN)), { recursive: true })
    cpSync(programsFor(script.language), join(root, BIN), { recursive: true, verbatimSymlinks: true })
    const result = spawnSync('/bin/bash', ['-c', command], {
      cwd: join(root, WORK),
      env: { HOME: join(root, WORK), PATH: join(root, BIN), LANG: 'C.UTF-8', TZ: 'UTC' },
      timeout: WALL_MS,
      maxBuffer: 67_108_864,
    })
    const withoutRoot = (bytes: Buffer): string => bytes.toString().replaceAll(root, '')
    return { exitCode: result.status, stdout: withoutRoot(result.stdout), stderr: withoutRoot(result.stderr) }
  } finally {
    rmSync(root, { recursive: true })
  }
}

export function cleanUp(): void {
  for (const folder of temporaryFolders) rmSync(folder, { recursive: true })
}
