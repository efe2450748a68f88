// What a call would do: its input as fields, the address that it would send to, and the exact request behind "Request".

import { Fragment, type ComponentChildren } from 'preact'

import type { ApprovalItem } from '../run/items.ts'
import { partsOfUrl } from '../run/address.ts'
import { inputFields } from '../run/step-view.ts'
import { InputFields } from './input-fields.tsx'

/** The text with a place after each slash where a line may break. */
function breakableAtSlashes(text: string): ComponentChildren {
  return text.split(/(?<=\/)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}

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
          {breakableAtSlashes(after)}
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
