// `npm run skills:rollback -- NAME`: makes an earlier version of a published skill live again, on a running Satchel.

import { fileURLToPath } from 'node:url'

import { readAllPages, readPage } from '../src/client/pages.ts'
import type { ClientFailure } from '../src/client/types.ts'
import type { Result } from '../src/lib/result.ts'
import type { VersionInfo } from '../src/skills/catalog/api.ts'
import type { SkillInfo } from '../src/skills/view/skill-info.ts'
import { PAGE_SIZE_MAX } from '../src/limits/requests.ts'
import { DEFAULT_PORT } from './lib/limits.ts'
import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'
import { explainFailure, KEY_HELP } from './lib/server.ts'
import { harmless, harmlessLine } from './lib/terminal.ts'

const USAGE = `npm run skills:rollback -- NAME [options]

  NAME           a published skill
  --to DIGEST    the version that is to be live, its first letters at least (else the one before the live one)
  --list         show its versions, newest first; change nothing
  --url URL      the server (else SATCHEL_URL, else http://127.0.0.1:${DEFAULT_PORT} or PORT's)
  --key K        ${KEY_HELP}
  --help         this text

Status 0: done. 1: refused, nothing was changed. 2: wrong arguments.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Shown letters of a digest. */
const SHOWN = 12

interface RolledBack {
  readonly skill: SkillInfo
  readonly catalog_version: number
}

command(
  USAGE,
  {
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      list: { type: 'boolean', default: false },
      url: { type: 'string' },
      key: { type: 'string' },
    },
  },
  async ({ values: flags, positionals }) => {
    const [name, ...more] = positionals
    if (name === undefined || more.length > 0) return 'Which skill? Name one.'
    const server = await serverFor(ROOT, process.env, { url: flags.url, key: flags.key })
    if (!server.ok) return server.error
    const { client, url } = server.value
    const path = `/admin/skills/${encodeURIComponent(name)}`
    const refused = (failure: ClientFailure): number => {
      complain(explainFailure(failure, url))
      return 1
    }
    const listed = await readAllPages<VersionInfo>((cursor) =>
      readPage(client, `${path}/versions`, {}, { cursor, limit: PAGE_SIZE_MAX }),
    )
    if (!listed.ok) return refused(listed.error)
    const versions = listed.value
    if (flags.list) {
      for (const version of versions) console.log(lineOf(version))
      return 0
    }
    const wanted = versions.filter(({ digest }) => flags.to !== undefined && digest.startsWith(flags.to))
    if (flags.to !== undefined && wanted.length !== 1) {
      const why = wanted.length === 0 ? 'begins no digest' : 'begins more than one digest'
      complain(`--to ${flags.to} ${why} of ${name}; its versions:`)
      for (const version of versions) console.error(lineOf(version))
      return 1
    }
    const to = wanted[0]?.digest ?? -1
    const done: Result<{ readonly body: RolledBack }, ClientFailure> = await client.json(
      'POST',
      `${path}/rollback`,
      { to },
    )
    if (!done.ok) return refused(done.error)
    const { skill, catalog_version: version } = done.value.body
    console.log(`${name} is ${skill.digest.slice(0, SHOWN)} again, in catalog version ${version}.`)
    return 0
  },
)

function lineOf({ digest, created_at: at, author, note, live, purged }: VersionInfo): string {
  const state = live ? 'live' : purged ? 'purged' : ''
  return `${digest.slice(0, SHOWN)}  ${at.slice(0, 16)}  ${state.padEnd(6)}  ${harmlessLine(harmless(`${author}  ${note ?? ''}`))}`
}
