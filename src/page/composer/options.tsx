// The options menu: the model, its effort, the budget for one answer, and how full the context window is.

import { useApp } from '../state/app.ts'
import { formatMoney, formatNumber } from '../lib/format.ts'
import { BUDGET_DEFAULTS } from '../state/composer/limits.ts'
import { Icon } from '../parts/icon.tsx'
import { Popover } from '../parts/popover.tsx'
import type { ModelInfo } from '../../client/skills.ts'
import { EFFORT_NAMES, parseLimit } from '../state/composer/models.ts'
import { contextPercent } from '../state/composer/usage.ts'
import { CompactForm } from './compact-form.tsx'
import { EffortChoice, ModelChoice } from './model-choice.tsx'

/** The prefix of most model names, which narrow screens hide. */
const MAKER = 'Claude '

interface ThreadModel {
  readonly id: string
  readonly name: string
  /** Null if the server does not list the model. */
  readonly info: ModelInfo | null
}

/** The model of the open thread or of its next message, or of the next new thread. */
export function useThreadModel(): ThreadModel {
  const { models, conversation } = useApp()
  const list = models.list.value ?? []
  const next = models.nextModel.value
  // While it is sent, the thread still has its old model. It keeps that model if the message fails.
  const isNext = next !== null && (!next.isSent || conversation.activeTurn.value !== null)
  const fixedId = isNext ? next.model : conversation.info.value?.model
  const chosen = list.find(({ id }) => id === (fixedId ?? models.choice.value.model)) ?? null
  const info =
    fixedId === undefined ? (chosen ?? list.find((model) => model.default) ?? list[0] ?? null) : chosen
  const id = fixedId ?? info?.id ?? ''
  return { id, name: info?.name ?? id, info }
}

export function OptionsMenu() {
  const { models } = useApp()
  const { name, info } = useThreadModel()
  const { effort } = models.choice.value
  const label = 'Model and limits'
  const text = (
    <>
      <span class="unseen">{label}: </span>
      <span class="model">
        {name.startsWith(MAKER) && <span class="maker">{MAKER}</span>}
        {(name.startsWith(MAKER) ? name.slice(MAKER.length) : name) || 'Model'}
      </span>
      {effort !== null && info?.efforts.includes(effort) && (
        <span class="effort">
          <span class="unseen">, effort </span>
          {EFFORT_NAMES[effort]}
        </span>
      )}
      <Icon name="chevron-down" />
    </>
  )
  return (
    <Popover label={label} kind="plain" class="options" text={text}>
      {(close) => <OptionsForm close={close} />}
    </Popover>
  )
}

function OptionsForm({ close }: { readonly close: () => void }) {
  const { models, conversation } = useApp()
  const { id, info } = useThreadModel()
  const { usd, steps, plan } = models.choice.value
  const isNew = conversation.state.value === 'ready' && conversation.turns.value.length === 0
  const usage = conversation.usage.value
  const percent = contextPercent(usage, info?.window)
  return (
    <div class="options-form">
      <ModelChoice
        selectedId={id}
        onChoose={(model) => {
          if (isNew) models.choose({ model })
          else models.continueWith(model === conversation.info.peek()?.model ? null : model)
        }}
      />
      <EffortChoice efforts={info?.efforts ?? []} />
      <fieldset class="limits">
        <legend>Limits per answer</legend>
        <LimitField kind="usd" label="Dollars" value={usd} />
        <LimitField kind="steps" label="Steps" value={steps} />
      </fieldset>
      {isNew && (
        <label class="check">
          <input
            type="checkbox"
            checked={plan}
            onChange={({ currentTarget }) => models.choose({ plan: currentTarget.checked })}
          />
          <span>
            Keep a plan <small class="quiet">The agent shows its tasks above the box</small>
          </span>
        </label>
      )}
      {usage && (
        <dl>
          <dt>Context</dt>
          <dd>{windowMessage(usage.context_tokens, info?.window ?? null, percent)}</dd>
          <dt>Cost so far</dt>
          <dd>{formatMoney(usage.charged.usd)}</dd>
        </dl>
      )}
      {!isNew && <CompactForm close={close} />}
    </div>
  )
}

interface LimitFieldProps {
  readonly kind: 'usd' | 'steps'
  readonly label: string
  readonly value: number | null
}

function LimitField({ kind, label, value }: LimitFieldProps) {
  const { models } = useApp()
  return (
    <label>
      {label}
      <input
        type="text"
        inputMode="decimal"
        autocomplete="off"
        placeholder={`Default: ${kind === 'usd' ? '$' : ''}${BUDGET_DEFAULTS[kind]}`}
        value={value ?? ''}
        onChange={({ currentTarget }) => {
          const limit = parseLimit(currentTarget.value, kind)
          models.choose({ [kind]: limit })
          currentTarget.value = limit === null ? '' : String(limit)
        }}
      />
    </label>
  )
}

function windowMessage(tokens: number | undefined, window: number | null, percent: number | null): string {
  if (tokens === undefined) return 'unknown'
  if (percent === null || window === null) return `${formatNumber(tokens)} tokens`
  return `${formatNumber(tokens)} of ${formatNumber(window)} tokens, ${percent}%`
}
