// `csplit`: splits a file at lines that match patterns.

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { numberBody, padded, type Conversion } from '../awk/conversions.ts'
import { FileError } from '../io/files.ts'
import { latin1Of, bytesOfLatin1 } from '../io/latin1.ts'
import { decode } from '../io/text.ts'
import { readAll } from '../io/reader.ts'
import { fieldWidth } from '../number-size.ts'
import { parseOptions } from '../options.ts'
import { UnsupportedPattern } from '../pattern/brackets.ts'
import { parsePattern } from '../pattern/parse.ts'
import { Pattern } from '../pattern/pattern.ts'
import { PatternError } from '../pattern/tree.ts'

const OPTIONS = [
  { flags: '-b --suffix-format', value: 'required' },
  { flags: '-f --prefix', value: 'required' },
  { flags: '-k --keep-files' },
  { flags: '--suppress-matched' },
  { flags: '-n --digits', value: 'required' },
  { flags: '-s --quiet --silent -q' },
  { flags: '-z --elide-empty-files' },
] as const

interface Step {
  readonly text: string
  /** The pattern; null for a line number. */
  readonly pattern: Pattern | null
  /** With `%`, the part before the line is not written. */
  readonly skips: boolean
  readonly offset: number
  readonly line: number
  /** Number of repetitions; Infinity for `{*}`. */
  readonly times: number
}

export const csplit: Command = {
  async run(io) {
    const given = parseOptions('csplit', io.args, OPTIONS)
    const [name, ...words] = given.operands
    if (name === undefined || words.length === 0)
      throw new Failed(name === undefined ? 'missing operand' : `missing operand after ‘${name}’`)
    const steps = stepsOf(words)
    const lines = await linesOf(io, name)
    if (lines.length === 0) throw new Unsupported('csplit of an empty file', 'a test of its size before it')
    const format = formatOf(given.value('-b'), given.value('-n') ?? '2')
    const prefix = given.value('-f') ?? 'xx'
    const written: string[] = []
    let from = 0
    const write = async (to: number): Promise<void> => {
      const bytes = bytesOfLatin1(lines.slice(from, to).join(''))
      from = to
      if (bytes.length === 0 && given.has('-z')) return
      const file = prefix + format(written.length)
      await io.files.write(file, bytes)
      written.push(file)
      if (!given.has('-s')) await io.stdout.write(`${bytes.length}\n`)
    }
    let isReported = false
    try {
      let searched = 0
      const fail = async (step: Step, message: string): Promise<never> => {
        const failure = `‘${step.text}’: ${message}`
        // The error message comes before the sizes.
        await io.stderr.write(`csplit: ${failure}\n`)
        isReported = true
        if (!step.skips) await write(lines.length)
        throw new Failed(failure)
      }
      /** Writes one part. Returns false if a pattern was not found. */
      const cut = async (step: Step, time: number): Promise<boolean> => {
        const to = findCut(step, lines, searched, from, time)
        if (!to) {
          if (step.times === Infinity && step.pattern) return false
          const what = step.pattern ? 'match not found' : 'line number out of range'
          return fail(step, time > 0 ? `${what} on repetition ${time}` : what)
        }
        if (to.end > lines.length || to.end < from) return fail(step, 'line number out of range')
        if (step.skips) from = to.end
        else await write(to.end)
        if (given.has('--suppress-matched')) from = Math.max(from, to.end + 1)
        searched = step.pattern ? Math.max(to.found + 1, from) : from
        return true
      }
      for (const step of steps)
        for (let time = 0; time <= step.times; time++) if (!(await cut(step, time))) break
      await write(lines.length)
    } catch (error) {
      if (!given.has('-k') && error instanceof Failed) for (const file of written) await io.files.remove(file)
      if (isReported && error instanceof Failed) return error.exitCode
      throw error
    }
    return 0
  },
}

