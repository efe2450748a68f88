// `node scripts/sandbox/parity.ts FOLDER`: runs each Python script below a folder that needs the standard library and its
// neighbours alone, in the sandbox and with the machine's python3, and compares standard output and exit code.

import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { startChildren } from './children.ts'
import { CASES, OTHERS } from './parity-cases.ts'

import type { Children } from './children.ts'
import type { Case } from './parity-cases.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const USAGE = 'node scripts/sandbox/parity.ts FOLDER'
const SKILL = '/mnt/skills/public/skill'
const WORK = '/mnt/user-data/workspace'
const NATIVE_MS = 60_000
const ENV = {
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  PYTHONHASHSEED: '0',
  PYTHONDONTWRITEBYTECODE: '1',
  HOME: '/tmp',
  NO_COLOR: '1',
}

/** Prints the scripts below a folder that import nothing, by themselves or by neighbours, but the standard library. */
const LIST = `
import ast, os, sys

def near(folder, name):
    for base in (folder, os.path.dirname(folder)):
        for path in (f'{base}/{name}.py', f'{base}/{name}/__init__.py'):
            if os.path.isfile(path): return path
        if os.path.isdir(f'{base}/{name}'): return ''

def plain(path, seen):
    if path in seen or not path: return True
    seen.add(path)
    nodes = list(ast.walk(ast.parse(open(path, encoding='utf-8').read())))
    wanted = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
    wanted |= {n.module for n in nodes if isinstance(n, ast.ImportFrom) and n.module and n.level == 0}
    folder = os.path.dirname(path)
    for name in wanted:
        top, _, rest = name.partition('.')
        found = near(folder, top)
        if found is None and top not in sys.stdlib_module_names: return False
        if found is not None and not plain(near(folder, name.replace('.', '/')) or found, seen): return False
    return True

for folder, _, files in sorted(os.walk(sys.argv[1])):
    for name in sorted(files):
        if name.endswith('.py') and plain(os.path.join(folder, name), set()): print(os.path.join(folder, name))`

interface Outcome {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The folder of the skill that a script belongs to: the nearest above it with a SKILL.md, else its own. */
function skillOf(script: string, root: string): string {
  for (let folder = dirname(script); folder.startsWith(root); folder = dirname(folder))
    if (readdirSync(folder).includes('SKILL.md')) return folder
  return dirname(script)
}

function native(skill: string, command: readonly string[], { args, stdin = '', files = {} }: Case): Outcome {
  const root = mkdtempSync(join(tmpdir(), 'satchel-parity-'))
  cpSync(skill, join(root, SKILL), { recursive: true })
  for (const [path, text] of Object.entries({ ...files, '.keep': '' })) {
    mkdirSync(join(root, WORK, dirname(path)), { recursive: true })
    writeFileSync(join(root, WORK, path), text)
  }
  const here = command.map((word) => (word.startsWith(SKILL) ? join(root, word) : word))
  const env = { ...ENV, PATH: '/nowhere', PYTHONPATH: join(root, SKILL) }
  // Itself, not a wrapper: there are no other programs, as in the sandbox.
  const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
    encoding: 'utf8',
  }).trim()
  const ran = spawnSync(python, [...here, ...args], {
    cwd: join(root, WORK),
    env,
    input: stdin,
    timeout: NATIVE_MS,
  })
  rmSync(root, { recursive: true })
  const plain = (bytes: Buffer): string => bytes.toString().replaceAll(root, '')
  return { exitCode: ran.status, stdout: plain(ran.stdout), stderr: plain(ran.stderr) }
}

async function ours(
  children: Children,
  skill: string,
  command: readonly string[],
  { args, stdin = '', files = {} }: Case,
): Promise<Outcome> {
  const skillFiles = readdirSync(skill, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(skill, path)).isFile())
    .map((path) => [join(SKILL, path), readFileSync(join(skill, path))] as const)
  const own = Object.entries({ ...files, '.keep': '' }).map(
    ([path, text]) => [join(WORK, path), Buffer.from(text)] as const,
  )
  const { exitCode, stdout, stderr } = await children.run({
    argv: ['python3', ...command, ...args],
    stdin: Buffer.from(stdin),
    env: { ...ENV, PYTHONPATH: SKILL },
    files: Object.fromEntries([...skillFiles, ...own]),
  })
  return { exitCode, stdout: Buffer.from(stdout).toString(), stderr }
}

/** The last line of what was said on standard error: mostly why. */
function why({ stderr }: Outcome): string {
  return (stderr.trim().split('\n').at(-1) ?? '').slice(0, 100)
}

async function main([folder, ...rest]: readonly string[]): Promise<number> {
  if (!folder || folder.startsWith('-') || rest.length > 0) {
    console.log(USAGE)
    return folder === '--help' ? 0 : 2
  }
  const children = await startChildren(ROOT, 'python')
  const scripts = execFileSync('python3', ['-c', LIST, folder], { encoding: 'utf8' }).trim().split('\n')
  let equal = 0
  for (const script of scripts) {
    const skill = skillOf(script, folder)
    const cases = CASES[basename(script)] ?? OTHERS
    for (const [name, one] of Object.entries(cases) as [string, Case][]) {
      // the two of `Cases`
      const command = [join(SKILL, relative(skill, script))]
      const there = native(skill, command, one)
      const here = await ours(children, skill, command, one)
      const same = there.exitCode === here.exitCode && there.stdout === here.stdout
      equal += Number(same)
      const bytes = `${there.stdout.length} characters`.padStart(18)
      console.log(
        `${same ? 'equal ' : 'DIFFER'} ${name.padEnd(4)} exit ${there.exitCode} ${bytes}  ${relative(folder, script)}`,
      )
      if (!same) console.log(`       ours: exit ${here.exitCode}, ${why(here)}\n       there: ${why(there)}`)
    }
  }
  console.log(
    `\n${equal} of ${scripts.length * 2} equal (${((equal / scripts.length / 2) * 100).toFixed(1)} %), ${scripts.length} scripts`,
  )
  await children.dispose()
  return equal === scripts.length * 2 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
