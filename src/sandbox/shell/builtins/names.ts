// Commands that explain what a name means: `type`, `command -v`, `hash`.

import { Unsupported } from '../../commands/command.ts'
import { printFunction } from '../syntax/print.ts'
import type { Shell } from '../state/shell.ts'
import { parseLetters, print, report, type Builtin, type BuiltinCall } from './builtin.ts'

export const KEYWORDS: ReadonlySet<string> = new Set(
  'if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc'.split(
    ' ',
  ),
)

export interface Meaning {
  readonly kind: 'keyword' | 'function' | 'builtin' | 'file'
  /** The path, if the name is that of a file. */
  readonly path: string
}

/** Finds the meanings of a name. The executor provides this function. */
export type FindMeaning = (shell: Shell, name: string) => Promise<readonly Meaning[]>

export function typeBuiltin(find: FindMeaning): Builtin {
  return async (call) => {
    const { letters, operands } = parseLetters(call.args, 'afptP')
    let status = 0
    for (const name of operands) {
      let meanings = await find(call.shell, name)
      if (letters.has('f')) meanings = meanings.filter(({ kind }) => kind !== 'function')
      if (letters.has('P')) meanings = meanings.filter(({ kind }) => kind === 'file')
      const shown = letters.has('a') ? meanings : meanings.slice(0, 1)
      if (shown.length === 0) {
        status = 1
        if (!/[tpP]/.test([...letters].join(''))) await report(call, `${name}: not found`)
      }
      for (const meaning of shown) {
        if (letters.has('t')) await print(call, `${meaning.kind}\n`)
        else if (letters.has('p') || letters.has('P')) {
          if (meaning.kind === 'file') await print(call, `${meaning.path}\n`)
        } else await print(call, `${described(call.shell, name, meaning)}\n`)
      }
    }
    return status
  }
}

function described(shell: Shell, name: string, { kind, path }: Meaning): string {
  const body = kind === 'function' ? shell.functions.get(name)?.body : undefined
  if (body) return `${name} is a function\n${printFunction(name, body)}`
  if (kind === 'file') return `${name} is ${path}`
  return kind === 'keyword' ? `${name} is a shell keyword` : `${name} is a shell builtin`
}

/** Implements `command -v` and `command -V`. Resolves to null if neither option is given. */
export async function describeCommands(
  call: BuiltinCall,
  find: FindMeaning,
  letter: 'v' | 'V',
  names: readonly string[],
): Promise<number> {
  let status = 1
  for (const name of names) {
    const [meaning] = await find(call.shell, name)
    if (!meaning) {
      if (letter === 'V') await report(call, `${name}: not found`)
      continue
    }
    status = 0
    const text =
      letter === 'v' ? (meaning.kind === 'file' ? meaning.path : name) : described(call.shell, name, meaning)
    await print(call, `${text}\n`)
  }
  return status
}

export function hashBuiltin(find: FindMeaning): Builtin {
  return async (call) => {
    const { letters, operands } = parseLetters(call.args, 'dlp:rt')
    if (letters.has('r') || (letters.has('d') && operands.length > 0)) return 0
    if (operands.length === 0 || letters.size > 0)
      throw new Unsupported('the table of hash', 'type -P NAME, or command -v NAME')
    let status = 0
    for (const name of operands)
      if ((await find(call.shell, name)).length === 0) status = await report(call, `${name}: not found`)
    return status
  }
}
