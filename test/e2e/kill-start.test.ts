// Promise: however often workerd is killed while it starts or sends its first response, npm start starts it again.
// Until skills are served, readiness says so; an error that a restart cannot fix ends the command with an explanation.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { afterEach, expect, test } from 'vitest'

import { end, isAlive, type ProcessIdentity } from '../../scripts/lib/processes.ts'
import { probe } from '../../scripts/start/probe.ts'
import {
  ADMIN_KEY,
  finished,
  script,
  serverProcess,
  spawnSatchel,
  startSatchel,
  temporary,
  until,
  type Satchel,
} from './satchel.ts'

type FaultTarget = 'workerd' | 'server'

/** How long one request may take; another follows it. */
const PROBE_MS = 10_000

let satchel: Satchel | null = null
afterEach(async () => {
  await satchel?.stop()
  satchel = null
})

function find(of: Satchel, faultTarget: FaultTarget): ProcessIdentity | null {
  const found = faultTarget === 'workerd' ? of.workerd() : serverProcess(of.process)
  return found && isAlive(found) ? found : null
}

/** Kills the process as soon as it exists, and waits until it is gone. */
async function kill(of: Satchel, faultTarget: FaultTarget): Promise<void> {
  const killed = await until(`a ${faultTarget} to kill`, () => {
    const found = find(of, faultTarget)
    return found && end(found) ? found : null
  })
  await until('it is gone', () => !isAlive(killed))
}

async function answers(of: Satchel): Promise<boolean> {
  return (await probe(of.port, PROBE_MS))?.status === 200
}

async function ready(of: Satchel): Promise<boolean> {
  return fetch(`${of.url}/readyz`, { signal: AbortSignal.timeout(PROBE_MS) }).then(
    (response) => response.ok,
    () => false,
  )
}

test.each<FaultTarget>(['workerd', 'server'])(
  '%s is killed three times while it starts: the server still comes up',
  async (faultTarget) => {
    satchel = await spawnSatchel()
    for (let kills = 0; kills < 3; kills++) await kill(satchel, faultTarget)
    await satchel.up()
    await until('it is ready', async () => satchel && ready(satchel))
    expect(satchel.output()).toMatch(/ended \(SIGKILL\): starting it again in \d/)
  },
)

test.each<FaultTarget>(['workerd', 'server'])(
  '%s is killed at its first response: the server still comes up',
  async (faultTarget) => {
    satchel = await spawnSatchel()
    await until('the first answer', async () => satchel && answers(satchel))
    await kill(satchel, faultTarget)
    await satchel.up()
    await until('it is ready', async () => satchel && ready(satchel))
  },
)

// A server that never answered would be given up after five attempts.
test('workerd and the server are killed six times at their first response: both come up each time', async () => {
  satchel = await startSatchel()
  for (let kills = 0; kills < 6; kills++) {
    await kill(satchel, kills % 2 === 0 ? 'workerd' : 'server')
    await until('it answers again', async () => satchel && answers(satchel))
  }
  await until('it is ready again', async () => satchel && ready(satchel))
  expect(satchel.process.exitCode).toBeNull()
})

test('requests see neither a broken catalog nor removed skills before skills are served', async () => {
  const extra = temporary()
  const write = (description: string): void => {
    mkdirSync(join(extra, 'packing-list'), { recursive: true })
    const text = `---\nname: packing-list\ndescription: ${description}\n---\n\n# Packing\n`
    writeFileSync(join(extra, 'packing-list/SKILL.md'), text)
  }
  write('Packs for sun.')
  satchel = await spawnSatchel({ args: ['--skills', extra] })
  const { url } = satchel
  const heard = new Set<string>()
  let listening = true
  const listen = async ([path, pauseMs]: readonly [string, number]): Promise<void> => {
    while (listening) {
      await pause(pauseMs)
      const response = await fetch(`${url}${path}`, {
        headers: { Authorization: `Bearer ${ADMIN_KEY}` },
      }).catch(() => null)
      const text = (await response?.text().catch(() => null)) ?? null
      if (!response || text === null) continue
      if (response.ok) heard.add(/Packs for \w+/.exec(text)?.[0] ?? 'ok')
      else {
        const { code } = JSON.parse(text) as { readonly code: string }
        heard.add(`${response.status} ${code}, come back in ${response.headers.get('Retry-After')}`)
      }
    }
  }
  // Readiness has a limit of 600 requests a minute.
  const listeners = (
    [
      ['/readyz', 100],
      ['/v1/skills/packing-list', 20],
    ] as const
  ).map(listen)
  try {
    await satchel.up()
    await until('it is served', () => heard.has('Packs for sun') && heard.has('ok'))
    expect(heard).toEqual(new Set(['503 not_ready, come back in 1', 'ok', 'Packs for sun']))

    write('Packs for rain.')
    await until('the edit is live', () => heard.has('Packs for rain'))
    heard.clear()
    for (let kills = 0; kills < 3; kills++) {
      await kill(satchel, 'workerd')
      await until('it is up again', async () => satchel && ready(satchel))
    }
    await until('it is served again', () => heard.has('Packs for rain') && heard.has('ok'))
    heard.delete('503 not_ready, come back in 1')
    expect(heard).toEqual(new Set(['ok', 'Packs for rain']))
  } finally {
    listening = false
    await Promise.all(listeners)
    rmSync(extra, { recursive: true })
  }
})

test('an error that a restart cannot fix ends the command at once, with the reason', async () => {
  const folder = temporary()
  writeFileSync(join(folder, 'v3'), 'no folder')
  const { status, out } = await finished(script('start.ts', ['--port', '0', '--persist-to', folder]))
  expect(status).toBe(1)
  expect(out).toMatch(/v3[\s\S]*Satchel did not start\./)
  rmSync(folder, { recursive: true })
})
