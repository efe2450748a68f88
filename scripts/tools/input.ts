// The input of `npm run tools`: its flags and files.

import { readFile } from 'node:fs/promises'

import { err, ok, type Result } from '../../src/lib/result.ts'

export interface ToolFlags {
  readonly all: boolean
  readonly input?: string | undefined
  readonly secret?: readonly string[] | undefined
  readonly operations?: string | undefined
  readonly tags?: string | undefined
  readonly prefix?: string | undefined
  readonly base?: string | undefined
  readonly header: readonly string[]
  readonly group?: string | undefined
  readonly digest?: string | undefined
  readonly trusted?: boolean | undefined
  readonly 'to-version'?: string | undefined
  readonly note?: string | undefined
  readonly 'dry-run': boolean
  readonly yes: boolean
  readonly json: boolean
}

/** The text of a file, or a message that says why it cannot be read. */
export async function readTextFile(file: string): Promise<Result<string, string>> {
  try {
    return ok(await readFile(file, 'utf8'))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    return err(code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`)
  }
}

/** Splits `a, b` into a list; undefined if `text` is undefined. */
export function splitList(text: string | undefined): readonly string[] | undefined {
  const items = text?.split(',').map((item) => item.trim())
  return items?.filter((item) => item !== '')
}
