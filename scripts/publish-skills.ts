// `npm run skills:publish -- DIR…`: publishes skills to a running Satchel in a single catalog version.

import { fileURLToPath } from 'node:url'

import { PUBLISH_NOTE_MAX_CHARS } from '../src/limits/requests.ts'
import { DEFAULT_PORT } from './lib/limits.ts'
import { parseAcceptances } from './lib/accepts.ts'
import { terminalAsker } from './lib/ask.ts'
import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'
import { KEY_HELP } from './lib/server.ts'
import { gather } from './publish/gather.ts'
import { errorsJson, outcomeJson } from './publish/outcome-json.ts'
import { publishSkills } from './publish/publish.ts'

const USAGE = `npm run skills:publish -- DIR… [options]

  DIR            a folder with skills at any depth, one SKILL.md, a flat skill (.skills/name.md),
                 or an archive (.skill .zip .tar.gz)
  --url URL      the server (default: SATCHEL_URL, otherwise port PORT or ${DEFAULT_PORT} on this machine)
  --key K        ${KEY_HELP}
  --note TEXT    a note to store with the versions
  --accept RULE=REASON  publish despite an error of this scan rule; the history records the reason (repeatable).
                 Needed once for each content of a file. Some rules, such as secrets and programs, cannot be accepted
  --unpublish NAME  also remove a published skill from the catalog (repeatable)
  --diff         show the lines that differ
  --notes        also show notes, not only errors and warnings
  --dry-run      check and compare, and change nothing
  --yes          do not ask for confirmation
  --json         print one JSON object on standard output
  --help         show this text

Exit status: 0 published, or nothing to do; 1 refused or failed, with a message that says what was published; 2 wrong arguments,
or no terminal for confirmation.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))

command(
  USAGE,
  {
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      note: { type: 'string' },
      accept: { type: 'string', multiple: true, default: [] },
      unpublish: { type: 'string', multiple: true, default: [] },
      diff: { type: 'boolean', default: false },
      notes: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      yes: { type: 'boolean', short: 'y', default: false },
      json: { type: 'boolean', default: false },
    },
  },
  async ({ values: flags, positionals }) => {
    if (positionals.length === 0 && flags.unpublish.length === 0)
      return 'No skills are given. Specify a folder or an archive.'
    if (flags.note !== undefined && flags.note.length > PUBLISH_NOTE_MAX_CHARS)
      return `--note has ${flags.note.length} characters; the limit is ${PUBLISH_NOTE_MAX_CHARS}. Shorten it.`
    const accept = parseAcceptances(flags.accept)
    if (!accept.ok) return accept.error
    const server = await serverFor(ROOT, process.env, flags)
    if (!server.ok) return server.error
    const { skills, errors, unsearchedNote: left } = await gather(positionals, accept.value)
    if (left !== null) complain(left)
    if (errors.length > 0) {
      complain(['Nothing was published:', ...errors].join('\n'))
      if (flags.json) console.log(errorsJson(errors))
      return 1
    }
    const outcome = await publishSkills(
      skills,
      {
        unpublish: flags.unpublish,
        note: flags.note ?? null,
        yes: flags.yes,
        dryRun: flags['dry-run'],
        diff: flags.diff,
        notes: flags.notes,
      },
      {
        ...server.value,
        say: flags.json ? () => {} : (line) => console.log(line),
        complain,
        ask: flags.json ? null : terminalAsker(),
      },
    )
    if (flags.json) console.log(outcomeJson(outcome))
    return outcome.status
  },
)
