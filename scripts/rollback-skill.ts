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
  --to DIGEST    the digest of the version to make live, or its beginning (default: the version before the live one)
  --list         show the versions, newest first, and change nothing
  --url URL      the server (default: SATCHEL_URL, otherwise port PORT or ${DEFAULT_PORT} on this machine)
  --key K        ${KEY_HELP}
  --help         show this text

Exit status: 0 done; 1 refused, nothing was changed; 2 wrong arguments.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Number of characters of a digest that are shown. */
const SHOWN_DIGEST_CHARS = 12

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
    const [name, ...extra] = positionals
    if (name === undefined || extra.length > 0) return 'Name exactly one skill.'
    const server = await serverFor(ROOT, process.env, { url: flags.url, key: flags.key })
    if (!server.ok) return server.error
    const { client, url } = server.value
    const path = `/admin/skills/${encodeURIComponent(name)}`
    const refused = (failure: ClientFailure): number => {
      complain(explainFailure(failure, url))
      return 1
    }
    const pages = await readAllPages<VersionInfo>((cursor) =>
      readPage(client, `${path}/versions`, {}, { cursor, limit: PAGE_SIZE_MAX }),
    )
    if (!pages.ok) return refused(pages.error)
    const versions = pages.value
    if (flags.list) {
      for (const version of versions) console.log(versionLine(version))
      return 0
    }
    const matching = versions.filter(({ digest }) => flags.to !== undefined && digest.startsWith(flags.to))
    if (flags.to !== undefined && matching.length !== 1) {
      const number = matching.length === 0 ? 'no version' : 'more than one version'
      complain(`--to ${flags.to} matches ${number} of ${name}. The versions are:`)
      for (const version of versions) console.error(versionLine(version))
      return 1
    }
    const to = matching[0]?.digest ?? -1
    const result: Result<{ readonly body: RolledBack }, ClientFailure> = await client.json(
      'POST',
      `${path}/rollback`,
      { to },
    )
    if (!result.ok) return refused(result.error)
    const { skill, catalog_version: version } = result.value.body
    console.log(
      `${name} is ${skill.digest.slice(0, SHOWN_DIGEST_CHARS)} again, in catalog version ${version}.`,
    )
    return 0
  },
)

function versionLine({ digest, created_at: createdAt, author, note, live, purged }: VersionInfo): string {
  const state = live ? 'live' : purged ? 'purged' : ''
  return `${digest.slice(0, SHOWN_DIGEST_CHARS)}  ${createdAt.slice(0, 16)}  ${state.padEnd(6)}  ${harmlessLine(harmless(`${author}  ${note ?? ''}`))}`
}
