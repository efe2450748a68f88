// The admin routes as the skill benches call them. Rejects with the server's own words.

import { ADMIN_KEY } from './servers.ts'

/** `admin(url, 'POST /admin/skills', {…})`: the answer's JSON. */
export async function admin(url: string, line: string, body: object): Promise<unknown> {
  const [method = 'GET', path = '/'] = line.split(' ')
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${line}: ${response.status} ${text.slice(0, 500)}`)
  return JSON.parse(text)
}

/** One skill of a single file, as POST /admin/skills takes it. */
export function oneSkill(name: string, description: string): object {
  const text = `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nDo it well.\n`
  return { files: { 'SKILL.md': text } }
}
