// Changes that the server is killed inside of: a thread deleted, many skills committed, a key revoked. Sent again until
// they are answered, each must be done whole, and before that whole or not at all.

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { commitSkills, planSkills, putBlob } from '../../../src/client/catalog.ts'
import { patiently } from '../../../src/client/patient.ts'
import { clientOf } from '../rig/satchel.ts'
import { uploadText } from './file-story.ts'

import type { Answer, ClientFailure } from '../../../src/client/types.ts'
import type { Result } from '../../../src/lib/result.ts'

export type InterruptedChange = 'delete' | 'commit' | 'revoke'

/** What went wrong, in words; nothing when all of it holds. */
type Found = readonly string[]
/** Sends the change and kills the server inside of it. */
type Inside = (send: () => Promise<unknown>) => Promise<void>
type Reply<T> = Result<Answer<T>, ClientFailure>

const SKILLS = 20
const FILE_BYTES = 200_000
const TRIES = 40
const AGAIN_MS = 250

const wait = async (ms: number): Promise<void> => sleep(ms)

/** Until somebody answers with anything but "later". */
async function stubbornly<T>(send: () => Promise<Reply<T>>): Promise<Reply<T>> {
  for (let tries = 1; ; tries++) {
    const reply = await patiently(send, wait)
    if (reply.ok || reply.error.kind !== 'unreachable' || tries >= TRIES) return reply
    await sleep(AGAIN_MS)
  }
}

function statusOf<T>(reply: Reply<T>): number {
  if (reply.ok) return reply.value.status
  return reply.error.kind === 'problem' ? reply.error.problem.status : 0
}

function expect(found: string[], what: string, actual: number, ...allowed: readonly number[]): void {
  if (!allowed.includes(actual)) found.push(`${what}: ${actual}, not ${allowed.join(' or ')}`)
}

/** A thread with a run that goes on is deleted: gone for all, and its key starts nothing again. */
async function deleted(url: string, name: string, inside: Inside): Promise<Found> {
  const client = clientOf(url)
  const found: string[] = []
  const headers = { 'Idempotency-Key': name, Prefer: 'respond-async' }
  const ask = async (): Promise<Reply<{ readonly thread_id: string }>> =>
    client.json('POST', '/v1/chat', { message: `ROUNDS 3: message ${name}` }, headers)
  const begun = await stubbornly(ask)
  if (!begun.ok) return [`${name}: the thread did not begin: ${JSON.stringify(begun.error)}`]
  const path = `/v1/threads/${begun.value.body.thread_id}`
  // It goes with its files: what of them is left in R2 is found in the end.
  const text = uploadText(name, FILE_BYTES)
  const put = await stubbornly(async () => client.json('PUT', `${path}/files/uploads/${name}.txt`, text))
  expect(found, `${name}: putting a file`, statusOf(put), 200, 201)
  const remove = async (): Promise<Reply<null>> => client.json('DELETE', path)
  await inside(remove)
  expect(found, `${name}: deleting it again`, statusOf(await stubbornly(remove)), 204, 404)
  expect(found, `${name}: reading it`, statusOf(await stubbornly(async () => client.json('GET', path))), 404)
  expect(found, `${name}: its key again`, statusOf(await stubbornly(ask)), 410)
  return found
}

/** Many skills in one catalog version: all of them are live, or none. */
async function committed(url: string, name: string, inside: Inside): Promise<Found> {
  const client = clientOf(url)
  const found: string[] = []
  const texts = Array.from({ length: SKILLS }, (_, at) => {
    const id = `soak-${name}-${at}`
    return `---\nname: ${id}\ndescription: Use this skill when the soak asks for ${id}.\n---\n\n# ${id}\n\nSay so.\n`
  })
  const blobs = texts.map((text) => {
    const bytes = Buffer.from(text)
    return { bytes: new Uint8Array(bytes), address: createHash('sha256').update(bytes).digest('hex') }
  })
  const skills = blobs.map(({ address }) => ({ files: { 'SKILL.md': address } }))
  const live = async (): Promise<number> => {
    const one = async (at: number): Promise<Reply<unknown>> =>
      stubbornly(async () => client.json('GET', `/admin/skills/soak-${name}-${at}`))
    const statuses = await Promise.all(skills.map(async (_, at) => statusOf(await one(at))))
    return statuses.filter((status) => status === 200).length
  }
  const planned = await planSkills(client, skills)
  if (!planned.ok) return [`${name}: the plan failed: ${JSON.stringify(planned.error)}`]
  for (const { address, bytes } of blobs) await putBlob(client, address, bytes)
  await inside(async () => client.json('POST', '/admin/catalog/commit', { skills }))
  expect(found, `${name}: skills live after a commit that broke off`, await live(), 0, SKILLS)
  const again = await stubbornly(async () => commitSkills(client, { skills }))
  expect(found, `${name}: committing again`, statusOf(again), 200, 201)
  expect(found, `${name}: skills live after the commit`, await live(), SKILLS)
  return found
}

/** A key is revoked: once that is answered nobody gets in with it, ever. */
async function revoked(url: string, name: string, inside: Inside): Promise<Found> {
  const client = clientOf(url)
  const found: string[] = []
  const made = await stubbornly(async () =>
    client.json<{ readonly id: string; readonly key: string }>('POST', '/admin/keys', { role: 'chat' }),
  )
  if (!made.ok) return [`${name}: no key was made: ${JSON.stringify(made.error)}`]
  const { id, key } = made.value.body
  const holder = clientOf(url, key)
  const look = async (): Promise<number> =>
    statusOf(await stubbornly(async () => holder.json('GET', '/v1/skills')))
  expect(found, `${name}: the new key`, await look(), 200)
  const revoke = async (): Promise<Reply<unknown>> => client.json('DELETE', `/admin/keys/${id}`)
  await inside(revoke)
  expect(found, `${name}: revoking it again`, statusOf(await stubbornly(revoke)), 200)
  expect(found, `${name}: the revoked key`, await look(), 401)
  return found
}

export const INTERRUPTED_CHANGES: Readonly<
  Record<InterruptedChange, (url: string, name: string, inside: Inside) => Promise<Found>>
> = {
  delete: deleted,
  commit: committed,
  revoke: revoked,
}
