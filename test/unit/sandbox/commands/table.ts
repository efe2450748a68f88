// Runs a table of commands and compares the results with what the real tools printed.

import { describe, expect, it } from 'vitest'

import { OWN_COMMANDS } from '../../../../src/sandbox/bash/command-table.ts'
import { ran } from './in-memory.ts'

/** The name and the arguments, separated by ` | `; standard input; the exit code, null if refused; the output. */
export type Row = readonly [line: string, stdin: string, exitCode: number | null, stdout: string]

export function describeTable(
  title: string,
  rows: readonly Row[],
  files: Readonly<Record<string, string>>,
): void {
  describe(title, () => {
    for (const [line, stdin, exitCode, stdout] of rows)
      it(exitCode === null ? `refuses ${line}` : `prints what the real one prints for ${line}`, async () => {
        const [name = '', ...args] = line.split(' | ')
        const command = OWN_COMMANDS[name]
        if (!command) throw new Error(`there is no command ${name}`)
        const result = await ran(command, name, args, stdin, files)
        if (exitCode === null) {
          expect(result.refused).toContain('is not supported here. Instead: ')
          expect(result.stdout).toBe('')
        } else expect(result).toMatchObject({ exitCode, stdout, refused: null })
      })
  })
}
