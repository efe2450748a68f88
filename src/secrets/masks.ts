// Takes secrets that were used out of what comes back: as they are, and in the forms in which servers repeat what they were
// sent. What a server makes of a secret by a cipher or a hash of its own is beyond it.

import { base64, hex, utf8 } from '../lib/bytes.ts'

/** Replaces every known form of these values, by name, with `[secret NAME]`. */
export function masker(secrets: ReadonlyMap<string, string>): (text: string) => string {
  const named = new Map<string, string>()
  for (const [name, value] of secrets)
    for (const form of formsOf(value)) if (!named.has(form)) named.set(form, `[secret ${name}]`)
  if (named.size === 0) return (text) => text
  // At each place the longest form counts: one may begin another.
  const forms = [...named.keys()].toSorted((a, b) => b.length - a.length)
  const any = new RegExp(forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g')
  return (text) => text.replace(any, (found) => named.get(found) ?? '')
}

function formsOf(value: string): ReadonlySet<string> {
  if (value === '') return new Set()
  const bytes = utf8(value)
  const inJson = JSON.stringify(value).slice(1, -1)
  const inUrl = encodeURIComponent(value)
  const strictly = inUrl.replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  const inForm = new URLSearchParams([['', value]]).toString().slice(1)
  const plain = [value, inJson, inJson.replaceAll('/', '\\/'), escaped(inJson), inHtml(value)]
  const hexed = hex(bytes)
  const encoded = [inUrl, strictly, inForm, encodeURI(value)].flatMap((form) => [
    form,
    form.replace(/%[0-9A-F]{2}/g, (one) => one.toLowerCase()),
  ])
  const based = [0, 1, 2].flatMap((before) => {
    const form = base64Within(bytes, before)
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')]
  })
  return new Set([...plain, ...encoded, hexed, hexed.toUpperCase(), ...based, base64(bytes)])
}

/** As encoders write it that are careful with HTML: `<` as \u003c, and so on. */
function escaped(json: string): string {
  return json.replace(/[<>&'+]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function inHtml(value: string): string {
  return value.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}

/** What is the same in base64 whatever stands around it, behind `before` bytes (modulo 3) of something else. */
function base64Within(bytes: Uint8Array, before: number): string {
  const all = new Uint8Array(before + bytes.length)
  all.set(bytes, before)
  return base64(all).slice(Math.ceil((before * 8) / 6), Math.floor((all.length * 8) / 6))
}
