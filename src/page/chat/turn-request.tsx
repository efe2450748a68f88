// Shows what a call would do: its command or input fields, its target address and, behind "Request", the exact
// request. Scrolls if it is taller than the screen.

import { Fragment, type ComponentChildren } from 'preact'

import { stringIn } from '../lib/fields.ts'
import { useScrollable } from '../markdown/scrollable.ts'
import type { ApprovalItem } from '../run/items.ts'
import { partsOfUrl } from '../run/address.ts'
import { inputFields } from '../run/step-view.ts'
import { InputFields } from './input-fields.tsx'

/** The text with a line break opportunity after each slash. */
function breakableAtSlashes(text: string): ComponentChildren {
  return text.split(/(?<=\/)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}

export function Request({ item }: { readonly item: ApprovalItem }) {
  const box = useScrollable<HTMLDivElement>()
  return (
    <div
      ref={box}
      class="request"
      role="group"
      aria-label={item.request ? 'Request to be sent' : 'Input of the call'}
    >
      {item.request ? <SentRequest request={item.request} input={item.input} /> : <Input {...item} />}
    </div>
  )
}

function Input({ name, input }: Pick<ApprovalItem, 'name' | 'input'>) {
  if (input === null) return <p class="quiet">The input is too long to show here.</p>
  const command = name === 'bash' ? stringIn(input, 'command') : null
  const fields = inputFields(input)
  if (command === null) return <InputFields fields={fields} />
  return (
    <>
      <pre dir="ltr">{command}</pre>
      <InputFields fields={fields.filter(([field]) => field !== 'command')} />
    </>
  )
}

interface SentRequestProps {
  readonly request: NonNullable<ApprovalItem['request']>
  readonly input: ApprovalItem['input']
}

function SentRequest({ request, input }: SentRequestProps) {
  const { before, host, after } = partsOfUrl(request.url)
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  const headersAndBody = [...headers, ...(request.body === null ? [] : ['', request.body])].join('\n')
  return (
    <>
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
    </>
  )
}
