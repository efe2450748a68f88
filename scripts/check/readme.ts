// Checks the README: its commands must exist and be run by a test, and its numbers must be the measured ones. A number
// is marked as `<!-- check:NAME -->123`. A test that runs a command of a ```sh block says so in a comment `readme:
// COMMAND`, as may .ci/run; `<!-- check:not-run: why -->` before the block excuses its commands.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NPM_COMMANDS = new Set(['ci', 'install'])

/** The measured numbers, by the name that markers use. */
type Facts = Readonly<Record<string, number>>

export interface Project {
  /** The names of the scripts in package.json. */
  readonly scripts: ReadonlySet<string>
  /** The commands that tests or the CI say they run. */
  readonly covered: ReadonlySet<string>
  readonly facts: Facts
}

interface Command {
  readonly line: number
  readonly text: string
}

/** The commands in those ```sh blocks that are not excused. */
export function commandsOf(readme: string): readonly Command[] {
  const commands: Command[] = []
  let inBlock = false
  let isExcused = false
  for (const [index, line] of readme.split('\n').entries()) {
    if (inBlock && line.startsWith('```')) [inBlock, isExcused] = [false, false]
    else if (inBlock && !isExcused) {
      for (const part of line.replace(/(^|\s)#.*$/, '').split('&&')) {
        const text = part.trim()
        if (text !== '') commands.push({ line: index + 1, text })
      }
    } else if (line.startsWith('```sh')) inBlock = true
    else if (line.startsWith('<!-- check:not-run:')) isExcused = true
    else if (!inBlock && line.trim() !== '') isExcused = false
  }
  return commands
}

/** The name of a command in comments: `npm run chat` for `npm run chat -- "hi"`. */
function commandName(command: string): string {
  return /^npm (?:run )?\S+/.exec(command)?.[0] ?? command.split(' ')[0] ?? command
}

function commandFault(command: Command, project: Project): string | null {
  const name = /^npm (?:run )?(\S+)/.exec(command.text)?.[1]
  if (name !== undefined && NPM_COMMANDS.has(name)) return null
  if (name !== undefined && !project.scripts.has(name))
    return `README.md:${command.line}: \`${command.text}\`: package.json has no script "${name}". Add it, or correct the line.`
  if (!project.covered.has(commandName(command.text)))
    return `README.md:${command.line}: No test runs \`${command.text}\`. Add a comment \`readme: ${commandName(command.text)}\` to one that does.`
  return null
}

/** A message for each error in the README. */
export function readmeFaults(readme: string, project: Project): readonly string[] {
  const faults = commandsOf(readme).map((command) => commandFault(command, project))
  const claims = [...readme.matchAll(/<!-- check:([a-z-]+) -->\**([\d,.]*)/g)].map((claim) => {
    const [, name = '', number = ''] = claim
    const line = readme.slice(0, claim.index).split('\n').length
    const fact = project.facts[name]
    if (fact === undefined)
      return `README.md:${line}: "${name}" is not measured. Use one of these names: ${Object.keys(project.facts).join(', ')}.`
    return Number(number.replaceAll(',', '')) === fact
      ? null
      : `README.md:${line}: ${name} is ${JSON.stringify(number)} here but was measured as ${fact}. Correct the number.`
  })
  return [...faults, ...claims].filter((fault) => fault !== null)
}

function coveredCommands(): ReadonlySet<string> {
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mts)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  const covered = new Set<string>()
  for (const file of [...tests, join(ROOT, '.ci/run')].filter(existsSync)) {
    for (const marker of readFileSync(file, 'utf8').matchAll(/readme: (.+)/g))
      covered.add((marker[1] ?? '').trim())
  }
  return covered
}

/** A message for each error in this checkout's README. `bundleKb` is the size that size.ts measured. */
export function checkReadme(bundleKb: number): readonly string[] {
  const path = join(ROOT, 'README.md')
  if (!existsSync(path)) return ['README.md is missing.']
  // The cast is safe: npm defines the shape of package.json.
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts?: Record<string, string>
    readonly dependencies?: Record<string, string>
  }
  const skills = readdirSync(join(ROOT, 'skills/public')).filter((name) =>
    existsSync(join(ROOT, 'skills/public', name, 'SKILL.md')),
  )
  return readmeFaults(readFileSync(path, 'utf8'), {
    scripts: new Set(Object.keys(manifest.scripts ?? {})),
    covered: coveredCommands(),
    facts: {
      'bundle-kb': bundleKb,
      skills: skills.length,
      dependencies: Object.keys(manifest.dependencies ?? {}).length,
    },
  })
}
