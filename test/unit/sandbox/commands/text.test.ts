// Guards that the shell's text commands print what the real ones print, or refuse.

import { describe, expect, it } from 'vitest'

import { OWN_COMMANDS } from '../../../../src/sandbox/bash/command-table.ts'
import { lineFeedsIn } from '../../../../src/sandbox/commands/text/line-feeds.ts'
import { ran } from './in-memory.ts'
import { CASES, FILES } from './text.cases.ts'

describe('a text command', () => {
  for (const [line, stdin, exitCode, stdout] of CASES)
    it(exitCode === null ? `refuses ${line}` : `prints what GNU prints for ${line}`, async () => {
      const [name = '', ...args] = line.split(' | ')
      const command = OWN_COMMANDS[name]
      if (!command) throw new Error(`there is no command ${name}`)
      const result = await ran(command, name, args, stdin, FILES)
      if (exitCode === null) {
        expect(result.refused).toContain('is not supported here. Instead: ')
        expect(result.stdout).toBe('')
      } else expect(result).toMatchObject({ exitCode, stdout, refused: null })
    })

  it('writes the file of sort -o', async () => {
    const { sort } = OWN_COMMANDS
    if (!sort) throw new Error('there is no sort')
    const { files } = await ran(sort, 'sort', ['-o', 'a', 'a'], '', FILES)
    expect(files.get('a')).toBe('apple 10\napple 9\nbanana 3\ncherry 2\n')
  })

  it('counts the line feeds of a part of a buffer, wherever it begins and ends', () => {
    // All bytes after and before all others, and runs longer than the sum of words can hold.
    const all = Uint8Array.from({ length: 6_000 }, (_, at) =>
      at < 3_000 ? (at * 7 + (at >> 8)) & 255 : at % 1_500 < 1_400 ? 10 : 138,
    )
    for (const from of [0, 1, 2, 3, 4, 2_997])
      for (const to of [3, 16, 21, 1_021, 4_400, 5_999, 6_000]) {
        const part = all.subarray(from, to)
        expect(lineFeedsIn(part)).toBe(part.filter((byte) => byte === 10).length)
      }
  })
})
