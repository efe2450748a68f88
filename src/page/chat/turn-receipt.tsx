// The receipt of a run: a chip with skill, version, cost and time, and the table that it opens.

import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'

import { Icon } from '../parts/icon.tsx'
import { lazyComponent } from '../parts/lazy.tsx'
import { billOf, summaryOf } from '../run/receipt.ts'
import type { RunState } from '../run/state.ts'

const ReceiptTable = lazyComponent<{ readonly run: RunState }>(
  async () => (await import('./receipt-table.tsx')).ReceiptTable,
  6,
)

/** Returns the chip, and its table, which is rendered below the row of actions. */
export function useReceipt(run: RunState) {
  const isOpen = useSignal(false)
  const slipId = useId()
  const { receipt } = run
  useEffect(() => {
    if (receipt) ReceiptTable.preload()
  }, [receipt])
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
      <ReceiptTable run={run} />
    </div>
  )
  return { chip, slip }
}
