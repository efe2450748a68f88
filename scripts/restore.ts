// `npm run restore -- FILE`: restores an archive of `npm run backup` into a new deployment.

import { fileURLToPath } from 'node:url'

import { openArchive } from './backup/archive-reader.ts'
import { formatBytes, terminalProgress } from './backup/progress.ts'
import { requestRestore, putArchive } from './backup/put.ts'
import { terminalAsker } from './lib/ask.ts'
import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'
import { askToGoOn } from './tools/ports.ts'
import { SERVER_HELP, SERVER_OPTIONS } from './unattended/options.ts'

const USAGE = `npm run restore -- FILE [options]

Restores an archive of npm run backup into a new deployment, which has no threads, keys or settings, and has the
ID_SECRET and ENCRYPTION_KEY of the old one. Runs that were open end as failed, schedules and waiting deliveries come
back paused, and waiting events are not sent.

${SERVER_HELP.split('\n')
  .filter((line) => !line.includes('--json'))
  .join('\n')}

The key is ADMIN_KEY. The archive is checked before anything is sent. If a restore is interrupted, the deployment
refuses all clients until the same command has completed it.
Exit status: 0 done; 1 refused or failed; 2 wrong arguments, or no terminal for confirmation.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { yes, url, key } = SERVER_OPTIONS

command(
  USAGE,
  { allowPositionals: true, options: { yes, url, key } },
  async ({ values: flags, positionals: [file, ...extra] }) => {
    if (file === undefined || extra.length > 0) return 'Give one file, the archive.'
    const server = await serverFor(ROOT, process.env, flags)
    if (!server.ok) return server.error
    const progress = terminalProgress(process.stderr)
    const say = (line: string): void => console.log(line)
    const ports = { ...server.value, say, complain, progress }
    const archive = await openArchive(file, (bytes) =>
      progress.show(`checking, ${formatBytes(bytes)}`),
    ).finally(() => progress.end())
    const { at, objects, workspace } = archive.manifest
    say(`${file} is complete: ${objects.length} objects of the workspace ${workspace}, backed up at ${at}.`)
    const ask = terminalAsker()
    const question = `Restore them into ${ports.url}?`
    const stopped = flags.yes ? null : await askToGoOn({ ...ports, ask }, 'restore', question)
    if (stopped !== null) return stopped
    await requestRestore(archive, ports)
    await putArchive(archive, ports)
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error)
        throw new Error(
          `${reason}\nThe restore is not complete, and ${ports.url} refuses all clients. Run the command again to continue.`,
        )
      })
      .finally(() => progress.end())
    await archive.close()
    say('Restored. Schedules and waiting deliveries are paused: see docs/backup.md.')
    return 0
  },
)
