// The shell's text commands print what the real ones print, or refuse.

import { describe, expect, it } from 'vitest'

import { COMMANDS } from '../../../../src/sandbox/bash/command-table.ts'
import { runCommand } from './io.ts'
import { CASES, FILES } from './text.cases.ts'

describe('a text command', () => {
  for (const [line, stdin, exitCode, stdout] of CASES)
    it(exitCode === null ? `refuses ${line}` : `prints what GNU prints for ${line}`, async () => {
      const args = line.split(' | ')
      const command = COMMANDS[args[0] ?? '']
      if (!command) throw new Error(`there is no command ${args[0] ?? ''}`)
      const result = await runCommand(command, args, stdin, FILES)
      expect(result).toMatchObject(exitCode === null ? { exitCode: 2, stdout: '' } : { exitCode, stdout })
      if (exitCode === null) expect(result.stderr).toContain('is not supported here. Instead: ')
    })

  it('writes the file of sort -o', async () => {
    const { sort } = COMMANDS
    if (!sort) throw new Error('there is no sort')
    const { files } = await runCommand(sort, ['sort', '-o', 'a', 'a'], '', FILES)
    expect(files.get('a')).toBe('apple 10\napple 9\nbanana 3\ncherry 2\n')
  })
})
