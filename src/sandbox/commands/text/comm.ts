// `comm`: compares two sorted files line by line.

import { Failed, type Command, usage } from '../command.ts'
import { FileError } from '../io/files.ts'
import { bytesOfLatin1, latin1OfText } from '../io/latin1.ts'
import { LineCursor } from '../io/line-cursor.ts'
import { parseOptions } from '../options.ts'

const OPTIONS = [
  { flags: '-1' },
  { flags: '-2' },
  { flags: '-3' },
  { flags: '--check-order' },
  { flags: '--nocheck-order' },
  { flags: '--output-delimiter', value: 'required' },
  { flags: '--total' },
  { flags: '-z --zero-terminated' },
] as const

export const comm: Command = {
  async run(io) {
    const given = parseOptions('comm', io.args, OPTIONS)
    if (given.operands.length < 2)
      throw usage(
        'comm',
        given.operands.length === 0
          ? 'missing operand'
          : `missing operand after ‘${given.operands[0] ?? ''}’`,
      )
    if (given.operands.length > 2) throw usage('comm', `extra operand ‘${given.operands[2] ?? ''}’`)
    const delimiters = new Set(given.values('--output-delimiter'))
    if (delimiters.size > 1) throw new Failed('multiple output delimiters specified')
    const delimiterGiven = given.value('--output-delimiter')
    const delimiter = delimiterGiven === undefined ? '\t' : latin1OfText(delimiterGiven) || '\0'
    const end = given.has('-z') ? '\0' : '\n'
    const shown = (['-1', '-2', '-3'] as const).map((flag) => !given.has(flag))
    const before = ['', shown[0] ? delimiter : '', (shown[0] ? delimiter : '') + (shown[1] ? delimiter : '')]
    const checks = given.last('--check-order', '--nocheck-order')
    const totals = [0, 0, 0]
    const unordered = [false, false]
    let isUnpaired = false
    let text = ''

    const cursors: LineCursor[] = []
    for (const name of given.operands)
      try {
        cursors.push(new LineCursor(name === '-' ? io.stdin : await io.files.open(name), end))
      } catch (error) {
        if (error instanceof FileError) throw new Failed(`${name}: ${error.message}`)
        throw error
      }

    const check = async (one: string | null, other: string | null, file: number): Promise<void> => {
      if (one === null || other === null || unordered[file] === true) return
      if (checks === '--nocheck-order' || (checks === undefined && !isUnpaired) || one <= other) return
      unordered[file] = true
      const message = `file ${file + 1} is not in sorted order`
      if (checks === '--check-order') {
        await io.stdout.write(bytesOfLatin1(text))
        throw new Failed(message)
      }
      await io.stdout.write(bytesOfLatin1(text))
      text = ''
      await io.stdout.flush()
      await io.stderr.write(`comm: ${message}\n`)
    }

    // For each file: the current line, and the two lines before it.
    const lines: [string | null, string | null, string | null][] = [
      [null, null, null],
      [null, null, null],
    ]
    const advance = async (file: number): Promise<void> => {
      const own = lines[file]
      if (!own) return
      const line = (await cursors[file]?.next()) ?? null
      own[2] = own[1]
      own[1] = own[0]
      own[0] = line
      // At the end of a file, the order of its last two lines matters only if an unpaired line was found.
      if (line === null) await check(own[2], own[1], file)
      else await check(own[1], line, file)
    }
    await advance(0)
    await advance(1)
    for (;;) {
      const [one, other] = [lines[0]?.[0] ?? null, lines[1]?.[0] ?? null]
      const isOver = one === null && other === null
      if (isOver || text.length > 32_768) {
        await io.stdout.write(bytesOfLatin1(text))
        text = ''
      }
      if (isOver) break
      const column = one === null ? 1 : other === null || one < other ? 0 : one > other ? 1 : 2
      if (column !== 2) isUnpaired = true
      totals[column] = (totals[column] ?? 0) + 1
      if (shown[column]) text += (before[column] ?? '') + ((column === 1 ? other : one) ?? '') + end
      if (column !== 1) await advance(0)
      if (column !== 0) await advance(1)
    }
    if (given.has('--total'))
      await io.stdout.write(bytesOfLatin1(`${totals.join(delimiter)}${delimiter}total${end}`))
    if (unordered.includes(true)) throw new Failed('input is not in sorted order')
    return 0
  },
}
