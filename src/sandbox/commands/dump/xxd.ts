// `xxd`: prints a hex dump, or converts it back.

import { Unsupported, type Command } from '../command.ts'
import { FileError } from '../io/files.ts'
import { bytesReader } from '../io/reader.ts'
import { blocksOf } from './blocks.ts'
import { xxdOptions, type XxdOptions } from './xxd-options.ts'
import { undumped } from './xxd-reverse.ts'
import { readAll } from '../io/reader.ts'

export const xxd: Command = {
  async run(io) {
    const options = xxdOptions(io.args)
    const { input, output } = options
    if (output !== null) throw new Unsupported('xxd with an output file', 'xxd FILE > OUTPUT')
    let stdin = io.stdin
    if (input !== '-')
      try {
        stdin = bytesReader(await io.files.read(input))
      } catch (error) {
        if (!(error instanceof FileError)) throw error
        await io.stderr.write(`xxd: ${input}: ${error.message}\n`)
        return 2
      }
    if (options.reverse) {
      await io.stdout.write(undumped(await readAll(stdin), options))
      return 0
    }
    const source = { ...io, stdin }
    const range = { skip: options.seek, most: options.length }
    let offset = options.seek + options.offset
    let written = 0
    if (options.style === 'include' && input !== '-')
      await io.stdout.write(`unsigned char ${identifier(input)}[] = {\n`)
    for await (const blocks of blocksOf(source, [], options.columns, range, () => {}, true)) {
      let text = ''
      for (const block of blocks) {
        text +=
          options.style === 'include' ? included(block, written, options) : lineOf(block, offset, options)
        offset += block.length
        written += block.length
      }
      await io.stdout.write(text)
    }
    if (options.style === 'include') {
      await io.stdout.write(written > 0 ? '\n' : '')
      if (input !== '-') await io.stdout.write(`};\nunsigned int ${identifier(input)}_len = ${written};\n`)
    }
    return 0
  },
}

function lineOf(block: Uint8Array, offset: number, options: XxdOptions): string {
  const { style, columns, group, upper } = options
  const hex = (byte: number): string => {
    const text = style === 'bits' ? byte.toString(2).padStart(8, '0') : byte.toString(16).padStart(2, '0')
    return upper ? text.toUpperCase() : text
  }
  if (style === 'plain') return `${Array.from(block, hex).join('')}\n`
  const digits = style === 'bits' ? 8 : 2
  let body = ''
  if (style === 'little') {
    for (let at = 0; at < columns; at += group) {
      const bytes = Array.from({ length: group }, (_, index) => block[at + group - 1 - index])
      body += `${bytes.map((byte) => (byte === undefined ? '  ' : hex(byte))).join('')} `
    }
  } else {
    for (let at = 0; at < columns; at++) {
      const byte = block[at]
      body += byte === undefined ? ' '.repeat(digits) : hex(byte)
      if (group > 0 && (at + 1) % group === 0) body += ' '
    }
    if (group === 0 || columns % group !== 0) body += ' '
  }
  const text = Array.from(block, (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join(
    '',
  )
  const address = options.decimal ? String(offset).padStart(8, '0') : offset.toString(16).padStart(8, '0')
  return `${address}: ${body} ${text}\n`
}

function included(block: Uint8Array, before: number, { upper }: XxdOptions): string {
  const bytes = Array.from(block, (byte) => {
    const text = byte.toString(16).padStart(2, '0')
    return upper ? `0X${text.toUpperCase()}` : `0x${text}`
  })
  return `${before > 0 ? ',\n' : ''}  ${bytes.join(', ')}`
}

function identifier(name: string): string {
  return (/^\d/.test(name) ? '__' : '') + name.replaceAll(/[^A-Za-z0-9]/g, '_')
}
