// Guards "a response contains no secret": masking covers the forms in which servers repeat a text that they were sent.

import { expect, it } from 'vitest'
import { base64, utf8 } from '../../../src/lib/bytes.ts'
import { masker } from '../../../src/secrets/masks.ts'

const TOKEN = 'tok-9f"31\'Xy=ZZ/qq+42-abcdefghij-klmnopqrst-uvwxyz0123456789-ABCDEF'
const masked = (text: string, value = TOKEN): string => masker(new Map([['TOKEN', value]]))(text)

const lines = (text: string, end: string): string => text.replace(/.{76}/g, `$&${end}`)
const BASE64 = base64(utf8(`{"of":"${TOKEN}"}`))

it.each([
  ['base64 in lines, as in e-mail', lines(BASE64, '\r\n'), /uvw|ABC/],
  ['base64 in lines, in JSON', JSON.stringify(lines(BASE64, '\n')), /uvw|ABC/],
  ['lower case', TOKEN.toLowerCase(), /uvw/],
  ['capitals', TOKEN.toUpperCase(), /UVW/],
  ['doubled quotes, as in CSV', TOKEN.replaceAll('"', '""'), /uvw/],
  ['doubled quotes, as in SQL', TOKEN.replaceAll("'", "''"), /uvw/],
  ['octal escapes', TOKEN.replaceAll('=', '\\075').replaceAll('"', '\\042'), /uvw/],
  ['quoted-printable', TOKEN.replaceAll('=', '=3D'), /uvw/],
])('%s', (_, text, left) => {
  const shown = masked(`before ${text} behind`)
  expect(shown).toContain('[secret TOKEN]')
  expect(shown).not.toMatch(left)
  expect(shown).toMatch(/^before .*behind$/s)
})

it('masks the user and password in basic authentication', () => {
  const value = base64(utf8('bob:hunter2-hunter2'))
  expect(masked(`Hello bob:hunter2-hunter2, or hunter2-hunter2, or ${value}`, value)).toBe(
    'Hello [secret TOKEN], or [secret TOKEN], or [secret TOKEN]',
  )
})

it('keeps words that contain a short secret in another case', () => {
  expect(masked('PASSWORD1 and password1', 'password1')).toBe('PASSWORD1 and [secret TOKEN]')
})

it('takes no longer for long values and texts that nearly match', () => {
  const value = 'a'.repeat(500) + 'b'
  const text = 'a'.repeat(200_000)
  const begin = process.cpuUsage()
  expect(masked(text.slice(0, 20_000), value)).toHaveLength(20_000)
  expect(masked(base64(utf8(text)).slice(0, 20_000), 'x'.repeat(4_096))).toHaveLength(20_000)
  expect(process.cpuUsage(begin).user).toBeLessThan(5_000_000)
})
