// `tee`: copies its input to files and to its output.

import type { Command } from '../command.ts'
import { FileError } from '../io/files.ts'
import { BrokenPipe, type ByteWriter } from '../io/writer.ts'
import { parseOptions } from '../options.ts'

const OPTIONS = [
  { flags: '-a --append' },
  { flags: '-i --ignore-interrupts' },
  { flags: '-p' },
  { flags: '--output-error', value: 'optional', refused: 'tee without it' },
] as const

export const tee: Command = {
  async run(io) {
    const given = parseOptions('tee', io.args, OPTIONS)
    const writers: ByteWriter[] = []
    let exitCode = 0
    for (const name of given.operands)
      try {
        writers.push(await io.files.create(name, { append: given.has('-a') }))
      } catch (error) {
        if (!(error instanceof FileError)) throw error
        await io.stderr.write(`tee: ${name}: ${error.message}\n`)
        exitCode = 1
      }
    let isOpen = true
    for (let chunk = await io.stdin.read(); chunk; chunk = await io.stdin.read()) {
      for (const writer of writers) await writer.write(chunk)
      try {
        if (isOpen) await io.stdout.write(chunk)
      } catch (error) {
        if (!(error instanceof BrokenPipe) || !given.has('-p')) throw error
        isOpen = false
      }
    }
    for (const writer of writers) await writer.flush()
    return exitCode
  },
}
