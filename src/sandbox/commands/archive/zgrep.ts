// `zgrep`: `grep` in files that may be compressed.

import { Unsupported, type Command } from '../command.ts'
import { searched } from '../grep/grep.ts'
import { bytesReader, readAll } from '../io/reader.ts'
import { isGzip, unpacked } from './gzip-format.ts'

export const zgrep: Command = {
  async run(io) {
    const recursive = io.args.find((arg) => /^-[a-zA-Z]*[rR]$|^--(?:recursive|dereference)/.test(arg))
    if (recursive !== undefined) throw new Unsupported(`zgrep ${recursive}`, 'find -exec zgrep')
    return searched(io, 'basic', async (reader) => {
      const bytes = await readAll(reader)
      return bytesReader(isGzip(bytes) ? unpacked(bytes, 'stdin') : bytes)
    })
  },
}
