// `read` and `mapfile`.

import { TIMER_MAX_MS } from '../../limits.ts'
import { Unsupported } from '../../commands/command.ts'
import { decode } from '../../commands/io/text.ts'
import { separatorsOf } from '../expand/words.ts'
import { assign, assignElement, listOf, resolved } from '../state/assign.ts'
import type { InputStream } from '../state/descriptors.ts'
import { CommandError } from '../state/flow.ts'
import { IndexedList } from '../state/indexed-list.ts'
import type { Shell } from '../state/shell.ts'
import { NAME, parseLetters, parseWhole, type Builtin, type BuiltinCall } from './builtin.ts'

const OPTIONS = 'ersa:d:i:n:N:p:t:u:'
/** The exit code when the timeout of `-t` is reached. */
const TIMED_OUT = 142

export const read: Builtin = async (call) => {
  const { values } = parseLetters(call.args, OPTIONS)
  const seconds = values['t']
  if (seconds === undefined) return readNames(call, null)
  if (!/^\d*\.?\d*$/.test(seconds) || !/\d/.test(seconds))
    throw new CommandError(`${seconds}: invalid timeout specification`)
  if (Number(seconds) === 0) throw new Unsupported('read -t 0', 'read without -t')
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(Number(seconds) * 1_000, TIMER_MAX_MS))
  })
  try {
    return await readNames(call, deadline)
  } finally {
    clearTimeout(timer)
  }
}

async function readNames({ shell, args }: BuiltinCall, deadline: Promise<void> | null): Promise<number> {
  const { letters, values, operands } = parseLetters(args, OPTIONS)
  const wrong = operands.find((name) => !/^[A-Za-z_]\w*(?:\[.+\])?$/s.test(name))
  if (wrong !== undefined) throw new CommandError(`\`${wrong}': not a valid identifier`)
  const input = inputOf(shell, values['u'])
  const limit = parseWhole(values['n'] ?? values['N'] ?? '0')
  if (limit === null) throw new CommandError(`${values['n'] ?? values['N'] ?? ''}: invalid number`)
  const raw = letters.has('r')
  const delimiter =
    values['N'] !== undefined ? -1 : values['d'] === undefined ? 10 : values['d'].charCodeAt(0) || 0
  const characters = values['n'] !== undefined || values['N'] !== undefined ? limit : null
  const { text, quoted, ended, late } = await readText(input, { raw, delimiter, characters, deadline })
  const status = late ? TIMED_OUT : ended ? 1 : 0
  const array = values['a']
  if (array !== undefined) {
    const list = splitFields(text, quoted, separatorsOf(shell), Infinity)
    const variable = shell.variables.obtain(resolved(shell, array))
    variable.value = new IndexedList()
    for (const [index, field] of list.entries()) assignElement(shell, array, String(index), field)
    return status
  }
  if (operands.length === 0) assign(shell, 'REPLY', text)
  else if (values['N'] !== undefined) {
    for (const [index, name] of operands.entries()) put(shell, name, index === 0 ? text : '')
  } else {
    const fields = splitFields(text, quoted, separatorsOf(shell), operands.length)
    for (const [index, name] of operands.entries()) put(shell, name, fields[index] ?? '')
  }
  return status
}

function put(shell: Shell, name: string, text: string): void {
  const [, base = '', subscript] = /^(\w+)(?:\[(.*)\])?$/s.exec(name) ?? []
  if (subscript === undefined) assign(shell, base, text)
  else assignElement(shell, base, subscript, text)
}

function inputOf(shell: Shell, descriptor: string | undefined): InputStream {
  const fd = Number(descriptor ?? 0)
  const input = shell.descriptors.get(fd)?.input
  if (!input)
    throw new CommandError(
      `${descriptor === undefined ? 'read error: 0' : `${fd}: invalid file descriptor`}: Bad file descriptor`,
    )
  return input
}

interface ReadRules {
  readonly raw: boolean
  /** The byte that ends the input; -1 for none. */
  readonly delimiter: number
  /** Maximum number of characters; null for no limit. */
  readonly characters: number | null
  /** When it resolves, the text read so far is the result. */
  readonly deadline: Promise<void> | null
}

