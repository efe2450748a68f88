// Takes secrets that were used out of what comes back: as they are, and in the forms in which servers repeat what they were
// sent. What a server makes of a secret by a cipher or a hash of its own is beyond it.

import { base64, hex, utf8 } from '../lib/bytes.ts'

/** Replaces every known form of these values, by name, with `[secret NAME]`. */
export function masker(secrets: ReadonlyMap<string, string>): (text: string) => string {
  // One secret may be within another: the longer one goes first.
  const named = [...secrets]
    .filter(([, value]) => value !== '')
    .toSorted(([, a], [, b]) => b.length - a.length)
  const masks = named.map(([name, value]) => [patternOf(value), `[secret ${name}]`] as const)
  return (text) => masks.reduce((left, [pattern, shown]) => left.replace(pattern, () => shown), text)
}

function patternOf(value: string): RegExp {
  const quoted = (form: string): string => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  const longestFirst = (a: string, b: string): number => b.length - a.length
  const forms = [...formsOf(value)].toSorted(longestFirst).map(quoted)
  // The signs beside it hold some bits of it, too.
  const within = [...base64Forms(value)]
    .toSorted(longestFirst)
    .map((form) => `[\\w+/-]?${quoted(form)}[\\w+/-]?=*`)
  return new RegExp([...within, ...forms].join('|'), 'g')
}

function formsOf(value: string): ReadonlySet<string> {
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
  return new Set([...plain, ...encoded, hexed, hexed.toUpperCase()])
}

/** Wherever it stands in what was encoded, by both alphabets. */
function base64Forms(value: string): ReadonlySet<string> {
  const bytes = utf8(value)
  const forms = [0, 1, 2].map((before) => base64Within(bytes, before))
  return new Set(forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]))
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
