// What a call would do: its input as fields, the address that it would send to, and the exact request behind "Request".

import type { ApprovalItem } from '../run/items.ts'
import { partsOfUrl } from '../run/address.ts'
import { inputFields } from '../run/step-view.ts'
import { InputFields } from './input-fields.tsx'

export function Request({ item: { request, input } }: { readonly item: ApprovalItem }) {
  if (!request)
    return (
      <div class="request" role="group" aria-label="Input of the call">
        {input === null ? (
          <p class="quiet">The input is too long to show here.</p>
        ) : (
          <InputFields fields={inputFields(input)} />
        )}
      </div>
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
      <InputFields fields={inputFields(input)} />
      {headersAndBody !== '' && (
        <details class="raw">
          <summary>Request</summary>
          <pre dir="auto">{headersAndBody}</pre>
        </details>
      )}
      {request.notes.map((note) => (
        <p key={note} class="changed">
          {note}
        </p>
      ))}
    </div>
  )
}