/** The end of a part, and the line that was found; null if there is none. */
function findCut(
  step: Step,
  lines: readonly string[],
  searched: number,
  from: number,
  time: number,
): { end: number; found: number } | null {
  if (!step.pattern) {
    const end = step.line * (time + 1) - 1
    if (end < from) throw new Failed(`‘${step.text}’: line number out of range`)
    return end > lines.length - 1 ? null : { end, found: end }
  }
  for (let at = searched; at < lines.length; at++) {
    const line = decode(bytesOfLatin1((lines[at] ?? '').replace(/\n$/, '')))
    if (step.pattern.test(line)) return { end: at + step.offset, found: at }
  }
  return null
}

async function linesOf(io: CommandIo, name: string): Promise<readonly string[]> {
  try {
    const text = latin1Of(name === '-' ? await readAll(io.stdin) : await io.files.read(name))
    return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  } catch (error) {
    if (error instanceof FileError) throw new Failed(`cannot open '${name}' for reading: ${error.message}`)
    throw error
  }
}

function stepsOf(words: readonly string[]): readonly Step[] {
  const steps: Step[] = []
  for (const word of words) {
    const repeat = /^\{(\d+|\*)\}$/.exec(word)
    const last = steps.at(-1)
    if (repeat && last) {
      steps[steps.length - 1] = { ...last, times: repeat[1] === '*' ? Infinity : Number(repeat[1]) }
      continue
    }
    if (/^\d+$/.test(word)) {
      if (word === '0' || Number(word) === 0)
        throw new Failed(`${word}: line number must be greater than zero`)
      steps.push({ text: word, pattern: null, skips: false, offset: 0, line: Number(word), times: 0 })
      continue
    }
    const [mark = ''] = word
    const end = word.lastIndexOf(mark)
    if ((mark !== '/' && mark !== '%') || end === 0) throw new Failed(`${word}: invalid pattern`)
    const offset = word.slice(end + 1)
    if (!/^(?:[+-]?\d+)?$/.test(offset)) throw new Failed(`${word}: integer expected after delimiter`)
    steps.push({
      text: word,
      pattern: compiled(word.slice(1, end)),
      skips: mark === '%',
      offset: Number(offset),
      line: 0,
      times: 0,
    })
  }
  const numbers = steps.filter(({ pattern }) => !pattern)
  numbers.forEach((step, at) => {
    const before = numbers[at - 1]?.line ?? 0
    if (step.line < before)
      throw new Failed(`line number ‘${step.line}’ is smaller than preceding line number, ${before}`)
  })
  return steps
}

function compiled(text: string): Pattern {
  try {
    const { tree, groups } = parsePattern(text, { extended: false, ignoreCase: false })
    return new Pattern(tree, { groups, ignoreCase: false })
  } catch (error) {
    if (error instanceof PatternError)
      throw new Failed(`/${text}/: invalid regular expression: ${error.message}`)
    if (error instanceof UnsupportedPattern) throw new Unsupported(`csplit: ${error.message}`, 'awk')
    throw error
  }
}

function formatOf(format: string | undefined, digits: string): (number: number) => string {
  if (format === undefined) {
    if (!/^\d+$/.test(digits)) throw new Failed(`invalid number: ‘${digits}’`)
    return (number) => String(number).padStart(fieldWidth(Number(digits)), '0')
  }
  const found = /^((?:[^%]|%%)*)%([-+ #0]*)(\d*)(?:\.(\d+))?([diouxX])((?:[^%]|%%)*)$/.exec(format)
  if (!found) throw new Unsupported(`csplit -b ${format}`, 'a format like %02d.txt')
  const [, before = '', flags = '', width = '', precision, letter = '', after = ''] = found
  const conversion: Conversion = {
    left: flags.includes('-'),
    plus: flags.includes('+'),
    space: flags.includes(' '),
    alternate: flags.includes('#'),
    zero: flags.includes('0'),
    width: null,
    precision: null,
    letter,
  }
  const minDigits = precision === undefined ? null : Number(precision)
  return (number) =>
    before.replaceAll('%%', '%') +
    padded(numberBody(conversion, minDigits, number), conversion, Number(width), minDigits !== null) +
    after.replaceAll('%%', '%')
}
