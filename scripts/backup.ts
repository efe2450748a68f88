// `npm run backup -- FILE`: writes all data of a running Satchel to an archive.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { partialPath } from './backup/archive-writer.ts'
import { makeBackup } from './backup/make.ts'
import { formatBytes, terminalProgress } from './backup/progress.ts'
import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'
import { SERVER_HELP, SERVER_OPTIONS } from './unattended/options.ts'

const USAGE = `npm run backup -- FILE [options]

Writes skills with all versions, settings, keys (hashed), secrets (encrypted), hooks, schedules, endpoints, usage, the
audit, and all threads with their files into FILE, a tar archive. The server keeps running; each thread is as it was
when it was read. FILE is as secret as the deployment. To restore it: npm run restore -- FILE

  --force              overwrite FILE
${SERVER_HELP.split('\n').slice(2).join('\n')}

An interrupted backup leaves ${partialPath('FILE')}; run the command again, which starts over.
Exit status: 0 done; 1 failed, or something is missing in FILE; 2 wrong arguments.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { url, key } = SERVER_OPTIONS

command(
  USAGE,
  { allowPositionals: true, options: { force: { type: 'boolean', default: false }, url, key } },
  async ({ values: flags, positionals: [file, ...extra] }) => {
    if (file === undefined || extra.length > 0) return 'Give one file for the archive.'
    if (existsSync(file) && !flags.force) return `${file} exists. Choose another name, or add --force.`
    const server = await serverFor(ROOT, process.env, flags)
    if (!server.ok) return server.error
    const progress = terminalProgress(process.stderr)
    const ports = { ...server.value, say: (line: string) => console.log(line), complain, progress }
    const { objects, bytes, entries, lost, inexact } = await makeBackup(file, ports).finally(() =>
      progress.end(),
    )
    const threads = objects.filter(({ name }) => name.startsWith('threads/')).length
    const size = entries.reduce((sum, entry) => sum + entry.bytes, 0)
    console.log(
      `${file} has ${threads} threads and ${bytes.length} files, ${formatBytes(size)}. It is secret: keep it safe.`,
    )
    for (const name of inexact)
      complain(
        `${name} changed each time it was read, so its sums may be inexact. For exact ones, make a backup when nothing runs.`,
      )
    for (const name of lost) complain(`${name} is missing from the store, and therefore from the archive.`)
    return lost.length > 0 ? 1 : 0
  },
)
