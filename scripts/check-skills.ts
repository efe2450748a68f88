// `npm run skills:check -- PATH…`: checks skills as publishing does. Prints findings for people or for tools.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { checkSkills } from './check-skills/command.ts'
import { installedOfLock } from './packages/installed-of-lock.ts'

function satchelVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return typeof manifest === 'object' && manifest && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0'
}

process.exitCode = await checkSkills(process.argv.slice(2), {
  cwd: process.cwd(),
  version: satchelVersion(),
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
  installed: () => installedOfLock(fileURLToPath(new URL('..', import.meta.url))),
})
