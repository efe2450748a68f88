// `compgen`: lists names that begin with a word.

import { Unsupported } from '../../commands/command.ts'
import { variableText } from '../state/assign.ts'
import { CommandError } from '../state/flow.ts'
import type { Shell } from '../state/shell.ts'
import { IndexedList } from '../state/indexed-list.ts'
import { byCodePoints } from '../state/variables.ts'
import { parseLetters, print, type Builtin } from './builtin.ts'
import { KEYWORDS } from './names.ts'

const INSTEAD = 'declare -F, ls, or command -v'
const LETTERS: Readonly<Record<string, string>> = {
  a: 'alias',
  b: 'builtin',
  c: 'command',
  e: 'export',
  k: 'keyword',
  v: 'variable',
}
/** The actions, in the order in which bash lists their names. */
const ACTIONS = [
  'alias',
  'arrayvar',
  'builtin',
  'export',
  'function',
  'keyword',
  'variable',
  'command',
] as const
const OTHER_ACTIONS = new Set(
  'binding directory disabled enabled file group helptopic hostname job running service setopt shopt signal stopped user'.split(
    ' ',
  ),
)

/** `builtins` returns the names of all built-in commands. */
export function compgenBuiltin(builtins: () => ReadonlySet<string>): Builtin {
  return async (call) => {
    const { shell, args } = call
    const { letters, values, operands } = parseLetters(args, 'abcdefgjksuvo:A:G:W:F:C:X:P:S:')
    const action = values['A']
    if (action !== undefined && OTHER_ACTIONS.has(action))
      throw new Unsupported(`compgen -A ${action}`, INSTEAD)
    if (action !== undefined && !ACTIONS.some((known) => known === action))
      throw new CommandError(`${action}: invalid action name`, 2)
    const other = [...letters].find((letter) => !Object.hasOwn(LETTERS, letter) && !/[AWPS]/.test(letter))
    if (other !== undefined || args.filter((arg) => arg.startsWith('-A')).length > 1)
      throw new Unsupported(`compgen -${other ?? 'A'}`, INSTEAD)
    const wanted = new Set([...letters].map((letter) => LETTERS[letter] ?? (letter === 'A' ? action : '')))
    const names = ACTIONS.filter((kind) => wanted.has(kind)).flatMap((kind) =>
      namesOf(shell, kind, builtins()),
    )
    const [prefix = ''] = operands
    const found = [...names, ...wordsOf(shell, values['W'])].filter((name) => name.startsWith(prefix))
    const lines = found.map((name) => `${values['P'] ?? ''}${name}${values['S'] ?? ''}\n`)
    await print(call, lines.join(''))
    return found.length > 0 || (letters.size === 0 && operands.length === 0) ? 0 : 1
  }
}

function namesOf(
  shell: Shell,
  kind: (typeof ACTIONS)[number],
  builtins: ReadonlySet<string>,
): readonly string[] {
  const { variables, functions, aliases, host } = shell
  const sorted = (names: Iterable<string>): string[] => [...names].toSorted(byCodePoints)
  switch (kind) {
    case 'alias':
      return sorted(aliases.keys())
    case 'arrayvar':
      return variables.names().filter((name) => variables.find(name)?.value instanceof IndexedList)
    case 'builtin':
      return sorted(builtins)
    case 'export':
      return sorted(Object.keys(variables.exported()))
    case 'function':
      return sorted(functions.keys())
    case 'keyword':
      return [...KEYWORDS]
    case 'variable':
      return variables.names()
    case 'command': {
      const files = sorted(new Set([...Object.keys(host.commands), 'bash', 'sh', 'python3', 'node']))
      return [
        ...sorted(aliases.keys()),
        ...KEYWORDS,
        ...sorted(functions.keys()),
        ...sorted(builtins),
        ...files.filter(
          (name) => Object.hasOwn(host.commands, name) || name.endsWith('sh') || host.hasProgram(name),
        ),
      ]
    }
  }
}

/** Splits the words of `-W`. */
function wordsOf(shell: Shell, list: string | undefined): readonly string[] {
  if (list === undefined) return []
  const separators = variableText(shell, 'IFS') ?? ' \t\n'
  if (/[$`"'\\]/.test(list)) throw new Unsupported('compgen -W with quotes or expansions', 'a loop with for')
  return list
    .split(new RegExp(`[${separators.replace(/[\\\]^-]/g, String.raw`\$&`)}]`))
    .filter((word) => word !== '')
}
