// `cut`: prints selected bytes or fields of each line.

import { type Command, usage } from '../command.ts'
import { inputsOf } from '../io/inputs.ts'
import { byteLinesOf, bytesOfLatin1, latin1OfText } from '../io/latin1.ts'
import { parseOptions } from '../options.ts'

const OPTIONS = [
  { flags: '-b --bytes', value: 'required' },
  { flags: '-c --characters', value: 'required' },
  { flags: '-d --delimiter', value: 'required' },
  { flags: '-f --fields', value: 'required' },
  { flags: '-n' },
  { flags: '--complement' },
  { flags: '-s --only-delimited' },
  { flags: '--output-delimiter', value: 'required' },
  { flags: '-z --zero-terminated' },
] as const

/** A range that starts at 1 and includes both ends. */
type Range = readonly [number, number]

export const cut: Command = {
  async run(io) {
    const given = parseOptions('cut', io.args, OPTIONS)
    const lists = ['-b', '-c', '-f'].filter((flag) => given.has(flag))
    const [list] = lists
    if (list === undefined) throw usage('cut', 'you must specify a list of bytes, characters, or fields')
    if (lists.length > 1 || given.values(list).length > 1)
      throw usage('cut', 'only one list may be specified')
    const fields = list === '-f'
    if (!fields && given.has('-d'))
      throw usage('cut', 'an input delimiter may be specified only when operating on fields')
    if (!fields && given.has('-s'))
      throw usage('cut', 'suppressing non-delimited lines makes sense\n\tonly when operating on fields')
    const delimiter = latin1OfText(given.value('-d') ?? '\t') || '\0'
    if (delimiter.length > 1) throw usage('cut', 'the delimiter must be a single character')
    const ranges = rangesOf(given.value(list) ?? '', fields, given.has('--complement'))
    const outputGiven = given.value('--output-delimiter')
    const between = outputGiven === undefined ? (fields ? delimiter : '') : latin1OfText(outputGiven) || '\0'
    const end = given.has('-z') ? '\0' : '\n'
    const select = fields
      ? (line: string): string | null => fieldsOf(line, ranges, delimiter, between, given.has('-s'))
      : (line: string): string | null =>
          ranges
            .filter(([from]) => from <= line.length)
            .map(([from, to]) => line.slice(from - 1, to))
            .join(between)
    let exitCode = 0
    for await (const { reader } of inputsOf(io, given.operands, () => (exitCode = 1)))
      for await (const batch of byteLinesOf(reader, end)) {
        let text = ''
        for (const line of batch.lines) {
          const selected = select(line)
          if (selected !== null) text += selected + end
        }
        await io.stdout.write(bytesOfLatin1(text))
      }
    return exitCode
  },
}

/** The selected fields; null if the line is not printed. */
function fieldsOf(
  line: string,
  ranges: readonly Range[],
  delimiter: string,
  between: string,
  onlyDelimited: boolean,
): string | null {
  if (!line.includes(delimiter)) return onlyDelimited ? null : line
  const all = line.split(delimiter)
  const selected: string[] = []
  for (const [from, to] of ranges)
    for (let at = from; at <= to && at <= all.length; at++) selected.push(all[at - 1] ?? '')
  return selected.join(between)
}

function rangesOf(list: string, fields: boolean, complement: boolean): readonly Range[] {
  const what = fields ? 'field' : 'byte/character position'
  const ranges = list.split(/[, \t]/).map((part): Range => {
    const [, from, dash, to] = /^(\d*)(-?)(\d*)$/.exec(part) ?? []
    if (dash === undefined || (from === '' && to === ''))
      throw usage(
        'cut',
        part === '-' ? `invalid range with no endpoint: ${part}` : `invalid ${what} value ‘${part}’`,
      )
    const first = from === '' ? 1 : Number(from)
    const last = dash === '' ? first : to === '' ? Infinity : Number(to)
    if (first === 0 || last === 0)
      throw usage(
        'cut',
        fields ? 'fields are numbered from 1' : 'byte/character positions are numbered from 1',
      )
    if (last < first) throw usage('cut', 'invalid decreasing range')
    return [first, last]
  })
  const merged: [number, number][] = []
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1)
    // Adjacent ranges stay separate, because an output delimiter goes between them.
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  if (!complement) return merged
  const rest: Range[] = []
  let next = 1
  for (const [from, to] of merged) {
    if (from > next) rest.push([next, from - 1])
    next = Math.max(next, to + 1)
  }
  return next === Infinity ? rest : [...rest, [next, Infinity]]
}
