// `npm run skills:add -- owner/repo …`: adds skills from another source to this project, or publishes them to a
// server.

import { lookup } from 'node:dns/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { parseArgs } from 'node:util'

import { fromLock, fromSource, type BringPorts } from './add/bring.ts'
import { httpGet } from './add/http-get.ts'
import type { SourceSkill } from './add/item.ts'
import { LOCK_FILE, readLock } from './add/lock.ts'
import { send } from './add/send.ts'
import { settleItems } from './add/settle.ts'
import { SOURCE_FORMS } from './add/source.ts'
import { terminalAsk } from './lib/ask.ts'
import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'

const USAGE = `npm run skills:add -- [SOURCE] [options]

  SOURCE         ${SOURCE_FORMS.replaceAll('\n', '\n                 ')};
                 none: what ${LOCK_FILE} names, verified by digest
  --skill NAME   only this skill, by its name or its folder in the source (repeatable)
  --all          every skill of the source
  --list         show what is there and what was passed over (with --skill: only that), take nothing
  --ref R        branch, tag or commit
  --into DIR     the folder for the skills, with its own ${LOCK_FILE} (skills/public)
  --to URL       publish there instead (its key in SATCHEL_KEY; --key K, --note TEXT as for skills:publish)
  --update       take what changed at its source
  --force        overwrite edits, take skills with errors, or of a name that is locked to another source
  --notes        show notes too, not only errors and warnings
  --dry-run      show what would be done
  --yes          do not ask
  --help         this text

GITHUB_TOKEN is sent to GitHub's archives alone; SKILLS_GITHUB_URL names another host of them.
No program of a skill is ever run. Status 0: done. 1: refused, nothing was written. 2: wrong arguments, or nobody to ask.`

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

/** Why these arguments contradict each other; null if they do not. */
function contradiction(flags: Flags, sources: readonly string[]): string | null {
  if (sources.length > 1) return `One source at a time; these are ${sources.length}: ${sources.join(' ')}`
  if (flags.to !== undefined && flags.into !== undefined)
    return '--to publishes, --into writes files: choose one.'
  if (sources.length === 0 && (flags.to !== undefined || flags.list || flags.all || flags.ref !== undefined))
    return 'Which source? --to, --list, --all and --ref need one.'
  const base = process.env['SKILLS_GITHUB_URL']
  if (base !== undefined && !URL.canParse(base)) return 'SKILLS_GITHUB_URL is no address.'
  return null
}

async function publish(items: readonly SourceSkill[], flags: Flags): Promise<number | string> {
  const server = await serverFor(ROOT, process.env, { url: flags.to, key: flags.key })
  if (!server.ok) return server.error
  return send(
    items,
    {
      unpublish: [],
      note: flags.note ?? null,
      yes: flags.yes,
      dryRun: flags['dry-run'],
      diff: false,
      notes: flags.notes,
    },
    { ...server.value, say, complain, ask: terminalAsk() },
  )
}

async function add(flags: Flags, positionals: readonly string[]): Promise<number | string> {
  const wrong = contradiction(flags, positionals)
  if (wrong !== null) return wrong
  const target = flags.into === undefined ? join(ROOT, 'skills/public') : resolve(flags.into)
  const home = flags.into === undefined ? ROOT : target
  const ports: BringPorts = {
    web: {
      fetch: httpGet,
      lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
      githubBase: process.env['SKILLS_GITHUB_URL'] ?? GITHUB_ARCHIVES,
      githubToken: process.env['GITHUB_TOKEN'] || undefined,
    },
    ask: terminalAsk(),
    say,
    home,
    target,
  }
  const lock = await readLock(home)
  if (!lock.ok) {
    complain(lock.error)
    return 1
  }
  const [source] = positionals
  const names = flags.skill ?? []
  if (source === undefined && lock.value.size === 0)
    return `Which source? There is no ${LOCK_FILE} that names any.`
  const items =
    source === undefined
      ? await fromLock(lock.value, names, flags.update, ports)
      : await fromSource(source, flags.ref ?? null, { names, all: flags.all, list: flags.list }, ports)
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
      shownTarget: relative(process.cwd(), target) || '.',
      home,
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
