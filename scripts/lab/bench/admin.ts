// The admin routes as the skill benches call them. Rejects with the server's own words.

import { setTimeout as sleep } from 'node:timers/promises'

import { ADMIN_KEY } from './servers.ts'

/** More changes than a key has a minute are sent again when the answer says so. */
const TRIES = 5

/** `admin(url, 'POST /admin/skills', {…})`: the answer's JSON. */
export async function admin(url: string, line: string, body: object): Promise<unknown> {
  const [method = 'GET', path = '/'] = line.split(' ')
  for (let tries = 1; ; tries++) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (response.ok) return JSON.parse(text)
    const wait = Number(response.headers.get('Retry-After') ?? 0)
    if (response.status !== 429 || wait === 0 || tries === TRIES)
      throw new Error(`${line}: ${response.status} ${text.slice(0, 500)}`)
    await sleep(wait * 1_000)
  }
}

/** One skill of a single file, as POST /admin/skills takes it. */
export function oneSkill(name: string, description: string): object {
  const text = `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nDo it well.\n`
  return { files: { 'SKILL.md': text } }
}
