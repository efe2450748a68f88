// The table of a receipt. Loaded when the first one is opened.

import { receiptRows } from '../run/receipt-rows.ts'
import type { RunState } from '../run/state.ts'

export function ReceiptTable({ run }: { readonly run: RunState }) {
  const { receipt } = run
  if (!receipt) return null
  return (
    <table>
      <tbody>
        {receiptRows(run, receipt).map(({ name, isList, lines }) => (
          <tr key={name} class={isList ? 'list' : undefined}>
            <th scope="row">{name}</th>
            <td>
              {lines.map(({ text, code, title }) => (
                <div key={`${text} ${code}`}>
                  {text} {code !== undefined && <Code text={code} title={title} />}
                </div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A path breaks only after a slash. */
function Code({ text, title }: { readonly text: string; readonly title: string | undefined }) {
  return (
    <code title={title}>
      {text.split(/(?<=\/)/).map((part, index) => (
        <span key={index} class="segment">
          {part}
        </span>
      ))}
    </code>
  )
}
