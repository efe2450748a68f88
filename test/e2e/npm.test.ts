// Promise: killing the npm process that runs the server ends the server too, and the next start is not blocked by it.

import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'

import { expect, test } from 'vitest'

import { freePort } from '../../scripts/lib/free-port.ts'
import { isAlive } from '../../scripts/lib/processes.ts'
import { ADMIN_KEY, ENCRYPTION_KEY, ID_SECRET, ROOT, startSatchel, temporary, until } from './satchel.ts'

test('the server ends when npm is killed, and another start on the same state comes up', async () => {
  const folder = temporary()
  const port = await freePort()
  const env = {
    ...process.env,
    ANTHROPIC_API_KEY: '',
    ANTHROPIC_BASE_URL: '',
    MODEL: '',
    ADMIN_KEY,
    ID_SECRET,
    ENCRYPTION_KEY,
  }
  const npm = spawn('npm', ['start', '--', '--port', String(port), '--persist-to', folder], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
    env,
  })
  let output = ''
  npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  try {
    await until('npm start is up', () => {
      if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}:\n${output}`)
      return output.includes('Stop:')
    })
  } finally {
    npm.kill('SIGKILL')
  }
  const next = await startSatchel({ folder, port })
  try {
    const workerd = await until('a workerd of its own', () => next.workerd())
    expect(isAlive(workerd)).toBe(true)
    expect((await fetch(`${next.url}/healthz`)).status).toBe(200)
  } finally {
    await next.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
