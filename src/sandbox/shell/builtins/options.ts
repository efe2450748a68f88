// `getopts`: parses options of a script.

import { assign, variableText } from '../state/assign.ts'
import { writeText } from '../state/descriptors.ts'
import { CommandError } from '../state/flow.ts'
import type { Builtin } from './builtin.ts'

export const getopts: Builtin = async (call) => {
  const { shell, args } = call
  const [spec, name, ...given] = args
  if (spec === undefined || name === undefined)
    throw new CommandError('usage: getopts optstring name [arg ...]', 2)
  const words = given.length > 0 ? given : shell.positional
  const index = Number(variableText(shell, 'OPTIND') ?? 1) || 1
  if (index !== shell.optionIndex) shell.optionPosition = 1
  const quiet = spec.startsWith(':')
  const finish = (option: string, nextIndex: number, status: number): number => {
    shell.optionIndex = nextIndex
    assign(shell, 'OPTIND', String(nextIndex))
    assign(shell, name, option)
    return status
  }
  const word = words[index - 1]
  if (word === undefined || !/^-./s.test(word) || word === '--') {
    shell.variables.unset('OPTARG')
    shell.optionPosition = 1
    return finish('?', word === '--' ? index + 1 : index, 1)
  }
  const letter = word[shell.optionPosition] ?? ''
  const rest = word.slice(shell.optionPosition + 1)
  const next = (): number => {
    shell.optionPosition = rest === '' ? 1 : shell.optionPosition + 1
    return rest === '' ? index + 1 : index
  }
  const position = letter === ':' ? -1 : spec.indexOf(letter, quiet ? 1 : 0)
  const complain = async (message: string, option: string): Promise<void> => {
    if (quiet) assign(shell, 'OPTARG', letter)
    else {
      shell.variables.unset('OPTARG')
      if (variableText(shell, 'OPTERR') !== '0')
        await writeText(shell.descriptors, 2, `${shell.name}: ${message} -- ${option}\n`)
    }
  }
  if (position === -1) {
    await complain('illegal option', letter)
    return finish('?', next(), 0)
  }
  if (spec[position + 1] !== ':') {
    shell.variables.unset('OPTARG')
    return finish(letter, next(), 0)
  }
  shell.optionPosition = 1
  if (rest !== '') {
    assign(shell, 'OPTARG', rest)
    return finish(letter, index + 1, 0)
  }
  const value = words[index]
  if (value === undefined) {
    await complain('option requires an argument', letter)
    return finish(quiet ? ':' : '?', index + 1, 0)
  }
  assign(shell, 'OPTARG', value)
  return finish(letter, index + 2, 0)
}
