// `npm run skills:publish -- DIR…`: publishes skills to a running Satchel, all in one catalog version.

import { fileURLToPath } from 'node:url'

import { PUBLISH_NOTE_MAX_CHARS } from '../src/limits/requests.ts'
import { DEFAULT_PORT } from './lib/limits.ts'
import { parseAcceptances } from './lib/accepts.ts'
import { terminalAsker } from './lib/ask.ts'
import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'
import { KEY_HELP } from './lib/server.ts'
import { gather } from './publish/gather.ts'
import { outcomeJson } from './publish/outcome-json.ts'
import { publishSkills } from './publish/publish.ts'

const USAGE = `npm run skills:publish -- DIR… [options]

  DIR            a folder with skills at any depth, one SKILL.md, a flat skill (.skills/name.md),
                 or an archive (.skill .zip .tar.gz)
  --url URL      the server (else SATCHEL_URL, else http://127.0.0.1:${DEFAULT_PORT} or PORT's)
  --key K        ${KEY_HELP}
  --note TEXT    kept with the versions
  --accept RULE=REASON  publish with an error of the scan that you answer for; the history keeps why (repeatable).
                 A file that stays as it is needs it once; secrets, programs and their like are never accepted
  --unpublish NAME  take a published skill out of the catalog, in the same version (repeatable)
  --diff         show the lines that differ
  --notes        show notes too, not only errors and warnings
  --dry-run      judge and compare, change nothing
  --yes          do not ask
  --json         one JSON object on the standard output
  --help         this text

Status 0: published, or nothing to do. 1: refused, nothing was changed. 2: wrong arguments, or nobody to ask.`

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
      return 'Which skills? Name a folder or an archive.'
    if (flags.note !== undefined && flags.note.length > PUBLISH_NOTE_MAX_CHARS)
      return `--note has ${flags.note.length} characters; at most ${PUBLISH_NOTE_MAX_CHARS}.`
    const accept = parseAcceptances(flags.accept)
    if (!accept.ok) return accept.error
    const server = await serverFor(ROOT, process.env, flags)
    if (!server.ok) return server.error
    const { skills, errors, left } = await gather(positionals, accept.value)
    if (left !== null) complain(left)
    if (errors.length > 0) {
      complain(['Nothing was published:', ...errors].join('\n'))
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
