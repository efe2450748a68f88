// `npm run skills:add -- owner/repo …`: adds skills from another source to this project, or publishes them to
// a server.

import { lookup } from 'node:dns/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { parseArgs } from 'node:util'

import { loadFromLock, loadFromSource, type LoadPorts } from './add/load-skills.ts'
import { httpGet } from './add/http-get.ts'
import type { SourceSkill } from './add/item.ts'
import { LOCK_FILE, readLock } from './add/lock.ts'
import { publishItems } from './add/publish-items.ts'
import { recoverInstallation } from './add/recover.ts'
import { settleItems } from './add/settle.ts'
import { SOURCE_FORMS } from './add/source.ts'
import { terminalAsker } from './lib/ask.ts'
import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'

const USAGE = `npm run skills:add -- [SOURCE] [options]

  SOURCE         ${SOURCE_FORMS.replaceAll('\n', '\n                 ')};
                 without it, restore the skills in ${LOCK_FILE}, verified by digest
  --skill NAME   add only this skill, given by its name or its folder in the source (repeatable)
  --all          add every skill of the source
  --list         list the skills and what was skipped, and add nothing (with --skill: only that skill)
  --ref R        use this branch, tag or commit
  --into DIR     write the skills to this folder, with its own ${LOCK_FILE} (default: skills/public)
  --to URL       publish to this server instead (with its key in SATCHEL_KEY or --key K; --note TEXT sets the note)
  --update       also add changes made at the source
  --force        overwrite your edits, and accept skills with errors or from another source than in the lock
  --notes        also show notes, not only errors and warnings
  --dry-run      show what would be done
  --yes          do not ask for confirmation
  --help         show this text

GITHUB_TOKEN is sent only to the host of GitHub's archives; SKILLS_GITHUB_URL sets another host.
No program of a skill is ever run.
Exit status: 0 done; 1 refused, nothing was written; 2 wrong arguments, or no terminal for confirmation.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const GITHUB_ARCHIVES = 'https://codeload.github.com'

const OPTIONS = {
  skill: { type: 'string', multiple: true },
  all: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  ref: { type: 'string' },
  into: { type: 'string' },
  to: { type: 'string' },
  key: { type: 'string' },
  note: { type: 'string' },
  update: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  notes: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  yes: { type: 'boolean', short: 'y', default: false },
} as const

type Flags = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

function say(line: string): void {
  console.log(line)
}

/** What is wrong with the arguments, or null if they are valid. */
function findArgumentError(flags: Flags, sources: readonly string[]): string | null {
  if (sources.length > 1) return `Give one source at a time; you gave ${sources.length}: ${sources.join(' ')}`
  if (flags.to !== undefined && flags.into !== undefined)
    return 'Use either --to, which publishes, or --into, which writes files, not both.'
  if (sources.length === 0 && (flags.to !== undefined || flags.list || flags.all || flags.ref !== undefined))
    return 'Specify the source: --to, --list, --all and --ref require one.'
  const base = process.env['SKILLS_GITHUB_URL']
  if (base !== undefined && !URL.canParse(base)) return 'SKILLS_GITHUB_URL is not a valid address.'
  return null
}

async function publish(items: readonly SourceSkill[], flags: Flags): Promise<number | string> {
  const server = await serverFor(ROOT, process.env, { url: flags.to, key: flags.key })
  if (!server.ok) return server.error
  return publishItems(
    items,
    {
      unpublish: [],
      note: flags.note ?? null,
      yes: flags.yes,
      dryRun: flags['dry-run'],
      diff: false,
      notes: flags.notes,
    },
    { ...server.value, say, complain, ask: terminalAsker() },
  )
}

async function add(flags: Flags, positionals: readonly string[]): Promise<number | string> {
  const argumentError = findArgumentError(flags, positionals)
  if (argumentError !== null) return argumentError
  const target = flags.into === undefined ? join(ROOT, 'skills/public') : resolve(flags.into)
  const home = flags.into === undefined ? ROOT : target
  const ports: LoadPorts = {
    web: {
      fetch: httpGet,
      lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
      githubBase: process.env['SKILLS_GITHUB_URL'] ?? GITHUB_ARCHIVES,
      githubToken: process.env['GITHUB_TOKEN'] || undefined,
    },
    ask: terminalAsker(),
    say,
    lockFolder: home,
    target,
  }
  if (flags.to === undefined && !flags.list && !flags['dry-run'])
    for (const line of await recoverInstallation(target)) say(line)
  const lock = await readLock(home)
  if (!lock.ok) {
    complain(lock.error)
    return 1
  }
  const [source] = positionals
  const names = flags.skill ?? []
  if (source === undefined && lock.value.size === 0)
    return `Specify the source: there is no ${LOCK_FILE} with skills to restore.`
  const items =
    source === undefined
      ? await loadFromLock(lock.value, names, flags.update, ports)
      : await loadFromSource(source, flags.ref ?? null, { names, isAll: flags.all, list: flags.list }, ports)
  if (!items.ok) {
    complain(items.error)
    return 1
  }
  if (items.value === null) return 0
  if (flags.to !== undefined) return publish(items.value, flags)
  return settleItems(
    items.value,
    lock.value,
    {
      target,
      targetName: relative(process.cwd(), target) || '.',
      lockFolder: home,
      yes: flags.yes,
      force: flags.force,
      update: flags.update,
      dryRun: flags['dry-run'],
      notes: flags.notes,
    },
    { ask: ports.ask, say, complain },
  )
}

command(USAGE, { allowPositionals: true, options: OPTIONS }, async ({ values, positionals }) =>
  add(values, positionals),
)
