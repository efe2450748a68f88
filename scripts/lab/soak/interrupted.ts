// Kills the server during a change: a deleted thread, a commit of many skills, a revoked key. The change is repeated
// until the server responds. By then it must be complete; until then, it must be applied entirely or not at all.

import { createHash } from 'node:crypto'

import { uploadText } from './file-story.ts'
import { requestUntilAnswered, sendOnce, type Answered } from './insist.ts'

export type InterruptedChange = 'delete' | 'commit' | 'revoke'

/** Descriptions of violations; empty if there are none. */
type Violations = readonly string[]
/** Sends the change, and kills the server meanwhile. */
type KillDuring = (send: () => Promise<unknown>) => Promise<void>

const SKILLS = 20
const FILE_BYTES = 200_000

function expect(violations: string[], what: string, actual: number, ...allowed: readonly number[]): void {
  if (!allowed.includes(actual)) violations.push(`${what}: ${actual}, not ${allowed.join(' or ')}`)
}

/** Deletes a thread with a running run. It must be gone for everybody, and its key must start nothing again. */
async function interruptDelete(url: string, name: string, killDuring: KillDuring): Promise<Violations> {
  const violations: string[] = []
  const headers = { 'Idempotency-Key': name, Prefer: 'respond-async' }
  const ask = async (): Promise<Answered> =>
    requestUntilAnswered(url, 'POST /v1/chat', { body: { message: `ROUNDS 3: message ${name}` }, headers })
  const { body, text: answer } = await ask()
  if (typeof body['thread_id'] !== 'string') return [`${name}: the thread did not begin: ${answer}`]
  const path = `/v1/threads/${body['thread_id']}`
  // Its files must be deleted with it. Leftovers in R2 are found at the end.
  const text = uploadText(name, FILE_BYTES)
  const put = await requestUntilAnswered(url, `PUT ${path}/files/uploads/${name}.txt`, { body: text })
  expect(violations, `${name}: putting a file`, put.status, 200, 201)
  await killDuring(async () => sendOnce(url, `DELETE ${path}`))
  expect(
    violations,
    `${name}: deleting it again`,
    (await requestUntilAnswered(url, `DELETE ${path}`)).status,
    204,
    404,
  )
  expect(violations, `${name}: reading it`, (await requestUntilAnswered(url, `GET ${path}`)).status, 404)
  expect(violations, `${name}: its key again`, (await ask()).status, 410)
  return violations
}

/** Publishes many skills in one catalog version. Either all of them are live, or none. */
async function interruptCommit(url: string, name: string, killDuring: KillDuring): Promise<Violations> {
  const violations: string[] = []
  const ids = Array.from({ length: SKILLS }, (_, at) => `soak-${name}-${at}`)
  const texts = ids.map(
    (id) =>
      `---\nname: ${id}\ndescription: Use this skill when the soak asks for ${id}.\n---\n\n# ${id}\n\nSay so.\n`,
  )
  const blobs = texts.map((text) => ({ text, address: createHash('sha256').update(text).digest('hex') }))
  const skills = blobs.map(({ address }) => ({ files: { 'SKILL.md': address } }))
  const live = async (): Promise<number> => {
    const answers = await Promise.all(
      ids.map(async (id) => requestUntilAnswered(url, `GET /admin/skills/${id}`)),
    )
    return answers.filter(({ status }) => status === 200).length
  }
  const planned = await requestUntilAnswered(url, 'POST /admin/catalog/plan', { body: { skills } })
  if (planned.status !== 200) return [`${name}: the plan failed: ${planned.text}`]
  for (const { address, text } of blobs)
    await requestUntilAnswered(url, `PUT /admin/blobs/${address}`, { body: text })
  const commit = 'POST /admin/catalog/commit'
  await killDuring(async () => sendOnce(url, commit, { body: { skills } }))
  expect(violations, `${name}: skills live after a commit that broke off`, await live(), 0, SKILLS)
  expect(
    violations,
    `${name}: committing again`,
    (await requestUntilAnswered(url, commit, { body: { skills } })).status,
    200,
    201,
  )
  expect(violations, `${name}: skills live after the commit`, await live(), SKILLS)
  return violations
}

/** Revokes a key. After the response, the key must never work again. */
async function interruptRevoke(url: string, name: string, killDuring: KillDuring): Promise<Violations> {
  const violations: string[] = []
  const created = await requestUntilAnswered(url, 'POST /admin/keys', { body: { role: 'chat' } })
  const { id, key } = created.body
  if (typeof id !== 'string' || typeof key !== 'string') return [`${name}: no key was made: ${created.text}`]
  const readSkills = async (): Promise<number> =>
    (await requestUntilAnswered(url, 'GET /v1/skills', { key })).status
  expect(violations, `${name}: the new key`, await readSkills(), 200)
  await killDuring(async () => sendOnce(url, `DELETE /admin/keys/${id}`))
  expect(
    violations,
    `${name}: revoking it again`,
    (await requestUntilAnswered(url, `DELETE /admin/keys/${id}`)).status,
    200,
  )
  expect(violations, `${name}: the revoked key`, await readSkills(), 401)
  return violations
}

export const INTERRUPTED_CHANGES: Readonly<
  Record<InterruptedChange, (url: string, name: string, killDuring: KillDuring) => Promise<Violations>>
> = {
  delete: interruptDelete,
  commit: interruptCommit,
  revoke: interruptRevoke,
}
