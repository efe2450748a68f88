// The content of a delivery as the template sees it: text as it was sent, and a form as a JSON object.

import { fromUtf8 } from '../../lib/bytes.ts'

/**
 * The body as text, or null if it is not UTF-8. A form becomes a JSON object of its fields; a field that is repeated becomes a
 * list. A form with a field `payload`, in which senders put JSON, becomes that JSON.
 */
export function contentOf(contentType: string, body: Uint8Array): string | null {
  const text = fromUtf8(body)
  if (text === null || !/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType)) return text
  const form = new URLSearchParams(text)
  const payload = form.get('payload')
  if (payload !== null) return payload
  const names = new Set(form.keys())
  return JSON.stringify(
    Object.fromEntries(
      Array.from(names, (name) => {
        const values = form.getAll(name)
        return [name, values.length === 1 ? values[0] : values]
      }),
    ),
  )
}
