// Finds the meaning of a name: a function, a built-in command, or a file on `PATH`.

import { FileError } from '../../commands/io/files.ts'
import { KEYWORDS, type FindMeaning, type Meaning } from '../builtins/names.ts'
import { variableText } from '../state/assign.ts'
import type { Shell } from '../state/shell.ts'

/** Folders that appear to contain the host's commands. A lookup on `PATH` finds no files in them. */
const BIN = new Set(['/bin', '/usr/bin', '/usr/local/bin', '/sbin', '/usr/sbin'])
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

/** Whether the host has a command or program of this name. */
function isCommand(shell: Shell, name: string): boolean {
  return (
    Object.hasOwn(shell.host.commands, name) ||
    shell.host.hasProgram(name) ||
    name === 'bash' ||
    name === 'sh' ||
    FILE_BUILTINS.has(name)
  )
}

/** Built-in commands that also exist as files, so that `env` and `xargs` can start them. */
export const FILE_BUILTINS: ReadonlySet<string> = new Set('[ echo false kill printf pwd test true'.split(' '))

/** The name of a command from its path in one of the command folders; null for other paths. */
export function commandOfPath(shell: Shell, path: string): string | null {
  const [, folder = '', name = ''] = /^(.*)\/([^/]+)$/s.exec(path) ?? []
  return BIN.has(folder) && isCommand(shell, name) ? name : null
}

/** The path of a file on `PATH`; null if there is none. With `runs`, it must be executable. */
export async function findFile(shell: Shell, name: string, runs: boolean): Promise<string | null> {
  const path = variableText(shell, 'PATH') ?? DEFAULT_PATH
  for (const folder of path.split(':')) {
    if (BIN.has(folder)) {
      if (runs && isCommand(shell, name))
        return `${folder === '/usr/local/bin' || folder.endsWith('sbin') ? '/usr/bin' : folder}/${name}`
      continue
    }
    const candidate = `${folder === '' ? '.' : folder}/${name}`
    const status = await statusOf(shell, candidate)
    if (status?.kind === 'file' && (!runs || (status.mode & 0o111) !== 0)) return candidate
  }
  if (runs) return null
  return (await statusOf(shell, name))?.kind === 'file' ? name : null
}

async function statusOf(shell: Shell, path: string): Promise<{ kind: string; mode: number } | null> {
  try {
    return await shell.host.files(shell.cwd, shell.umask).stat(path)
  } catch (error) {
    if (error instanceof FileError) return null
    throw error
  }
}

export function meaningsOf(builtins: () => ReadonlySet<string>): FindMeaning {
  return async (shell, name) => {
    const meanings: Meaning[] = []
    if (KEYWORDS.has(name)) meanings.push({ kind: 'keyword', path: '' })
    if (shell.functions.has(name)) meanings.push({ kind: 'function', path: '' })
    if (builtins().has(name)) meanings.push({ kind: 'builtin', path: '' })
    if (name.includes('/')) {
      const status = await statusOf(shell, name)
      if (commandOfPath(shell, name) !== null || (status?.kind === 'file' && (status.mode & 0o111) !== 0))
        meanings.push({ kind: 'file', path: name })
      return meanings
    }
    const path = await findFile(shell, name, true)
    if (path !== null) meanings.push({ kind: 'file', path })
    return meanings
  }
}
