// Small commands that scripts expect and just-bash lacks.

import type { CommandContext, ExecResult } from './shell.js'

type Run = (args: string[], context: CommandContext) => Promise<ExecResult>

/** Commands by name. `fresh` returns random letters for a unique name. */
export function smallCommands(fresh: () => string): Readonly<Record<string, Run>> {
  return {
    mktemp: async (args, context) => mktemp(args, context, fresh),
    realpath: async (args, context) => realpath(args, context),
    nproc: async () => printedResult('1\n'),
    sync: async () => printedResult(''),
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
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '-d' || arg === '--directory') folder = true
    else if (arg === '-p') base = args[++index] ?? base
    else if (arg.startsWith('--tmpdir=')) base = arg.slice(9)
    else if (arg === '-t' || arg === '--tmpdir') inBase = true
    else if (arg.startsWith('-')) continue
    else template = arg
  }
  const pattern = template === '' ? `${base}/tmp.XXXXXXXXXX` : inBase ? `${base}/${template}` : template
  const placeholder = /X{3,}(?=[^X]*$)/.exec(pattern)
  if (!placeholder) return failedResult(`mktemp: too few X's in template '${template}'`)
  const [letters] = placeholder
  const filled = letters.replaceAll('X', () => fresh().slice(0, 1))
  const name =
    pattern.slice(0, placeholder.index) + filled + pattern.slice(placeholder.index + letters.length)
  const path = fs.resolvePath(cwd, name)
  try {
    await (folder ? fs.mkdir(path) : fs.writeFile(path, ''))
  } catch (error) {
    return failedResult(
      `mktemp: failed to create ${folder ? 'directory' : 'file'} via template '${pattern}': ${messageOf(error)}`,
    )
  }
  return printedResult(`${name}\n`)
}

async function realpath(args: string[], { fs, cwd }: CommandContext): Promise<ExecResult> {
  const allowsMissing = args.includes('-m')
  const result = { stdout: '', stderr: '', exitCode: 0 }
  for (const arg of args.filter((word) => !word.startsWith('-'))) {
    const path = fs.resolvePath(cwd, arg)
    const folder = path.slice(0, path.lastIndexOf('/')) || '/'
    if (await fs.exists(path)) result.stdout += `${await fs.realpath(path)}\n`
    // As in GNU's realpath, the last component need not exist.
    else if (allowsMissing || (!args.includes('-e') && (await fs.exists(folder))))
      result.stdout += `${path}\n`
    else {
      result.stderr += `realpath: ${arg}: No such file or directory\n`
      result.exitCode = 1
    }
  }
  return result
}

function printedResult(stdout: string): ExecResult {
  return { stdout, stderr: '', exitCode: 0 }
}

function failedResult(message: string): ExecResult {
  return { stdout: '', stderr: `${message}\n`, exitCode: 1 }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
