// A one-line summary of an answer. It opens to the run's receipt.

import { receiptRows, summaryOf } from '../run/receipt.ts'
import type { RunState } from '../run/state.ts'

export function TurnSummary({ run }: { readonly run: RunState }) {
  const { receipt } = run
  if (!receipt) return null
  return (
    <details class="receipt">
      <summary>
        <span class="unseen">Receipt: </span>
        {summaryOf(run, receipt)}
      </summary>
      <table>
        <tbody>
          {receiptRows(run, receipt).map(({ name, lines }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                {lines.map(({ text, code, title }) => (
                  <div key={`${text} ${code}`}>
                    {text} {code !== undefined && <code title={title}>{code}</code>}
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
