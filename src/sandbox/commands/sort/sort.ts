// `sort`: sorts lines by keys, comparing bytes.

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { inputsOf } from '../io/inputs.ts'
import { byteLinesOf, bytesOfLatin1, latin1OfText } from '../io/latin1.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { compareGeneral, compareKeys, prepareKey, type PreparedKey } from './compare.ts'
import { sortKeyOf, parseKey, type KeySpec, type Ordering } from './key.ts'
import { mergeSort } from './merge-sort.ts'

const RANDOM = 'shuf, or sort without -R'
const OPTIONS = [
  { flags: '-b --ignore-leading-blanks' },
  { flags: '-d --dictionary-order' },
  { flags: '-f --ignore-case' },
  { flags: '-g --general-numeric-sort' },
  { flags: '-i --ignore-nonprinting' },
  { flags: '-M --month-sort' },
  { flags: '-h --human-numeric-sort' },
  { flags: '-n --numeric-sort' },
  { flags: '-R --random-sort', refused: RANDOM },
  { flags: '-r --reverse' },
  { flags: '-V --version-sort' },
  { flags: '-c --check', value: 'optional' },
  { flags: '-C' },
  { flags: '-k --key', value: 'required' },
  { flags: '-m --merge' },
  { flags: '-o --output', value: 'required' },
  { flags: '-s --stable' },
  { flags: '-t --field-separator', value: 'required' },
  { flags: '-u --unique' },
  { flags: '-z --zero-terminated' },
  // These options change only the speed of the real sort, not its output.
  { flags: '-S --buffer-size', value: 'required' },
  { flags: '-T --temporary-directory', value: 'required' },
  { flags: '--parallel', value: 'required' },
] as const

interface Key {
  readonly spec: KeySpec | null
  readonly ordering: Ordering
}
interface Line {
  readonly text: string
  readonly keys: readonly PreparedKey[]
}

export const sort: Command = {
  async run(io) {
    const given = parseOptions('sort', separateCheck(io.args), OPTIONS, { usageExit: 2 })
    checkNumbers(given)
    const separator = separatorOf(given)
    const keys = keysOf(given)
    const compare = comparer(keys, given)
    const end = given.has('-z') ? '\0' : '\n'
    const lines: Line[] = []
    const read = (text: string): Line => ({ text, keys: keys.map((key) => preparedOf(text, key, separator)) })

    if (given.has('-c') || given.has('-C')) return check(io, given, read, compare, end)
    let [sorted, readable] = [true, true]
    const missing = (): void => void (readable = false)
    for await (const { reader } of inputsOf(io, given.operands, missing, unreadable)) {
      let previous: Line | undefined
      for await (const batch of byteLinesOf(reader, end))
        for (const text of batch.lines) {
          const line = read(text)
          if (previous && compare(previous, line) > 0) sorted = false
          previous = line
          lines.push(line)
        }
    }
    if (!readable) return 2
    if (given.has('-m') && !sorted)
      throw new Unsupported('sort -m of files that are not sorted', 'sort without -m')
    await write(io, given, await mergeSort(lines, compare), compare, end)
    return 0
  },
}

/** `-c` takes no value, `--check` may. */
function separateCheck(args: readonly string[]): readonly string[] {
  return args.map((arg) => {
    if (arg === '--check=quiet' || arg === '--check=silent') return '-C'
    return arg === '--check=diagnose-first' ? '--check' : arg
  })
}

function unreadable(name: string, reason: string): string {
  return `${reason === 'Is a directory' ? 'read failed' : 'cannot read'}: ${name}`
}

/** Validates numbers of options that have no effect here. */
function checkNumbers(given: Parsed): void {
  const [size = '1', count = '1'] = [given.value('-S'), given.value('--parallel')]
  if (!/^\d+[%bKMGTPEZYk]?$/.test(size)) throw new Failed(`invalid -S argument '${size}'`, 2)
  if (!/^0*[1-9]\d*$/.test(count)) throw new Failed(`invalid --parallel argument '${count}'`, 2)
}

function separatorOf(given: Parsed): string | null {
  const value = given.value('-t')
  if (value === undefined) return null
  if (value === String.raw`\0`) return '\0'
  const bytes = latin1OfText(value)
  if (bytes.length === 0) throw new Failed('empty tab', 2)
  if (bytes.length > 1) throw new Failed(`multi-character tab ‘${value}’`, 2)
  return bytes
}

