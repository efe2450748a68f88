// Guards the limits of an upload: an archive may be larger than JSON or a form, and no upload is held beyond its limit.

import { describe, expect, it } from 'vitest'
import { readSkillUpload } from '../../../../src/api/skills/upload.ts'
import { PUBLISH_BODY_MAX_BYTES, SKILL_FILES_MAX } from '../../../../src/limits/skills.ts'
import { zipOf } from './archive-bytes.ts'

function upload(body: Uint8Array<ArrayBuffer> | FormData, type?: string) {
  const headers = type === undefined ? {} : { headers: { 'Content-Type': type } }
  const request = new Request('http://door.test/admin/skills', { method: 'POST', body, ...headers })
  return readSkillUpload(request, () => true)
}

// Stored, not compressed: the archive is as large as its content.
const LARGE = zipOf(
  ['SKILL.md', 'a.bin', 'b.bin'].map((name) => ({ name, method: 0, content: new Uint8Array(6_000_000) })),
)

describe('an upload', () => {
  it('may be larger as an archive than as a form', async () => {
    expect(LARGE.length).toBeGreaterThan(PUBLISH_BODY_MAX_BYTES)
    const whole = await upload(LARGE, 'application/zip')
    expect(whole.ok && Array.from(whole.value.files.values(), (content) => content.length)).toEqual([
      6_000_000, 6_000_000, 6_000_000,
    ])
    const form = new FormData()
    form.append('file', new Blob([LARGE]), 'own.skill')
    expect(await upload(form)).toMatchObject({ ok: false, error: { code: 'too_large' } })
    expect(await upload(LARGE, 'application/json')).toMatchObject({ ok: false, error: { code: 'too_large' } })
  })

  it('has a limited number of files in a form', async () => {
    const form = new FormData()
    for (let at = 0; at <= SKILL_FILES_MAX; at++) form.append('files[]', new Blob(['x']), `f${at}`)
    expect(await upload(form)).toMatchObject({ ok: false, error: { code: 'too_large' } })
  })

  it('of one file that is not an archive is that file', async () => {
    const form = new FormData()
    form.append('file', new Blob(['PK is how this text begins.']), 'SKILL.md')
    const sent = await upload(form)
    expect(sent.ok && Array.from(sent.value.files.keys())).toEqual(['SKILL.md'])
  })
})
