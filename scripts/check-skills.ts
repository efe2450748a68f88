// `npm run skills:check -- PATH…`: checks skills as publishing would, for people and for tools.

import { readFileSync } from 'node:fs'
import { checkSkills } from './check-skills/command.ts'

function version(): string {
  const read: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return typeof read === 'object' && read && 'version' in read ? String(read.version) : '0.0.0'
}

process.exitCode = await checkSkills(process.argv.slice(2), {
  cwd: process.cwd(),
  version: version(),
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
})
