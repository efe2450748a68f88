// Checks the README: its commands exist and something runs them, its numbers are the measured ones. A number is
// claimed as `<!-- check:NAME -->123`. A command in a ```sh block is covered by a comment `readme: COMMAND` under
// test/ or in .ci/run, or excused by `<!-- check:not-run: why -->` just before the block.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BUILT_IN = new Set(['ci', 'install'])

/** Known facts: the values that markers may claim. */
type Facts = Readonly<Record<string, number>>

export interface Project {
  /** Names of package.json scripts. */
  readonly scripts: ReadonlySet<string>
  /** Commands that a test or the CI runs, by their own account. */
  readonly covered: ReadonlySet<string>
  readonly facts: Facts
}

interface Command {
  readonly line: number
  readonly text: string
}

/** Commands of the ```sh blocks that are not excused. */
export function commandsOf(readme: string): readonly Command[] {
  const commands: Command[] = []
  let inside = false
  let excused = false
  for (const [index, line] of readme.split('\n').entries()) {
    if (inside && line.startsWith('```')) [inside, excused] = [false, false]
    else if (inside && !excused) {
      for (const part of line.replace(/(^|\s)#.*$/, '').split('&&')) {
        const text = part.trim()
        if (text !== '') commands.push({ line: index + 1, text })
      }
    } else if (line.startsWith('```sh')) inside = true
    else if (line.startsWith('<!-- check:not-run:')) excused = true
    else if (!inside && line.trim() !== '') excused = false
  }
  return commands
}

/** `npm run chat -- "hi"` → `npm run chat`, the name for a marker. */
function head(command: string): string {
  return /^npm (?:run )?\S+/.exec(command)?.[0] ?? command.split(' ')[0] ?? command
}

function commandFault(command: Command, project: Project): string | null {
  const name = /^npm (?:run )?(\S+)/.exec(command.text)?.[1]
  if (name !== undefined && BUILT_IN.has(name)) return null
  if (name !== undefined && !project.scripts.has(name))
    return `README.md:${command.line}: \`${command.text}\`: package.json has no script "${name}"; add it or fix the line.`
  if (!project.covered.has(head(command.text)))
    return `README.md:${command.line}: \`${command.text}\` is run by no test; name it in one with \`readme: ${head(command.text)}\`.`
  return null
}

/** One sentence per fault; none if the README is correct. */
export function readmeFaults(readme: string, project: Project): readonly string[] {
  const faults = commandsOf(readme).map((command) => commandFault(command, project))
  const claims = [...readme.matchAll(/<!-- check:([a-z-]+) -->\**([\d,.]*)/g)].map((claim) => {
    const [, name = '', number = ''] = claim
    const line = readme.slice(0, claim.index).split('\n').length
    const fact = project.facts[name]
    if (fact === undefined)
      return `README.md:${line}: nobody measures "${name}"; known are ${Object.keys(project.facts).join(', ')}.`
    return Number(number.replaceAll(',', '')) === fact
      ? null
      : `README.md:${line}: ${name} is claimed as ${JSON.stringify(number)} and measured as ${fact}.`
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

/** The README's faults in this checkout; `bundleKb` comes from size.ts. */
export function checkReadme(bundleKb: number): readonly string[] {
  const path = join(ROOT, 'README.md')
  if (!existsSync(path)) return ['README.md is missing.']
  // The cast: npm defines the shape of package.json.
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
