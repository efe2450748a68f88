// Runs what `npm start` runs, but with a Worker whose calls into isolates may never end (test/workers/spinning.ts):
// those of an additional route, and those for documents. Takes --port and --persist-to; everything else comes from the
// environment.

import { readArgs } from '../../scripts/lib/args.ts'
import { Supervisor } from '../../scripts/start/supervisor.ts'
import { ADMIN_KEY, ROOT } from './satchel.ts'

const text = { type: 'string' } as const
const args = readArgs({ args: process.argv.slice(2), options: { port: text, 'persist-to': text } })
if (!args.ok) throw new Error(args.error)
const { port, 'persist-to': persist } = args.value.values
const { ID_SECRET = '', ANTHROPIC_API_KEY = '', ANTHROPIC_BASE_URL = '' } = process.env
const supervisor = new Supervisor(
  {
    root: ROOT,
    entry: 'test/workers/spinning.ts',
    port: Number(port),
    persist: persist ?? '',
    skills: [],
    bindings: { ADMIN_KEY, ID_SECRET, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL },
    adminKey: ADMIN_KEY,
  },
  { progress: () => {}, note: console.log, ready: () => console.log('Satchel is up') },
)
process.on('SIGTERM', () => supervisor.stop())
process.exit(await supervisor.run())
