// The receipt of a run: a chip with skill, version, cost and time, and the slip that it opens.

import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'

import { Icon } from '../parts/icon.tsx'
import { billOf, receiptRows, summaryOf } from '../run/receipt.ts'
import type { RunState } from '../run/state.ts'

/** The chip, and the function that renders its slip below the row of actions. */
export function useReceipt(run: RunState) {
  const isOpen = useSignal(false)
  const slipId = useId()
  const { receipt } = run
  if (!receipt) return { chip: null, slip: null }
  const bill = billOf(receipt)
  const chip = (
    <button
      type="button"
      class="receipt"
      aria-expanded={isOpen.value}
      aria-controls={isOpen.value ? slipId : undefined}
      onClick={() => (isOpen.value = !isOpen.value)}
    >
      <Icon name="receipt" />
      <span class="unseen">Receipt: </span>
      <span>
        <span class="work-part">{summaryOf(receipt).slice(0, -bill.length)}</span>
        {bill}
      </span>
    </button>
  )
  const slip = isOpen.value && (
    <div id={slipId} class="slip" role="group" aria-label="Receipt">
      <table>
        <tbody>
          {receiptRows(run, receipt).map(({ name, lines }) => (
            <tr key={name}>
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
    </div>
  )
  return { chip, slip }
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
