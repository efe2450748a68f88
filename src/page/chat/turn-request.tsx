// The exact request of a call: URL, headers and body. Shows the input of a call that sends nothing.

import type { ApprovalItem } from '../run/items.ts'
import { partsOfUrl } from '../run/address.ts'

export function Request({ item: { request, input } }: { readonly item: ApprovalItem }) {
  if (!request)
    return (
      <pre dir="auto" aria-label="Input of the call">
        {input === null ? 'The input is too long to show here.' : JSON.stringify(input, null, 2)}
      </pre>
    )
  const { before, host, after } = partsOfUrl(request.url)
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  const headersAndBody = [...headers, ...(request.body === null ? [] : ['', request.body])].join('\n')
  return (
    <div class="request" role="group" aria-label="Request to be sent">
      <p class="address">
        <code>
          {request.method} {before}
          <strong>{host}</strong>
          {after}
        </code>
      </p>
      {headersAndBody !== '' && <pre dir="auto">{headersAndBody}</pre>}
      {request.notes.map((note) => (
        <p key={note} class="changed">
          {note}
        </p>
      ))}
    </div>
  )
}
