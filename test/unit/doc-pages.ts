// Reads pages of the documentation for the tests that compare them with the code. Makes no assertions.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
export const readPage = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8')

/** Cells of the rows of every table below a heading, as text. */
export function rowsUnder(path: string, heading: string): string[][] {
  const [, section = ''] = readPage(path).split(new RegExp(`^##+ ${heading}$`, 'm'))
  const end = section.search(/^## /m)
  return (end === -1 ? section : section.slice(0, end))
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[-| ]+\|$/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((cells) => cells[0]?.startsWith('`'))
}

/** A cell without its backticks. */
export const bare = (cell: string | undefined): string => (cell ?? '').replaceAll('`', '')
