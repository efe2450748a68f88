// `iconv`: converts text from one encoding to another.

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { concat } from '../io/bytes.ts'
import { FileError } from '../io/files.ts'
import { readAll } from '../io/reader.ts'
import { parseOptions } from '../options.ts'
import { charsetOf, type Charset } from './charsets.ts'

const OPTIONS = [
  { flags: '-c' },
  { flags: '-f --from-code', value: 'required' },
  { flags: '-t --to-code', value: 'required' },
  { flags: '-o --output', value: 'required' },
  { flags: '-s --silent' },
  { flags: '-l --list', refused: 'UTF-8, UTF-16, UTF-32, ISO-8859-1, ISO-8859-15, CP1252 or ASCII' },
  { flags: '--verbose', refused: 'iconv without it' },
] as const
/** Number of characters between two pauses. */
const PART = 16_384

export const iconv: Command = {
  async run(io) {
    const given = parseOptions('iconv', io.args, OPTIONS, { usageExit: 64 })
    const [to = '', ...suffixes] = (given.value('-t') ?? 'UTF-8').split('//')
    const from = (given.value('-f') ?? 'UTF-8').split('//')[0] ?? ''
    const [source, target] = [known(from), known(to)]
    const ignores = suffixes.some((suffix) => /^IGNORE$/i.test(suffix))
    const bytes = await inputOf(io, given.operands)
    const skips = given.has('-c') || ignores
    const translates = suffixes.some((suffix) => /^TRANSLIT$/i.test(suffix))
    const { output, wrong, message } = await converted(bytes, source, target, skips, translates)
    const file = given.value('-o')
    if (file === undefined) await io.stdout.write(output)
    else await io.files.write(file, output)
    const problem =
      message ?? (ignores && wrong ? `illegal input sequence at position ${bytes.length}` : null)
    if (problem === null) return 0
    await io.stdout.flush()
    throw new Failed(problem)
  },
}

function known(name: string): Charset {
  const charset = charsetOf(name === '' ? 'UTF-8' : name)
  if (charset) return charset
  throw new Unsupported(
    `iconv with the encoding ${name}`,
    'UTF-8, UTF-16, UTF-32, ISO-8859-1, ISO-8859-15, CP1252 or ASCII, or python3 with open(FILE, encoding=...)',
  )
}

async function inputOf(io: CommandIo, operands: readonly string[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for (const name of operands.length === 0 ? ['-'] : operands)
    try {
      parts.push(name === '-' ? await readAll(io.stdin) : await io.files.read(name))
    } catch (error) {
      if (error instanceof FileError) throw new Failed(`cannot open input file \`${name}': ${error.message}`)
      throw error
    }
  return concat([...parts, new Uint8Array()])
}

interface Converted {
  readonly output: Uint8Array
  /** Whether characters were left out. */
  readonly wrong: boolean
  /** Why the conversion ended early; null if it did not. */
  readonly message: string | null
}

async function converted(
  bytes: Uint8Array,
  from: Charset,
  to: Charset,
  skips: boolean,
  translates: boolean,
): Promise<Converted> {
  const { charset, length } = from.marked?.(bytes) ?? { charset: from, length: 0 }
  const parts: Uint8Array[] = []
  let part: number[] = bytes.length > length ? [...(to.mark ?? [])] : []
  let wrong = false
  const done = (message: string | null): Converted => {
    parts.push(Uint8Array.from(part))
    return { output: concat(parts), wrong, message }
  }
  for (let at = length; at < bytes.length;) {
    const found = charset.decode(bytes, at)
    if (found === 'short') return done('incomplete character or shift sequence at end of buffer')
    const encoded = found && to.encode(found.code)
    if (encoded) part.push(...encoded)
    else if (found && translates)
      throw new Unsupported(
        `iconv //TRANSLIT of ${JSON.stringify(String.fromCodePoint(found.code))}`,
        'iconv -c, or python3 with unicodedata.normalize',
      )
    else if (!skips) return done(`illegal input sequence at position ${at}`)
    else wrong = true
    at += found ? found.length : 1
    if (part.length < PART) continue
    parts.push(Uint8Array.from(part))
    part = []
    await Promise.resolve()
  }
  return done(null)
}
