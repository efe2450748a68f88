// `hexdump` and `hd`: the common formats.

import { Failed, Unsupported, type Command } from '../command.ts'
import { parseOptions } from '../options.ts'
import { blocksOf } from './blocks.ts'

const OPTIONS = [
  { flags: '-b --one-byte-octal' },
  { flags: '-c --one-byte-char' },
  { flags: '-C --canonical' },
  { flags: '-d --two-bytes-decimal' },
  { flags: '-o --two-bytes-octal' },
  { flags: '-x --two-bytes-hex' },
  { flags: '-e --format', value: 'required', refused: 'od -t, or xxd' },
  { flags: '-f --format-file', value: 'required', refused: 'od -t, or xxd' },
  { flags: '-L --color', value: 'optional', refused: 'hexdump without it' },
  { flags: '-n --length', value: 'required' },
  { flags: '-s --skip', value: 'required' },
  { flags: '-v --no-squeezing' },
] as const

const STYLES = ['-b', '-c', '-C', '-d', '-o', '-x'] as const

export const hexdump: Command = {
  async run(io) {
    const given = parseOptions(io.name, io.args, OPTIONS)
    const styles = given.options.filter(({ flag }) => STYLES.some((style) => style === flag))
    if (styles.length > 1) throw new Unsupported('hexdump with several formats', 'od with several -t')
    const style = io.name === 'hd' ? '-C' : (styles[0]?.flag ?? '')
    const skip = sizeOf(given.value('-s') ?? '0')
    const most = given.has('-n') ? sizeOf(given.value('-n') ?? '') : Infinity
    const address = (offset: number): string => offset.toString(16).padStart(style === '-C' ? 8 : 7, '0')
    let exitCode = 0
    let offset = skip
    let previous = ''
    let repeated = false
    for await (const blocks of blocksOf(io, given.operands, 16, { skip, most }, () => (exitCode = 1), true)) {
      let text = ''
      for (const block of blocks) {
        const line = lineOf(block, style)
        if (line === previous && block.length === 16 && !given.has('-v')) {
          if (!repeated) text += '*\n'
          repeated = true
        } else {
          text += `${address(offset)}${line}\n`
          repeated = false
        }
        previous = line
        offset += block.length
      }
      await io.stdout.write(text)
    }
    if (offset === skip && skip > 0 && most > 0)
      throw new Unsupported('hexdump -s beyond the end', 'a smaller offset')
    if (offset > skip) await io.stdout.write(`${address(offset)}\n`)
    return exitCode
  },
}

function lineOf(block: Uint8Array, style: string): string {
  const bytes = Array.from({ length: 16 }, (_, at) => block[at])
  if (style === '-C') {
    const half = (from: number): string =>
      bytes
        .slice(from, from + 8)
        .map((byte) => (byte === undefined ? '   ' : ` ${byte.toString(16).padStart(2, '0')}`))
        .join('')
    const text = Array.from(block, (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.'))
    return ` ${half(0)} ${half(8)}  |${text.join('')}|`
  }
  if (style === '-b')
    return bytes
      .map((byte) => (byte === undefined ? '    ' : ` ${byte.toString(8).padStart(3, '0')}`))
      .join('')
  if (style === '-c')
    return bytes.map((byte) => (byte === undefined ? '    ' : ` ${shown(byte).padStart(3)}`)).join('')
  const width = style === '-d' || style === '-o' || style === '-x' ? 8 : 5
  let text = ''
  for (let at = 0; at < 16; at += 2) {
    const low = bytes[at]
    const value = (low ?? 0) + 256 * (bytes[at + 1] ?? 0)
    const written =
      style === '-d'
        ? String(value).padStart(5, '0')
        : style === '-o'
          ? value.toString(8).padStart(6, '0')
          : value.toString(16).padStart(4, '0')
    text += low === undefined ? ' '.repeat(width) : written.padStart(width)
  }
  return text
}

const ESCAPES: Readonly<Record<number, string>> = {
  0: String.raw`\0`,
  7: String.raw`\a`,
  8: String.raw`\b`,
  9: String.raw`\t`,
  10: String.raw`\n`,
  11: String.raw`\v`,
  12: String.raw`\f`,
  13: String.raw`\r`,
}

function shown(byte: number): string {
  if (byte >= 128) throw new Unsupported('hexdump -c of bytes above 127', 'hexdump -C or od -c')
  return (
    ESCAPES[byte] ??
    (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : byte.toString(8).padStart(3, '0'))
  )
}

function sizeOf(text: string): number {
  const [, hex, octal, digits, unit = ''] =
    /^(?:0[xX]([\da-fA-F]+)|(0[0-7]+)|(\d+))([bkm]|[KMG](?:iB|B)?)?$/.exec(text) ?? []
  const number =
    hex !== undefined
      ? Number.parseInt(hex, 16)
      : octal !== undefined
        ? Number.parseInt(octal, 8)
        : Number(digits)
  if (Number.isNaN(number)) throw new Failed(`failed to parse length or offset: '${text}'`)
  if (unit === 'b') return number * 512
  const power = unit === '' ? 0 : 'KMG'.indexOf((unit[0] ?? '').toUpperCase()) + 1
  return number * (/^[KMG]B$/.test(unit) ? 1_000 : 1_024) ** power
}
