// `uniq`: merges, counts or selects adjacent equal lines.

import { Failed, Unsupported, type Command, type CommandIo, usage } from '../command.ts'
import { FileError } from '../io/files.ts'
import { inputsOf } from '../io/inputs.ts'
import { byteLinesOf, bytesOfLatin1 } from '../io/latin1.ts'
import type { ByteWriter } from '../io/writer.ts'
import { parseCount } from '../numbers.ts'
import { parseOptions, type Parsed } from '../options.ts'

const OPTIONS = [
  { flags: '-c --count' },
  { flags: '-d --repeated' },
  { flags: '-D' },
  { flags: '--all-repeated', value: 'optional' },
  { flags: '--group', value: 'optional' },
  { flags: '-f --skip-fields', value: 'required' },
  { flags: '-i --ignore-case' },
  { flags: '-s --skip-chars', value: 'required' },
  { flags: '-u --unique' },
  { flags: '-w --check-chars', value: 'required' },
  { flags: '-z --zero-terminated' },
] as const

export const uniq: Command = {
  async run(io) {
    const given = parseOptions('uniq', io.args, OPTIONS)
    const [input = '-', output, extra] = given.operands
    if (extra !== undefined) throw usage('uniq', `extra operand ‘${extra}’`)
    const writer = output === undefined || output === '-' ? io.stdout : await created(io, input, output)
    const end = given.has('-z') ? '\0' : '\n'
    const keyOf = keyFunction(given)
    const method = given.has('-D')
      ? 'none'
      : given.value('--all-repeated') || (given.has('--all-repeated') ? 'none' : null)
    if (given.has('--group')) return grouped(io, given, input, writer, end)
    if (method !== null && !['none', 'prepend', 'separate'].includes(method))
      throw new Failed(`invalid argument ‘${method}’ for ‘--all-repeated’`)
    if (method !== null && (given.has('-u') || given.has('-d') || given.has('-c')))
      throw new Unsupported('uniq -D with -c, -d or -u', 'one of them, or awk')
    let text = ''
    let groups = 0
    let lines: string[] = []
    let count = 0
    let key = ''
    const finish = (): void => {
      const [first] = lines
      if (first === undefined) return
      if (method !== null) {
        if (count < 2) return
        if (method === 'prepend' || (method === 'separate' && groups > 0)) text += end
        groups++
        text += lines.map((line) => line + end).join('')
      } else if (!(given.has('-d') && count < 2) && !(given.has('-u') && count > 1))
        text += (given.has('-c') ? `${String(count).padStart(7)} ` : '') + first + end
    }
    const take = (line: string): void => {
      const next = keyOf(line)
      if (count > 0 && next === key) {
        count++
        if (method !== null) lines.push(line)
        return
      }
      finish()
      lines = [line]
      count = 1
      key = next
    }
    let exitCode = 0
    for await (const { reader } of inputsOf(io, [input], () => (exitCode = 1)))
      for await (const batch of byteLinesOf(reader, end)) {
        batch.lines.forEach(take)
        await writer.write(bytesOfLatin1(text))
        text = ''
      }
    finish()
    await writer.write(bytesOfLatin1(text))
    await writer.flush()
    return exitCode
  },
}

/** If the input does not exist, the output file is not created. */
async function created({ files }: CommandIo, input: string, output: string): Promise<ByteWriter> {
  let name = input
  try {
    if (input !== '-') (await files.open(input)).close()
    name = output
    return await files.create(output)
  } catch (error) {
    if (error instanceof FileError) throw new Failed(`${name}: ${error.message}`)
    throw error
  }
}

const GROUPS = ['separate', 'prepend', 'append', 'both']

/** For `--group`: prints all lines, with an empty line between, before or after groups. */
async function grouped(
  io: CommandIo,
  given: Parsed,
  input: string,
  writer: ByteWriter,
  end: string,
): Promise<number> {
  const wanted = given.value('--group') ?? ''
  const method = wanted === '' ? 'separate' : GROUPS.find((name) => name.startsWith(wanted))
  const help = "\nTry 'uniq --help' for more information."
  if (method === undefined) throw new Failed(`invalid argument ‘${wanted}’ for ‘--group’`)
  if (given.options.some(({ flag }) => ['-c', '-d', '-D', '-u', '--all-repeated'].includes(flag)))
    throw new Failed(`--group is mutually exclusive with -c/-d/-D/-u${help}`)
  const before = method === 'prepend' || method === 'both'
  const keyOf = keyFunction(given)
  let key: string | null = null
  let exitCode = 0
  for await (const { reader } of inputsOf(io, [input], () => (exitCode = 1)))
    for await (const { lines } of byteLinesOf(reader, end)) {
      let text = ''
      for (const line of lines) {
        const next = keyOf(line)
        if (next !== key && (before || key !== null)) text += end
        key = next
        text += line + end
      }
      await writer.write(bytesOfLatin1(text))
    }
  if (key !== null && (method === 'append' || method === 'both')) await writer.write(end)
  await writer.flush()
  return exitCode
}

function keyFunction(given: Parsed): (line: string) => string {
  const fields = parseCount(given.value('-f') ?? '0', 'invalid number of fields to skip')
  const chars = parseCount(given.value('-s') ?? '0', 'invalid number of bytes to skip')
  const limit = given.has('-w')
    ? parseCount(given.value('-w') ?? '', 'invalid number of bytes to compare')
    : Infinity
  const fold = given.has('-i')
  if (fields === 0 && chars === 0 && limit === Infinity && !fold) return (line) => line
  return (line) => {
    let from = 0
    for (let index = 0; index < fields; index++) {
      while (line[from] === ' ' || line[from] === '\t') from++
      while (from < line.length && line[from] !== ' ' && line[from] !== '\t') from++
    }
    const key = line.slice(from + chars, limit === Infinity ? undefined : from + chars + limit)
    return fold ? key.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : key
  }
}
