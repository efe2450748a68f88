// Runs the ticket service of examples/ on its own port and collects its output.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { freePort } from '../../scripts/lib/free-port.ts'
import { ROOT, until } from './satchel.ts'

export interface Tickets {
  readonly port: number
  /** Arguments with which Satchel is started. */
  readonly args: readonly string[]
  /** The definition of the example's tool, with this port. */
  readonly definition: string
  /** The tickets that the service received, one line each. */
  received(): readonly string[]
  stop(): Promise<void>
}

export async function startTickets(): Promise<Tickets> {
  const port = await freePort()
  const child = spawn(process.execPath, [join(ROOT, 'examples/tickets.mjs'), String(port)])
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await until('the ticket service is up', () => output.includes('Tickets are taken'))
  return {
    port,
    args: ['--allow-host', `127.0.0.1:${port}`],
    definition: readFileSync(join(ROOT, 'examples/create_ticket.json'), 'utf8').replaceAll(
      '4010',
      String(port),
    ),
    received: () => output.split('\n').filter((line) => line.startsWith('ticket ')),
    stop: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