function keysOf(given: Parsed): readonly Key[] {
  const letters = given.options.map(({ flag }) => flag.slice(1)).filter((flag) => /^[bdfghiMnrV]$/.test(flag))
  const blanks = given.has('-b')
  const specs = given.values('-k').map(parseKey)
  if (specs.length === 0) {
    const global = orderingOf(letters.join(''))
    const plain =
      !blanks && global.numeric === '' && !global.foldCase && !global.dictionary && !global.printable
    const entire = { ...parseKey('1'), skipStartBlanks: blanks }
    return plain ? [] : [{ spec: blanks ? entire : null, ordering: global }]
  }
  return specs.map((spec) => {
    if (spec.letters.includes('R')) throw new Unsupported('sort -k with R', RANDOM)
    // A key without its own letters uses those of the command.
    if (spec.letters !== '') return { spec, ordering: orderingOf(spec.letters) }
    return {
      spec: { ...spec, skipStartBlanks: blanks, skipEndBlanks: blanks },
      ordering: orderingOf(letters.join('')),
    }
  })
}

function orderingOf(letters: string): Ordering {
  const kinds = [...new Set(letters.replace(/[^nghMV]/g, ''))]
  if (kinds.length > 1) throw new Failed(`options '-${kinds.toSorted().join('')}' are incompatible`, 2)
  // The cast is safe: only these letters remain.
  const numeric = (kinds[0] ?? '') as Ordering['numeric']
  return {
    numeric,
    reverse: letters.includes('r'),
    foldCase: letters.includes('f'),
    dictionary: letters.includes('d'),
    printable: letters.includes('i'),
  }
}

function preparedOf(text: string, { spec, ordering }: Key, separator: string | null): PreparedKey {
  return prepareKey(spec ? sortKeyOf(text, spec, separator) : text, ordering)
}

/** Compares keys in order, then whole lines, unless `-s` or `-u` was given. */
function comparer(keys: readonly Key[], given: Parsed): (one: Line, other: Line) => number {
  const lastResort = keys.length === 0 || !(given.has('-s') || given.has('-u'))
  const sign = given.has('-r') ? -1 : 1
  return (one, other) => {
    for (let index = 0; index < keys.length; index++) {
      const { ordering } = keys[index] as Key
      const [first, second] = [one.keys[index] as PreparedKey, other.keys[index] as PreparedKey]
      const order =
        ordering.numeric === 'g' ? compareGeneral(first, second) : compareKeys(first, second, ordering)
      if (order !== 0) return ordering.reverse ? -order : order
    }
    if (!lastResort || one.text === other.text) return 0
    return one.text < other.text ? -sign : sign
  }
}

async function check(
  io: CommandIo,
  given: Parsed,
  read: (text: string) => Line,
  compare: (one: Line, other: Line) => number,
  end: string,
): Promise<number> {
  if (given.operands.length > 1)
    throw new Failed(`extra operand '${given.operands[1]}' not allowed with -c`, 2)
  let previous: Line | undefined
  let [number, readable] = [0, true]
  const missing = (): void => void (readable = false)
  for await (const { name, reader } of inputsOf(io, given.operands, missing, unreadable))
    for await (const batch of byteLinesOf(reader, end))
      for (const text of batch.lines) {
        number++
        const line = read(text)
        const order = previous ? compare(previous, line) : -1
        const disordered = order > 0 || (order === 0 && given.has('-u'))
        if (disordered && given.has('-c')) await reportDisorder(io, name, number, text)
        if (disordered) return 1
        previous = line
      }
  return readable ? 0 : 2
}

async function reportDisorder(io: CommandIo, name: string, number: number, text: string): Promise<void> {
  await io.stderr.write(`sort: ${name}:${number}: disorder: `)
  await io.stderr.write(bytesOfLatin1(`${text}\n`))
}

async function write(
  io: CommandIo,
  given: Parsed,
  lines: readonly Line[],
  compare: (one: Line, other: Line) => number,
  end: string,
): Promise<void> {
  const path = given.value('-o')
  const writer = path === undefined ? io.stdout : await io.files.create(path)
  const unique = given.has('-u')
  let text = ''
  let previous: Line | undefined
  for (const line of lines) {
    if (unique && previous && compare(previous, line) === 0) continue
    previous = line
    text += line.text + end
    if (text.length < 65_536) continue
    await writer.write(bytesOfLatin1(text))
    text = ''
  }
  await writer.write(bytesOfLatin1(text))
  await writer.flush()
}
