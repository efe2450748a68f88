// The documents of test/fixtures/documents, for tests that run where there is no disk.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

declare module 'vitest' {
  interface ProvidedContext {
    /** File names, each with the file's bytes in base64. */
    documents: Readonly<Record<string, string>>
  }
}

export function documentFixtures(root: string): Readonly<Record<string, string>> {
  const folder = join(root, 'test/fixtures/documents')
  return Object.fromEntries(
    readdirSync(folder).map((file) => [file, readFileSync(join(folder, file)).toString('base64')]),
  )
}
