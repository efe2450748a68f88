// The module with the digest of the build that a Worker is deployed with. Compiled into it.

import { readFile, writeFile } from 'node:fs/promises'

/** Writes the module only if its text changes, so that file watchers stay idle. Returns whether it was written. */
export async function writeDigestModule(digest: string, file: string): Promise<boolean> {
  const text = `// Written by skills:build and skills:push: the build of skills that this Worker is deployed with.

export const BUILD_DIGEST = '${digest}'
`
  const before = await readFile(file, 'utf8').catch(() => null)
  if (before === text) return false
  await writeFile(file, text)
  return true
}
