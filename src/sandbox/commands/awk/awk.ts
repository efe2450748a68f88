// `awk`: runs a program of rules over records.

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { unknownLetter, unknownLong } from '../options.ts'
import { textFor } from '../io/locale.ts'
import { readAll } from '../io/reader.ts'
import { decode } from '../io/text.ts'
import { unescaped } from './escapes.ts'
import { assign } from './assign.ts'
import { Execution } from './execution.ts'
import { Machine } from './machine.ts'
import { parseProgram } from './parse.ts'
import { AwkArray, Input } from './values.ts'

const LONG: Readonly<Record<string, string>> = {
  '--field-separator': '-F',
  '--assign': '-v',
  '--file': '-f',
  '--source': '-e',
  '--include': '-i',
}
/** Options that are accepted without effect. */
const IGNORED = new Set(['-r', '--re-interval', '-O', '--optimize', '-s', '--no-optimize'])

interface Given {
  readonly assignments: readonly string[]
  readonly separator: string | null
  /** The program texts, or files that contain them. */
  readonly sources: readonly { readonly file: boolean; readonly text: string }[]
  readonly operands: readonly string[]
  /** `-i inplace`: the output for a file replaces its content. */
  readonly replaces: boolean
}

function givenBy(args: readonly string[]): Given {
  const assignments: string[] = []
  const sources: { file: boolean; text: string }[] = []
  let separator: string | null = null
  let replaces = false
  let at = 0
  for (; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--') {
      at++
      break
    }
    if (arg === '-' || !arg.startsWith('-')) break
    if (IGNORED.has(arg)) continue
    const mark = arg.startsWith('--') ? arg.indexOf('=') : -1
    const long = arg.startsWith('--') ? LONG[mark === -1 ? arg : arg.slice(0, mark)] : undefined
    const flag = long ?? arg.slice(0, 2)
    if (!['-F', '-v', '-f', '-e', '-i'].includes(flag))
      throw arg.startsWith('--') ? unknownLong('awk', Object.keys(LONG), arg) : unknownLetter('awk', flag)
    const glued = long === undefined ? arg.slice(2) : mark === -1 ? '' : arg.slice(mark + 1)
    const inOne = long === undefined ? glued !== '' : mark !== -1
    if (!inOne && ++at >= args.length) throw new Failed(`option requires an argument -- ${flag.slice(1)}`, 2)
    const value = inOne ? glued : (args[at] ?? '')
    if (flag === '-F') separator = value
    else if (flag === '-v') assignments.push(value)
    else if (flag === '-i') {
      if (value !== 'inplace') throw new Unsupported(`awk -i ${value}`, 'awk -f FILE -e PROGRAM')
      replaces = true
    } else sources.push({ file: flag === '-f', text: value })
  }
  if (sources.length === 0) {
    const program = args[at++]
    if (program === undefined)
      throw new Failed('usage: awk [-F fs] [-v var=value] [-f file | program] [file ...]', 2)
    sources.push({ file: false, text: program })
  }
  return { assignments, separator, sources, operands: args.slice(at), replaces }
}

export const awk: Command = {
  starts: true,
  async run(io) {
    const given = givenBy(io.args)
    const texts: string[] = []
    for (const { file, text } of given.sources) texts.push(file ? await programIn(io, text) : text)
    const program = parseProgram(textFor(io.env, texts.join('\n')))
    const machine = new Machine(io)
    prepare(machine, given)
    const execution = new Execution(machine, program, given.replaces)
    try {
      return await execution.run()
    } catch (error) {
      if (error instanceof RangeError)
        throw new Unsupported('awk with calls this deep or texts this long', 'a loop, or python3')
      throw error
    } finally {
      await machine.streams.end()
    }
  },
}

async function programIn(io: CommandIo, path: string): Promise<string> {
  const reader = path === '-' ? io.stdin : await io.files.open(path)
  return decode(await readAll(reader))
}

function prepare(machine: Machine, given: Given): void {
  const { io } = machine
  const list = machine.array('ARGV')
  ;[io.name, ...given.operands].forEach((arg, index) => list.map.set(String(index), new Input(arg)))
  machine.cell('ARGC').value = given.operands.length + 1
  const environment = machine.array('ENVIRON')
  for (const [name, value] of Object.entries(io.env)) environment.map.set(name, new Input(value))
  const info = machine.array('PROCINFO')
  info.map.set('version', '5.2.1')
  info.map.set('FS', 'FS')
  const argv = new AwkArray()
  ;[io.name, ...io.args].forEach((arg, index) => argv.map.set(String(index), new Input(arg)))
  info.map.set('argv', argv)
  if (given.separator !== null) machine.cell('FS').value = unescaped(textFor(io.env, given.separator))
  for (const assignment of given.assignments) assign(machine, textFor(io.env, assignment), '-v')
}
