// Guards that the shell's text commands print what the real ones print, or refuse.

import { describe, expect, it } from 'vitest'

import { OWN_COMMANDS } from '../../../../src/sandbox/bash/command-table.ts'
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
})
