// Detects a command that would read the file that it writes.

import type { CommandIo } from '../command.ts'
import { FileError } from './files.ts'

/** Whether this is the file to which standard output is redirected. `path` is null for standard input. */
export async function isOwnOutput(
  { standardFiles, files }: Pick<CommandIo, 'standardFiles' | 'files'>,
  path: string | null,
): Promise<boolean> {
  const output = standardFiles?.output ?? null
  if (output === null) return false
  if (path === null) return standardFiles?.input === output
  try {
    return (await files.realPath(path)) === output
  } catch (error) {
    if (error instanceof FileError) return false
    throw error
  }
}