/** Reads text. `quoted` contains the positions in `text` of characters that a backslash protects from splitting. */
async function readText(
  input: InputStream,
  rules: ReadRules,
): Promise<{ text: string; quoted: ReadonlySet<number>; ended: boolean; late?: true }> {
  const { deadline } = rules
  const quoted = new Set<number>()
  let text = ''
  let count = 0
  if (rules.characters !== null) {
    let ended = false
    while (count < rules.characters) {
      const char = await nextCharacter(input, deadline)
      if (char === LATE) return { text, quoted, ended: true, late: true }
      if (char === null) {
        ended = true
        break
      }
      if (char.length === 1 && char.charCodeAt(0) === rules.delimiter) break
      if (char === '\\' && !rules.raw) {
        const next = await nextCharacter(input, deadline)
        if (next === null || next === LATE) break
        if (next === '\n') continue
        quoted.add(text.length)
        text += next
      } else text += char
      count++
    }
    return { text, quoted, ended }
  }
  for (;;) {
    const { bytes, ended, late } = await input.readUntil(rules.delimiter, Infinity, deadline)
    const result = { quoted, ended, ...(late && { late }) }
    const line = decode(
      bytes.includes(0) && rules.delimiter !== 0 ? bytes.filter((byte) => byte !== 0) : bytes,
    )
    if (rules.raw) return { ...result, text: line }
    let continues = false
    for (let index = 0; index < line.length; index++) {
      if (line[index] !== '\\') {
        text += line[index] ?? ''
        continue
      }
      index++
      if (index >= line.length) {
        continues = !ended
        break
      }
      if (line[index] === '\n') continue
      quoted.add(text.length)
      text += line[index] ?? ''
    }
    if (!continues) return { ...result, text }
    // A backslash before the delimiter: a line feed is removed together with it, another character stays.
    if (rules.delimiter !== 10) {
      quoted.add(text.length)
      text += String.fromCharCode(rules.delimiter)
    }
  }
}

const LATE = Symbol('the deadline came')

async function nextCharacter(
  input: InputStream,
  deadline: Promise<void> | null,
): Promise<string | typeof LATE | null> {
  const { bytes, ended, late } = await input.readUntil(-1, 1, deadline)
  if (late) return LATE
  const [first] = bytes
  if (first === undefined) return ended ? null : ''
  const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0
  if (more === 0) return decode(bytes)
  const { bytes: rest } = await input.readUntil(-1, more)
  return decode(Uint8Array.from([...bytes, ...rest]))
}

/** Splits into fields. The last field takes the rest, without white space at its end. */
function splitFields(text: string, quoted: ReadonlySet<number>, separators: string, count: number): string[] {
  const separates = (index: number): boolean => separators.includes(text[index] ?? '') && !quoted.has(index)
  const blank = (index: number): boolean =>
    index < text.length && separates(index) && /[ \t\n]/.test(text[index] ?? '')
  const fields: string[] = []
  let position = 0
  while (blank(position)) position++
  while (position < text.length) {
    if (fields.length === count - 1) {
      fields.push(lastField(text, position, separates, blank))
      return fields
    }
    let end = position
    while (end < text.length && !separates(end)) end++
    fields.push(text.slice(position, end))
    while (blank(end)) end++
    if (end < text.length && separates(end)) {
      end++
      while (blank(end)) end++
    }
    position = end
  }
  return fields
}

function lastField(
  text: string,
  position: number,
  separates: (index: number) => boolean,
  blank: (index: number) => boolean,
): string {
  let end = text.length
  while (end > position && blank(end - 1)) end--
  const rest = text.slice(position, end)
  // If the rest is a single field and its separator, the separator is removed.
  let field = position
  while (field < end && !separates(field)) field++
  if (field === end - 1 && separates(field) && !blank(field)) return text.slice(position, field)
  return rest
}

export const mapfile: Builtin = async ({ shell, args }) => {
  const { letters, values, operands } = parseLetters(args, 'td:n:O:s:u:C:c:')
  if (values['C'] !== undefined) throw new Unsupported('mapfile -C', 'a loop with read')
  const name = operands[0] ?? 'MAPFILE'
  if (!NAME.test(name)) throw new CommandError(`\`${name}': not a valid identifier`)
  const input = inputOf(shell, values['u'])
  const delimiter = values['d'] === undefined ? 10 : values['d'] === '' ? 0 : values['d'].charCodeAt(0)
  const most = Number(values['n'] ?? 0) || Infinity
  const skipped = Number(values['s'] ?? 0)
  const origin = Number(values['O'] ?? 0)
  const variable = shell.variables.obtain(resolved(shell, name))
  if (variable.readonly) throw new CommandError(`${name}: readonly variable`)
  if (values['O'] === undefined) variable.value = new IndexedList()
  const list = listOf(variable)
  let count = 0
  for (let index = 0; count < most; index++) {
    const { bytes, ended } = await input.readUntil(delimiter)
    if (ended && bytes.length === 0) break
    if (index >= skipped) {
      const line = decode(bytes) + (letters.has('t') || ended ? '' : String.fromCharCode(delimiter))
      shell.session.characters += line.length + 16
      shell.host.heldInVariables(shell.session.characters)
      list.set(origin + count++, line)
    }
    if (ended) break
  }
  return 0
}
