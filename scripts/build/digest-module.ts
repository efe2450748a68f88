// The module that names the build which a Worker is deployed with. Compiled into it.

import { readFile, writeFile } from 'node:fs/promises'

/** Writes it only when its text changes, so that nothing that watches it wakes for nothing. True: it was written. */
export async function writeDigestModule(digest: string, file: string): Promise<boolean> {
  const text = `// Written by skills:build and skills:push: the build of skills that this Worker is deployed with.

export const BUILD_DIGEST = '${digest}'
`
  const before = await readFile(file, 'utf8').catch(() => null)
  if (before === text) return false
  await writeFile(file, text)
  return true
}
