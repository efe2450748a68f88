// Small commands that scripts expect and just-bash lacks. Each is a few lines over the shell's files.

import type { CommandContext, ExecResult } from './shell.js'

type Run = (args: string[], context: CommandContext) => Promise<ExecResult>

const SYSTEM: Readonly<Record<string, string>> = {
  s: 'Linux',
  n: 'localhost',
  r: '6.0.0',
  m: 'x86_64',
  o: 'GNU/Linux',
}

/** Commands by name. `fresh` returns random letters for a unique name. */
export function smallCommands(fresh: () => string): Readonly<Record<string, Run>> {
  return {
    mktemp: async (args, context) => mktemp(args, context, fresh),
    realpath: async (args, context) => realpath(args, context),
    cmp: async (args, context) => cmp(args, context),
    uname: async (args) => {
      const letters = args.join('').replaceAll('-', '') || 's'
      const names = letters.includes('a') ? Object.keys(SYSTEM) : letters.split('')
      return printed(`${names.map((name) => SYSTEM[name] ?? 'unknown').join(' ')}\n`)
    },
    id: async (args) =>
      printed(
        args.some((arg) => arg.includes('n'))
          ? 'user\n'
          : args.length > 0
            ? '1000\n'
            : 'uid=1000(user) gid=1000(user)\n',
      ),
    nproc: async () => printed('1\n'),
    umask: async (args) => printed(args.length === 0 ? '0022\n' : ''),
    ulimit: async () => printed('unlimited\n'),
    // Nothing runs in the background.
    wait: async () => printed(''),
    sync: async () => printed(''),
  }
}

async function mktemp(
  args: string[],
  { fs, cwd, env }: CommandContext,
  fresh: () => string,
): Promise<ExecResult> {
  let folder = false
  let base = env.get('TMPDIR') ?? '/tmp'
  let template = ''
  let inBase = false
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '-d' || arg === '--directory') folder = true
    else if (arg === '-p') base = args[++at] ?? base
    else if (arg.startsWith('--tmpdir=')) base = arg.slice(9)
    else if (arg === '-t' || arg === '--tmpdir') inBase = true
    else if (arg.startsWith('-')) continue
    else template = arg
  }
  const pattern = template === '' ? `${base}/tmp.XXXXXXXXXX` : inBase ? `${base}/${template}` : template
  const found = /X{3,}(?=[^X]*$)/.exec(pattern)
  if (!found) return failed(`mktemp: too few X's in template '${template}'`)
  const filled = found[0].replaceAll('X', () => fresh().slice(0, 1))
  const name = pattern.slice(0, found.index) + filled + pattern.slice(found.index + found[0].length)
  const path = fs.resolvePath(cwd, name)
  try {
    await (folder ? fs.mkdir(path) : fs.writeFile(path, ''))
  } catch (error) {
    return failed(
      `mktemp: failed to create ${folder ? 'directory' : 'file'} via template '${pattern}': ${why(error)}`,
    )
  }
  return printed(`${name}\n`)
}

async function realpath(args: string[], { fs, cwd }: CommandContext): Promise<ExecResult> {
  const missing = args.includes('-m')
  const result = { stdout: '', stderr: '', exitCode: 0 }
  for (const arg of args.filter((one) => !one.startsWith('-'))) {
    const path = fs.resolvePath(cwd, arg)
    const folder = path.slice(0, path.lastIndexOf('/')) || '/'
    if (await fs.exists(path)) result.stdout += `${await fs.realpath(path)}\n`
    // Like realpath: the last component need not exist.
    else if (missing || (!args.includes('-e') && (await fs.exists(folder)))) result.stdout += `${path}\n`
    else {
      result.stderr += `realpath: ${arg}: No such file or directory\n`
      result.exitCode = 1
    }
  }
  return result
}

async function cmp(args: string[], { fs, cwd }: CommandContext): Promise<ExecResult> {
  const silent = args.some((arg) => arg === '-s' || arg === '--silent' || arg === '--quiet')
  const [one = '', other = ''] = args.filter((arg) => !arg.startsWith('-'))
  const bytes: Uint8Array[] = []
  for (const path of [one, other])
    try {
      bytes.push(await fs.readFileBuffer(fs.resolvePath(cwd, path)))
    } catch {
      return { ...failed(`cmp: ${path}: No such file or directory`), exitCode: 2 }
    }
  const [a = new Uint8Array(), b = new Uint8Array()] = bytes
  const at = a.findIndex((byte, index) => byte !== b[index])
  if (at === -1 && a.length === b.length) return printed('')
  if (silent) return { ...printed(''), exitCode: 1 }
  if (at === -1 || at >= b.length)
    return failed(
      `cmp: EOF on ${a.length < b.length ? one : other} after byte ${Math.min(a.length, b.length)}`,
    )
  const line = 1 + a.subarray(0, at).filter((byte) => byte === 10).length
  return { ...printed(`${one} ${other} differ: byte ${at + 1}, line ${line}\n`), exitCode: 1 }
}

function printed(stdout: string): ExecResult {
  return { stdout, stderr: '', exitCode: 0 }
}

function failed(message: string): ExecResult {
  return { stdout: '', stderr: `${message}\n`, exitCode: 1 }
}

function why(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
